//! What a capture shows of the situation that its transfer was in.

use tcpwhy_analysis::{Connection, HalfConnection, Vantage};
use tcpwhy_model::{Cause, Evidence, EvidenceKey, Finding, Value};
use tcpwhy_report::{Args, Wording};
use tcpwhy_scenario::End;

/// TCP and IPv4 headers with timestamps; IPv6 takes 20 more.
const HEADERS: u64 = 52;
/// Ethernet's own: preamble, header, check sum, gap.
const ETHERNET: u64 = 38;
/// What predictions assume of a path that never showed its rate, bits per second.
const ASSUMED_RATE: f64 = 1e9;
/// The interfaces of the lab carry no more, bits per second.
pub(super) const LARGEST_RATE: f64 = 2.5e9;
/// Under this the emulated link itself takes as long, seconds.
const LEAST_RTT: f64 = 100e-6;
/// What an emulated bottleneck holds at least, bytes.
const LEAST_QUEUE: f64 = 64e3;

/// Why a transfer cannot be set up again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RebuildError {
    /// Nothing held it back that a change could fix.
    Nothing,
    /// The packets time no round trip.
    NoRoundTrip,
    /// The ends are closer than the emulated link can be.
    TooClose,
    /// A single wait is longer than a run may take.
    TooLong,
    /// No scenario imposes this cause.
    Cause(Cause),
    /// The packets do not show a number that is needed.
    Unknown(&'static str),
    /// The capture shows nothing of what such a limit leaves behind.
    Absent(Trace),
}

/// What a limit leaves behind wherever it held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trace {
    /// Retransmitted segments.
    Repeats,
    /// A window without room for a segment.
    FullWindow,
    /// A window of zero bytes.
    ClosedWindow,
    /// A SYN without window scaling.
    MissingScale,
    /// Losses along the line of a token bucket.
    Bucket,
    /// A repeated SYN.
    RepeatedSyn,
    /// Messages of the peer while data flowed.
    PeerMessages,
    /// Requests and responses in turn.
    Turns,
    /// Sends that no ACK released.
    OwnSends,
}

impl Trace {
    /// Message id after `prove-trace-`.
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Repeats => "repeats",
            Self::FullWindow => "full-window",
            Self::ClosedWindow => "closed-window",
            Self::MissingScale => "missing-scale",
            Self::Bucket => "bucket",
            Self::RepeatedSyn => "repeated-syn",
            Self::PeerMessages => "peer-messages",
            Self::Turns => "turns",
            Self::OwnSends => "own-sends",
        }
    }
}

impl RebuildError {
    /// In words.
    pub fn words(self, wording: Wording<'_>) -> String {
        let what = match self {
            Self::Cause(cause) => wording.cause(cause),
            Self::Unknown(name) => name.to_owned(),
            Self::Absent(trace) => wording.catalogue().word(&format!("prove-trace-{}", trace.id())),
            _ => String::new(),
        };
        wording.catalogue().text(&format!("prove-cannot-{}", self.id()), &Args::new().text("what", what))
    }

    /// Message id after `prove-cannot-`.
    const fn id(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::NoRoundTrip => "no-round-trip",
            Self::TooClose => "too-close",
            Self::TooLong => "too-long",
            Self::Cause(_) => "cause",
            Self::Unknown(_) => "unknown",
            Self::Absent(_) => "absent",
        }
    }
}

/// What had to be assumed. Message id after `prove-assumed-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Assumption {
    /// The path's rate: the prediction's own assumption.
    Rate,
    /// The path is faster than the lab's interfaces.
    RateCut,
    /// The bottleneck's queue holds what the path holds.
    Queue,
    /// How much the application writes at a time.
    Writes,
    /// Losses are independent of each other.
    Loss,
    /// The stalls are evenly spread.
    Stalls,
    /// The receive buffer is autotuned, and grows once its reader keeps up.
    Buffer,
    /// The turns are alike.
    Turns,
    /// A policer holds what the path does.
    Burst,
    /// Lost frames are lost again, by their place in the stream.
    SameLosses,
    /// The program writes by a clock of its own.
    OwnClock,
    /// The sender uses BBR: it sent more than losses allow others.
    Bbr,
}

impl Assumption {
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Rate => "rate",
            Self::RateCut => "rate-cut",
            Self::Queue => "queue",
            Self::Writes => "writes",
            Self::Loss => "loss",
            Self::Stalls => "stalls",
            Self::Buffer => "buffer",
            Self::Turns => "turns",
            Self::Burst => "burst",
            Self::SameLosses => "same-losses",
            Self::OwnClock => "own-clock",
            Self::Bbr => "bbr",
        }
    }
}

/// The path and the ends, whatever the limit.
#[derive(Clone, Debug)]
pub(super) struct Situation {
    /// Smallest round trip, seconds.
    pub(super) rtt: f64,
    /// On the wire, bits per second.
    pub(super) rate: f64,
    /// Queue of the bottleneck, bytes.
    pub(super) queue: f64,
    /// Payload of a full segment, bytes.
    pub(super) mss: u64,
    pub(super) mtu: u32,
    pub(super) ip_version: u8,
    /// Who opened the connection.
    pub(super) opener: End,
    /// Which of the rebuilt captures to compare with.
    pub(super) vantage: Vantage,
    pub(super) assumptions: Vec<Assumption>,
}

impl Situation {
    pub(super) fn of(connection: &Connection, half: &HalfConnection) -> Result<Self, RebuildError> {
        // Where the capture was taken at the other end, that end's data show the path; where answers
        // acknowledge, the handshake.
        let other = connection.halves.iter().find(|other| other.sender != half.sender);
        let measured = half.rtt.or(other.and_then(|other| other.rtt)).map(|(rtt, _)| rtt.min);
        let rtt = measured.or(connection.rtt_min).ok_or(RebuildError::NoRoundTrip)?;
        let seconds = |nanos: u64| nanos as f64 / 1e9;
        if seconds(rtt) < LEAST_RTT {
            return Err(RebuildError::TooClose);
        }
        let mut assumptions = Vec::new();
        let is_v6 = connection.endpoints[0].address.is_ipv6();
        let headers = if is_v6 { HEADERS + 20 } else { HEADERS };
        let mss = half.mss.unwrap_or(1448).clamp(500, 8948);
        // Without timestamps a full segment has 1,460 bytes; the rebuilt transfer has timestamps.
        let mtu = if mss + headers - 12 == 1500 { 1500 } else { mss + headers };
        let on_wire = (mss + headers + ETHERNET) as f64 / mss as f64;
        let mut rate = half.path_rate.map_or_else(
            || {
                assumptions.push(Assumption::Rate);
                ASSUMED_RATE
            },
            |rate| rate.bits_per_sec() * on_wire,
        );
        if rate > LARGEST_RATE {
            assumptions.push(Assumption::RateCut);
            rate = LARGEST_RATE;
        }
        assumptions.push(Assumption::Queue);
        let opener = match connection.initiator {
            Some(side) if side == half.sender => End::Sender,
            _ => End::Receiver,
        };
        Ok(Self {
            rtt: seconds(rtt),
            rate,
            queue: (rate / 8.0 * seconds(rtt)).max(LEAST_QUEUE),
            mss,
            mtu: u32::try_from(mtu).unwrap_or(1500),
            ip_version: if is_v6 { 6 } else { 4 },
            opener,
            vantage: half.vantage,
            assumptions,
        })
    }

    /// The path carried no more than `payload` bits per second while it was busy.
    pub(super) fn saturate(&mut self, payload: f64) {
        let on_wire = (f64::from(self.mtu) + ETHERNET as f64) / self.mss as f64;
        if payload * on_wire < self.rate {
            self.rate = payload * on_wire;
            self.queue = (self.rate / 8.0 * self.rtt).max(LEAST_QUEUE);
            self.assumptions.retain(|&assumption| assumption != Assumption::Rate);
        }
    }

    /// Measures the bottleneck's queue by the growth of the round trip, for transfers that filled it.
    pub(super) fn measure_queue(&mut self, half: &HalfConnection) {
        if let Some((rtt, _)) = half.rtt {
            let waited = rtt.p95.saturating_sub(rtt.min) as f64 / 1e9;
            self.queue = (self.rate / 8.0 * waited).max(10.0 * f64::from(self.mtu));
            self.assumptions.retain(|&assumption| assumption != Assumption::Queue);
        }
    }
}

/// A number that a finding rests on.
pub(super) fn number(finding: &Finding, key: EvidenceKey) -> Result<f64, RebuildError> {
    let evidence: &Evidence =
        finding.evidence.iter().find(|evidence| evidence.key == key).ok_or(RebuildError::Unknown(key.id()))?;
    match evidence.value {
        Value::Integer(value) => Ok(value as f64),
        Value::Real(value) => Ok(value),
        _ => Err(RebuildError::Unknown(key.id())),
    }
}
