//! Content of the first line about two connections: the faster one, the factor, and the limit of each.

use tcpwhy_model::{Cause, Detail, Family};

use crate::answer::Outcome;
use crate::thresholds::{COMPARABLE_REQUESTS, COMPARABLE_SEGMENTS, MANY_REQUESTS, NOTEWORTHY_DIFFERENCE};
use crate::{Connection, Exchanges, Failure, HalfConnection, Party, Pattern, Role};

/// Result of the comparison of two connections. Arrays of two are in the order of the captures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contrast {
    /// No number of both has the same meaning.
    Incomparable(Incomparable),
    /// One connection failed, or both did.
    Failed([Option<Failure>; 2]),
    /// Both have a time or a rate.
    Speed(Speed),
}

/// Reason why two connections have no number to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomparable {
    /// The data goes to the server in one and to the client in the other. The value has the sender of each.
    Directions([Role; 2]),
    /// The times of this capture are invalid.
    Clock(usize),
    /// This capture has too little data for a rate, bytes.
    LittleData(usize, u64),
    /// One has many requests, the other one transfer. The values are the side with the requests and their
    /// number.
    Kinds(usize, u64),
    /// A person sets the pace, or events do, in this capture.
    Paced(usize),
}

/// The number that both connections have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Seconds of transfers of about the same size.
    Times,
    /// Bits per second of transfers of other sizes.
    Rates,
    /// Median seconds of requests with their answers.
    Requests,
}

/// Difference in speed, and the limit of each connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Kind of the values.
    pub measure: Measure,
    /// Seconds, or bits per second.
    pub values: [f64; 2],
    /// The faster one, and the factor; `None` if they differ by at most a tenth.
    pub faster: Option<(usize, f64)>,
    /// Cause of the time of each connection.
    pub held: [Held; 2],
    /// Relation of the two limits.
    pub turn: Turn,
    /// A number that explains the difference, if the same limit slowed both.
    pub reason: Option<Reason>,
}

/// Cause of the time of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Nothing worth changing.
    Nothing,
    /// A limit.
    Cause(Cause),
    /// A party of exchanges.
    Party(Party),
}

/// Relation of the first connection's limit to that of the second one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Neither connection has a limit.
    Neither,
    /// Both have the same limit.
    Same,
    /// Only the first has a limit. `is_lossless`: the limit was loss, and the second lost nothing.
    Gone {
        /// The second connection retransmitted nothing.
        is_lossless: bool,
    },
    /// Only the second has a limit.
    New,
    /// The limits differ. `is_lossless`: the first was loss, and the second lost nothing.
    Other {
        /// The second connection retransmitted nothing.
        is_lossless: bool,
    },
}

/// Reason why the same limit allowed one connection more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// Median round trips, nanoseconds.
    RoundTrip([u64; 2]),
    /// Median bytes in flight.
    Flight([u64; 2]),
    /// Median receive windows, bytes.
    Window([u64; 2]),
    /// Retransmitted shares of the data.
    Retransmitted([f64; 2]),
}

impl Contrast {
    /// Compares `halves` of `connections`.
    pub fn new(connections: [&Connection; 2], halves: [&HalfConnection; 2]) -> Self {
        if let Some(side) = connections.iter().position(|one| one.has_wrong_clock) {
            return Self::Incomparable(Incomparable::Clock(side));
        }
        let failures = connections.map(|connection| match Outcome::of(connection) {
            Outcome::Failed(failure) => Some(failure),
            Outcome::Complete | Outcome::Open => None,
        });
        if failures != [None, None] {
            return Self::Failed(failures);
        }
        let roles = halves.map(|half| half.role);
        if roles[0] != roles[1] && roles[0].peer() == roles[1] {
            return Self::Incomparable(Incomparable::Directions(roles));
        }
        let exchanges = connections.map(|connection| connection.exchanges.as_deref());
        match kinds(exchanges) {
            Kinds::Requests(both) => requests(both, halves),
            Kinds::Differ(reason) => Self::Incomparable(reason),
            Kinds::Transfers => transfers(halves),
        }
    }
}

/// Kind of data of two connections.
enum Kinds<'a> {
    Requests([&'a Exchanges; 2]),
    Transfers,
    Differ(Incomparable),
}

fn kinds(exchanges: [Option<&Exchanges>; 2]) -> Kinds<'_> {
    let is_paced = |one: &Exchanges| matches!(one.pattern, Pattern::Interactive | Pattern::LongPoll);
    if let Some(side) = exchanges.iter().position(|one| one.is_some_and(is_paced)) {
        return Kinds::Differ(Incomparable::Paced(side));
    }
    let counts = exchanges.map(|one| one.filter(|one| one.is_request_response()).map_or(0, |one| one.count));
    let is_one = |count: u64| count < COMPARABLE_REQUESTS.get();
    if let Some(many) = counts.iter().position(|&count| count >= MANY_REQUESTS.get())
        && is_one(counts[1 - many])
    {
        return Kinds::Differ(Incomparable::Kinds(many, counts[many]));
    }
    match exchanges {
        [Some(a), Some(b)] if !counts.into_iter().any(is_one) => {
            let bytes = [a, b].map(|one| (one.request_bytes + one.answer_bytes) / one.count.max(1));
            // Answers of different sizes are compared by their rates.
            if is_alike(bytes.map(|bytes| bytes as f64)) || is_by_server([a, b]) {
                Kinds::Requests([a, b])
            } else {
                Kinds::Transfers
            }
        }
        _ => Kinds::Transfers,
    }
}

/// Whether the server took most of the time of both, whatever the size of its answers.
fn is_by_server(both: [&Exchanges; 2]) -> bool {
    both.iter().all(|one| one.most_of(&PARTIES).is_some_and(|(party, _)| party == Party::Server))
}

/// Parties that take the time of a request. The client's time is between requests.
const PARTIES: [Party; 3] = [Party::Server, Party::RoundTrips, Party::Transfers];

fn requests(both: [&Exchanges; 2], halves: [&HalfConnection; 2]) -> Contrast {
    let values = both.map(|one| one.times.distribution().map_or(0.0, |times| times.median as f64 / 1e9));
    let held = [0, 1].map(|side| match both[side].most_of(&PARTIES) {
        None => Held::Nothing,
        Some((Party::Transfers, _)) => match held(halves[side]) {
            Held::Cause(cause) if cause.family() != Some(Family::Application) => Held::Cause(cause),
            _ => Held::Party(Party::Transfers),
        },
        Some((party, _)) => Held::Party(party),
    });
    speed(Measure::Requests, values, held, halves)
}

fn transfers(halves: [&HalfConnection; 2]) -> Contrast {
    let sizes = halves.map(|half| half.bytes as f64);
    let held = halves.map(held);
    if is_alike(sizes) {
        return speed(Measure::Times, halves.map(|half| half.span.seconds()), held, halves);
    }
    let least = |half: &HalfConnection| COMPARABLE_SEGMENTS.get() * half.mss.unwrap_or(USUAL_SEGMENT);
    if let Some(side) = halves.iter().position(|half| half.bytes <= least(half)) {
        return Contrast::Incomparable(Incomparable::LittleData(side, halves[side].bytes));
    }
    let rates = halves.map(|half| half.goodput.map_or(0.0, tcpwhy_model::Rate::bits_per_sec));
    speed(Measure::Rates, rates, held, halves)
}

/// Payload of a segment if the capture shows none, bytes: that of Ethernet with timestamps.
const USUAL_SEGMENT: u64 = 1448;

fn held(half: &HalfConnection) -> Held {
    half.verdict.cause.map_or(Held::Nothing, Held::Cause)
}

fn speed(measure: Measure, values: [f64; 2], held: [Held; 2], halves: [&HalfConnection; 2]) -> Contrast {
    if let Some(side) = values.iter().position(|&value| value <= 0.0) {
        return Contrast::Incomparable(Incomparable::LittleData(side, halves[side].bytes));
    }
    let faster = (!is_alike(values)).then(|| {
        let is_second = if measure == Measure::Rates { values[1] > values[0] } else { values[1] < values[0] };
        (usize::from(is_second), values[0].max(values[1]) / values[0].min(values[1]))
    });
    let turn = turn(held, halves[1].retransmitted_segments == 0);
    let reason = match (turn, faster, held[0]) {
        (Turn::Same, Some((faster, _)), Held::Cause(cause)) => reason(cause, faster, halves),
        _ => None,
    };
    Contrast::Speed(Speed { measure, values, faster, held, turn, reason })
}

/// Whether two numbers differ by at most a tenth of the larger one.
fn is_alike([a, b]: [f64; 2]) -> bool {
    (a - b).abs() <= NOTEWORTHY_DIFFERENCE.get() * a.max(b)
}

fn turn(held: [Held; 2], has_no_loss: bool) -> Turn {
    let is_loss = matches!(held[0], Held::Cause(cause) if cause.family() == Some(Family::Loss));
    let is_lossless = is_loss && has_no_loss;
    match held {
        [Held::Nothing, Held::Nothing] => Turn::Neither,
        [Held::Nothing, _] => Turn::New,
        [_, Held::Nothing] => Turn::Gone { is_lossless },
        [a, b] if a.is_same(b) => Turn::Same,
        _ => Turn::Other { is_lossless },
    }
}

impl Held {
    /// Whether the same change would help with both. All consequences of a loss are loss, and forms of an
    /// application limit are not the same.
    pub fn is_same(self, other: Self) -> bool {
        match (self, other) {
            (Self::Cause(a), Self::Cause(b)) if a.family() == Some(Family::Application) => a == b,
            (Self::Cause(a), Self::Cause(b)) if a.detail == Some(Detail::Policer) => a == b,
            (Self::Cause(a), Self::Cause(b)) => {
                a.limit == b.limit || (a.family().is_some() && a.family() == b.family())
            }
            (a, b) => a == b,
        }
    }
}

/// Returns the number that differs most among those that make `faster` the faster one.
fn reason(cause: Cause, faster: usize, halves: [&HalfConnection; 2]) -> Option<Reason> {
    let both = |value: &dyn Fn(&HalfConnection) -> Option<u64>| Some([value(halves[0])?, value(halves[1])?]);
    let round_trips = both(&|half| half.rtt.as_ref().map(|(rtt, _)| rtt.median)).map(Reason::RoundTrip);
    let flights = both(&|half| half.flight.as_ref().map(|flight| flight.median)).map(Reason::Flight);
    let windows = both(&|half| half.receive_window.as_ref().map(|window| window.median)).map(Reason::Window);
    let repeats = halves.map(|half| half.retransmitted_bytes as f64 / half.bytes.max(1) as f64);
    let candidates = match cause.family()? {
        Family::SendBuffer | Family::CongestionWindow | Family::SlowStart => vec![flights, round_trips],
        Family::ReceiveWindow => vec![windows, round_trips],
        Family::Loss => vec![Some(Reason::Retransmitted(repeats)), round_trips],
        Family::Handshake | Family::AckDelay | Family::Application | Family::CloseWait | Family::Path => Vec::new(),
    };
    let gain = |reason: &Reason| reason.gain_of(faster);
    let noteworthy = |reason: &Reason| gain(reason) > 1.0 / (1.0 - NOTEWORTHY_DIFFERENCE.get());
    candidates.into_iter().flatten().filter(noteworthy).max_by(|a, b| gain(a).total_cmp(&gain(b)))
}

impl Reason {
    /// Returns the factor by which `faster` may send more because of this number.
    fn gain_of(self, faster: usize) -> f64 {
        let ratio = |values: [f64; 2]| if values[1 - faster] > 0.0 { values[faster] / values[1 - faster] } else { 0.0 };
        let inverse = |values: [f64; 2]| match values {
            values if values[faster] > 0.0 => values[1 - faster] / values[faster],
            values if values[1 - faster] > 0.0 => f64::INFINITY,
            _ => 0.0,
        };
        match self {
            Self::Flight(bytes) | Self::Window(bytes) => ratio(bytes.map(|bytes| bytes as f64)),
            Self::RoundTrip(nanos) => inverse(nanos.map(|nanos| nanos as f64)),
            Self::Retransmitted(shares) => inverse(shares),
        }
    }
}
