//! Conversion of a scenario of the lab to a plan.

mod ending;
mod parts;
mod refused;
mod settings;
mod talk;
mod turns;

use tcpwhy_kernel::{KernelVersion, Link};
use tcpwhy_scenario::{Draws, End, EndSpec, Pace, Scenario, Stream, Work};

pub use refused::NotSimulated;

use parts::rest;
use refused::OLDEST;

use crate::host::HostProfile;
use crate::program::{ResetAfter, Step, Stretch};
use crate::rules::{Algorithm, HostRules, SocketOptions};
use crate::time::MICROSECOND;
use crate::world::{EndPlan, Plan, Until};

/// Bytes of the request by which the lab's receiver starts a download.
const ASKS_WITH: u64 = 120;

impl Plan {
    /// The transfer of the lab, on hosts with kernel `version`.
    ///
    /// # Errors
    /// The first part that cannot be simulated.
    pub fn of_scenario(scenario: &Scenario, version: KernelVersion) -> Result<Self, NotSimulated> {
        if !version.is_since(OLDEST.0, OLDEST.1) {
            return Err(NotSimulated::OldKernel);
        }
        let opener = scenario.work.opener().ok_or(NotSimulated::Programs)?;
        settings::check_agreed(scenario)?;
        let plan = |end: End| {
            let spec = scenario.end(end);
            let late = spec.late_buffers.then(|| Step::SetBuffers {
                sndbuf: spec.sndbuf.map(|bytes| bytes.0),
                rcvbuf: spec.rcvbuf.map(|bytes| bytes.0),
            });
            let reset = scenario.work.ending().and_then(|ending| ending.reset_by(end)).map(|after| match end {
                End::Sender => Step::ResetAfter(ResetAfter::Written(after)),
                End::Receiver => Step::ResetAfter(ResetAfter::Read(after)),
            });
            let steps = late.into_iter().chain(reset).chain(work_steps(scenario, end)).collect();
            end_plan(spec, version, steps)
        };
        Ok(Self {
            ends: [plan(End::Sender)?, plan(End::Receiver)?],
            opener,
            path: scenario.link.clone().into(),
            link: Link {
                is_ipv6: scenario.ip_version == 6,
                has_timestamps: settings::has_timestamps(scenario),
                ..Link::new(scenario.mtu, tcpwhy_kernel::Device::Nic)
            },
            seed: scenario.seed,
            until: Until::ReceiverEnds,
            deadline: scenario.deadline.0,
        })
    }
}

fn end_plan(spec: &EndSpec, version: KernelVersion, steps: Vec<Step>) -> Result<EndPlan, NotSimulated> {
    let name = spec.congestion_control.as_str();
    let algorithm = Algorithm::from_name(name).ok_or_else(|| NotSimulated::CongestionControl(name.to_owned()))?;
    let defaults = HostRules::defaults(version);
    let mut host = HostRules {
        algorithm,
        initial_window: spec.initcwnd.map_or(defaults.initial_window, u64::from),
        sysctls: settings::of(spec, version)?,
        ..defaults
    };
    let number = |sysctl| host.sysctls.number(sysctl).and_then(|value| u64::try_from(value).ok());
    let rto_min = number(tcpwhy_kernel::Sysctl::TcpRtoMinUs).map(|micros| micros * MICROSECOND);
    // The value of a route precedes the sysctl.
    host.rto_min = spec.rto_min.map(|minimum| minimum.0).or(rto_min).unwrap_or(host.rto_min);
    let at_once = |bytes: Option<tcpwhy_scenario::Bytes>| bytes.filter(|_| !spec.late_buffers).map(|bytes| bytes.0);
    let options =
        SocketOptions { sndbuf: at_once(spec.sndbuf), rcvbuf: at_once(spec.rcvbuf), has_nodelay: spec.nodelay };
    let profile = HostProfile { nic: spec.nic.0, merges: spec.offload, ..HostProfile::LAB };
    Ok(EndPlan { host, options, profile, steps })
}

fn work_steps(scenario: &Scenario, end: End) -> Vec<Step> {
    match &scenario.work {
        Work::Stream(stream) => stream_steps(stream, scenario.seed, end),
        Work::Turns(turns) => turns::steps(turns, end),
        Work::Talk(talk) => talk::steps(talk, end),
        Work::Application(_) => Vec::new(),
    }
}

fn stream_steps(stream: &Stream, seed: u64, end: End) -> Vec<Step> {
    let asks = match (stream.opener, end) {
        (End::Sender, _) => None,
        (End::Receiver, End::Sender) => Some(Step::Read { bytes: ASKS_WITH, size: ASKS_WITH }),
        (End::Receiver, End::Receiver) => Some(Step::Write(ASKS_WITH)),
    };
    let mut steps = Vec::from([Step::Draw(Draws::new(seed, end))]);
    steps.extend(stream.credit.map(Step::Credit));
    steps.extend(asks.clone());
    for phase in &stream.phases {
        let bytes = phase.bytes.0;
        match end {
            End::Sender => {
                let calls = &phase.write;
                let stretch = Stretch { bytes, size: calls.size.0, pace: Pace::of(calls), waits: calls.waits };
                steps.extend(rest(calls.delay));
                steps.push(Step::Send(stretch));
            }
            End::Receiver => {
                let calls = &phase.read;
                let stretch = Stretch { bytes, size: calls.size.0, pace: Pace::of(calls), waits: calls.waits };
                steps.extend(rest(calls.delay));
                steps.push(Step::Receive(stretch));
            }
        }
    }
    if matches!(stream.ending, Some(tcpwhy_scenario::Ending::Unanswered(_))) {
        steps.extend(asks);
    }
    steps.extend(ending::steps(stream.ending, stream.opener, end));
    steps
}
