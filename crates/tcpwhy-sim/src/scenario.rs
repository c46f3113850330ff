//! A scenario of the lab as a plan.

mod settings;

use std::fmt;

use tcpwhy_kernel::{KernelVersion, Link, Sysctl};
use tcpwhy_scenario::{Calls, End, EndSpec, Phase, Scenario, Stream, Turns, Work};

use crate::host::HostProfile;
use crate::program::Step;
use crate::rules::{Algorithm, HostRules, SocketOptions};
use crate::time::{MICROSECOND, Time};
use crate::world::{EndPlan, Plan};

/// Why a scenario cannot be simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotSimulated {
    /// Programs of others do not run here.
    Programs,
    /// Not yet.
    Part(&'static str),
    /// No such congestion control.
    CongestionControl(String),
    /// A setting that would change the transfer, and how is not known here.
    Setting(String),
}

impl fmt::Display for NotSimulated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Programs => f.write_str("programs of others are not simulated"),
            Self::Part(what) => write!(f, "{what} is not simulated"),
            Self::CongestionControl(name) => write!(f, "congestion control {name} is not simulated"),
            Self::Setting(setting) => write!(f, "the setting {setting} is not simulated"),
        }
    }
}

impl std::error::Error for NotSimulated {}

/// Bytes with which the lab's receiver asks for a download.
const ASKS_WITH: u64 = 120;
/// What a program reads at a time that reads all.
const READS: u64 = 256 << 10;
/// The oldest kernel whose rules the socket has: its sent segments have times of their own (EDT).
const OLDEST: (u16, u16) = (4, 20);

impl Plan {
    /// The same transfer as in the lab, on hosts with kernel `version`.
    ///
    /// # Errors
    /// What of it cannot be simulated.
    pub fn of_scenario(scenario: &Scenario, version: KernelVersion) -> Result<Self, NotSimulated> {
        if !version.is_since(OLDEST.0, OLDEST.1) {
            return Err(NotSimulated::Part("a kernel before 4.20"));
        }
        if scenario.work.ending().is_some() {
            return Err(NotSimulated::Part("an ending other than a close"));
        }
        let (opener, steps) = match &scenario.work {
            Work::Stream(stream) => (stream.opener, stream_steps(stream)?),
            Work::Turns(turns) => (turns.client(), turns_steps(turns)?),
            Work::Talk(_) => return Err(NotSimulated::Part("a conversation")),
            Work::Application(_) => return Err(NotSimulated::Programs),
        };
        settings::check_agreed(scenario, opener)?;
        let [sender, receiver] = steps;
        Ok(Self {
            ends: [end(&scenario.sender, version, sender)?, end(&scenario.receiver, version, receiver)?],
            opener,
            path: scenario.link.clone(),
            link: Link { is_ipv6: scenario.ip_version == 6, ..Link::new(scenario.mtu, tcpwhy_kernel::Device::Nic) },
            seed: scenario.seed,
            deadline: scenario.deadline.0,
        })
    }
}

fn end(spec: &EndSpec, version: KernelVersion, steps: Vec<Step>) -> Result<EndPlan, NotSimulated> {
    if spec.late_buffers {
        return Err(NotSimulated::Part("a buffer that is set late"));
    }
    let algorithm = match spec.congestion_control.as_str() {
        "cubic" => Algorithm::Cubic,
        "reno" => Algorithm::Reno,
        other => return Err(NotSimulated::CongestionControl(other.to_owned())),
    };
    let defaults = HostRules::defaults(version);
    let mut host = HostRules {
        algorithm,
        initial_window: spec.initcwnd.map_or(defaults.initial_window, u64::from),
        sysctls: settings::of(spec, version)?,
        ..defaults
    };
    let number = |sysctl| host.sysctls.number(sysctl).and_then(|value| u64::try_from(value).ok());
    let rto_min = number(Sysctl::TcpRtoMinUs).map(|micros| micros * MICROSECOND);
    host.has_slow_start_after_idle = number(Sysctl::TcpSlowStartAfterIdle) != Some(0);
    // A route's goes before the setting.
    host.rto_min = spec.rto_min.map(|minimum| minimum.0).or(rto_min).unwrap_or(host.rto_min);
    let options = SocketOptions {
        sndbuf: spec.sndbuf.map(|bytes| bytes.0),
        rcvbuf: spec.rcvbuf.map(|bytes| bytes.0),
        has_nodelay: spec.nodelay,
    };
    let profile = HostProfile { nic: spec.nic.0, merges: spec.offload, ..HostProfile::LAB };
    Ok(EndPlan { host, options, profile, steps })
}

fn stream_steps(stream: &Stream) -> Result<[Vec<Step>; 2], NotSimulated> {
    if stream.credit.is_some() {
        return Err(NotSimulated::Part("a window of the protocol"));
    }
    let (mut sender, mut receiver) = (Vec::new(), Vec::new());
    if stream.opener == End::Receiver {
        receiver.push(Step::Write(ASKS_WITH));
        sender.push(Step::Read { bytes: ASKS_WITH, size: READS });
    }
    for phase in &stream.phases {
        write_phase(phase, &mut sender)?;
        read_phase(phase, &mut receiver)?;
    }
    sender.push(Step::Finish);
    receiver.push(Step::ReadAll { size: READS });
    Ok([sender, receiver])
}

const fn check<const SIZE: u64>(calls: &Calls<SIZE>) -> Result<(), NotSimulated> {
    if calls.varies.is_some() {
        return Err(NotSimulated::Part("a portion that varies"));
    }
    if matches!(calls.waits, tcpwhy_scenario::Waits::Poll) {
        return Err(NotSimulated::Part("a program that waits in poll()"));
    }
    Ok(())
}

/// Writes of `size` bytes that are `bytes` together.
fn writes(bytes: u64, size: u64) -> impl Iterator<Item = Step> {
    let size = size.max(1);
    let rest = bytes % size;
    let whole = usize::try_from(bytes / size).unwrap_or(usize::MAX);
    std::iter::repeat_n(Step::Write(size), whole).chain((rest > 0).then_some(Step::Write(rest)))
}

fn write_phase(phase: &Phase, steps: &mut Vec<Step>) -> Result<(), NotSimulated> {
    let (bytes, calls) = (phase.bytes.0, &phase.write);
    check(calls)?;
    if calls.delay.0 > 0 {
        steps.push(Step::Rest(calls.delay.0));
    }
    match (calls.rate, calls.every, calls.portion) {
        (Some(rate), Some(every), _) => {
            steps.push(Step::Mark);
            let (mut written, mut tick): (u64, u64) = (0, 1);
            while written < bytes {
                let due = u128::from(rate.0 / 8) * u128::from(tick * every.0) / 1_000_000_000;
                let due = u64::try_from(due).unwrap_or(u64::MAX).min(bytes);
                steps.extend(writes(due - written, calls.size.0));
                written = due;
                if written < bytes {
                    steps.push(Step::RestUntil(tick * every.0));
                }
                tick += 1;
            }
        }
        (None, Some(every), Some(portion)) => {
            let mut left = bytes;
            while left > 0 {
                let now = left.min(portion.0);
                steps.extend(writes(now, calls.size.0));
                left -= now;
                if left > 0 {
                    steps.push(Step::Rest(every.0));
                }
            }
        }
        _ => steps.extend(writes(bytes, calls.size.0)),
    }
    Ok(())
}

fn read_phase(phase: &Phase, steps: &mut Vec<Step>) -> Result<(), NotSimulated> {
    let (bytes, calls) = (phase.bytes.0, &phase.read);
    check(calls)?;
    if calls.delay.0 > 0 {
        steps.push(Step::Rest(calls.delay.0));
    }
    let size = calls.size.0;
    steps.push(match (calls.rate, calls.every, calls.portion) {
        (Some(rate), ..) => Step::ReadAtRate { rate: rate.0 / 8, size, bytes },
        (None, Some(every), Some(portion)) => Step::ReadInPortions { portion: portion.0, rest: every.0, size, bytes },
        _ => Step::Read { bytes, size },
    });
    Ok(())
}

fn turns_steps(turns: &Turns) -> Result<[Vec<Step>; 2], NotSimulated> {
    if turns.ahead > 1 {
        return Err(NotSimulated::Part("a request before the answer to the last"));
    }
    let (mut client, mut server) = (vec![Step::Mark], Vec::new());
    for n in 0..turns.count {
        if let Some(every) = turns.every {
            client.push(Step::RestUntil(Time::from(n) * every.0));
        } else if turns.think.0 > 0 {
            client.push(Step::Rest(turns.think.0));
        }
        client.extend(turns.request.iter().map(|size| Step::Write(size.0)));
        server.push(Step::Read { bytes: turns.request_bytes(), size: READS });
        if turns.service.0 > 0 {
            server.push(Step::Rest(turns.service.0));
        }
        server.extend(turns.response.iter().map(|size| Step::Write(size.0)));
        client.push(Step::Read { bytes: turns.response_bytes(), size: READS });
    }
    client.push(Step::Finish);
    server.push(Step::ReadAll { size: READS });
    Ok(if turns.sender_asks { [client, server] } else { [server, client] })
}
