//! Expected gains of changes for a captured transfer: the data that text and JSON are made from.

use tcpwhy_model::{Cause, Endpoint, FitGrade, Limit};

/// The expected gains of changes for one direction of a connection.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicted {
    /// Number of the connection in the capture.
    pub connection: u64,
    /// Sender and receiver of the data.
    pub endpoints: [Endpoint; 2],
    /// Payload, bytes.
    pub bytes: u64,
    /// Seconds that it took.
    pub seconds: f64,
    /// Cause of its verdict; `None` if nothing limited it.
    pub cause: Option<Cause>,
    /// The rebuilt transfer without any change.
    pub rebuilt: Rebuilt,
    /// One entry per change, in the order in which they were asked for.
    pub outlooks: Vec<PredictedChange>,
}

/// The match between a rebuilt transfer and the captured one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rebuilt {
    /// Its duration without any change, seconds.
    pub seconds: f64,
    /// Match of the durations: 1 is exact, 0.9 is 10 % off.
    pub closeness: f64,
    /// Quality of the match as a grade.
    pub grade: FitGrade,
    /// Number of simulated transfers that match.
    pub worlds: u32,
    /// Whether packets show the rate of the path; otherwise rates were drawn at random.
    pub is_rate_seen: bool,
}

/// The change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A fix, by its id.
    Fix(String),
    /// Values of the rebuilt scenario: keys and values as typed.
    Settings(Vec<(String, String)>),
    /// All fixes of the other entries together.
    Together,
}

/// The expected gain of a change.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictedChange {
    /// The change.
    pub what: What,
    /// Expected duration; `None` if the changed transfer does not end.
    pub then: Option<Then>,
}

/// An expected duration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Then {
    /// Median, seconds.
    pub value: f64,
    /// The range, seconds.
    pub range: (f64, f64),
    /// Limit that applies then.
    pub next_limit: Limit,
}
