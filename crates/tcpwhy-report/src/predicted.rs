//! What changes would bring to a captured transfer, ready to be shown: data that text and JSON are made from.

use tcpwhy_model::{Cause, Endpoint, FitGrade, Limit};

/// What changes would bring to one direction of a connection.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicted {
    /// Number of the connection in the capture.
    pub connection: u64,
    /// Sender and receiver of the data.
    pub endpoints: [Endpoint; 2],
    /// Payload, bytes.
    pub bytes: u64,
    /// How long it took.
    pub seconds: f64,
    /// What held it back, by its verdict.
    pub cause: Option<Cause>,
    /// The rebuilt transfer without any change.
    pub rebuilt: Rebuilt,
    /// One for each change, in the order in which they were asked for.
    pub outlooks: Vec<PredictedChange>,
}

/// How well a rebuilt transfer behaves as the captured one did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rebuilt {
    /// Its duration without any change.
    pub seconds: f64,
    /// How near that comes: 1 is exact, 0.9 is a tenth off.
    pub closeness: f64,
    /// The same as a grade.
    pub grade: FitGrade,
    /// Simulated transfers that behave so.
    pub worlds: u32,
    /// Packets show how fast the path is; else it was drawn.
    pub is_rate_seen: bool,
}

/// What is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A fix, by its id.
    Fix(String),
    /// Values of the rebuilt scenario: keys and values as typed.
    Settings(Vec<(String, String)>),
    /// All fixes of the others.
    Together,
}

/// What a change would bring.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictedChange {
    /// What is changed.
    pub what: What,
    /// `None` where the changed transfer does not end.
    pub then: Option<Then>,
}

/// A duration that is expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Then {
    /// The middle, seconds.
    pub value: f64,
    /// The range, seconds.
    pub range: (f64, f64),
    /// What limits then.
    pub next_limit: Limit,
}
