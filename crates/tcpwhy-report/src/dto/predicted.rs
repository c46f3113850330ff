//! The document that `tcpwhy predict --json` writes.

use serde::Serialize;

use super::limit_share::detail_id;
use super::{Id, SCHEMA, Tool, rounded};
use crate::predicted::{self, What};

/// The document that `tcpwhy predict --json` writes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct PredictDocument {
    /// Always `tcpwhy/1`.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = SCHEMA)))]
    pub(crate) schema: String,
    /// Program that wrote the document.
    pub(crate) tool: Tool,
    /// Number of the connection in the capture.
    pub(crate) connection: u64,
    /// Sender of the data.
    pub(crate) sender: String,
    /// Receiver of the data.
    pub(crate) receiver: String,
    /// Payload.
    pub(crate) bytes: u64,
    /// Seconds that the transfer took.
    pub(crate) duration_s: f64,
    /// Limit id of its verdict; null if nothing limited it.
    pub(crate) limit: Option<Id>,
    /// Detail id; null if the limit has no details.
    pub(crate) detail: Option<Id>,
    /// Quality of the match between the rebuilt transfer and the captured one.
    pub(crate) fit: PredictFit,
    /// One entry per change, in the order in which they were asked for.
    pub(crate) predictions: Vec<PredictedChange>,
}

/// Quality of the match between a rebuilt transfer and the captured one.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct PredictFit {
    /// Duration of the rebuilt transfer without any change.
    pub(crate) as_it_was_s: f64,
    /// Match of their durations: 1 is exact, 0.9 is 10 % off.
    pub(crate) closeness: f64,
    /// Quality as a word: `good` is within 5 %, `fair` within 15 %, `poor` further off.
    pub(crate) grade: Id,
    /// Number of simulated transfers that match.
    pub(crate) worlds: u32,
    /// Whether packets show the rate of the path; otherwise rates were drawn at random.
    pub(crate) is_path_rate_seen: bool,
}

/// Expected gain of a change.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct PredictedChange {
    /// Id of the fix; null for settings, and for all fixes together.
    pub(crate) fix: Option<String>,
    /// Values that were set; empty for fixes.
    pub(crate) settings: Vec<PredictSetting>,
    /// Whether this applies all fixes of the other predictions at once.
    pub(crate) is_together: bool,
    /// Duration with the change; null if the changed transfer does not end.
    pub(crate) seconds: Option<PredictedSeconds>,
    /// Limit id of the limit that applies then; null if the transfer does not end.
    pub(crate) next_limit: Option<Id>,
}

/// A value that was set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct PredictSetting {
    /// Key as typed.
    pub(crate) key: String,
    /// Value as typed.
    pub(crate) value: String,
}

/// A duration with its range.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct PredictedSeconds {
    /// Lower end.
    pub(crate) low: f64,
    /// Median of the simulated transfers.
    pub(crate) value: f64,
    /// Upper end.
    pub(crate) high: f64,
}

impl PredictDocument {
    /// The document with these predictions.
    pub fn new(predicted: &predicted::Predicted) -> Self {
        let [sender, receiver] = &predicted.endpoints;
        let rebuilt = predicted.rebuilt;
        Self {
            schema: SCHEMA.into(),
            tool: Tool::this(),
            connection: predicted.connection,
            sender: sender.to_string(),
            receiver: receiver.to_string(),
            bytes: predicted.bytes,
            duration_s: predicted.seconds,
            limit: predicted.cause.map(|cause| cause.limit.id().into()),
            detail: predicted.cause.and_then(detail_id),
            fit: PredictFit {
                as_it_was_s: rebuilt.seconds,
                closeness: rounded(rebuilt.closeness),
                grade: rebuilt.grade.id().into(),
                worlds: rebuilt.worlds,
                is_path_rate_seen: rebuilt.is_rate_seen,
            },
            predictions: predicted.outlooks.iter().map(PredictedChange::from).collect(),
        }
    }
}

impl From<&predicted::PredictedChange> for PredictedChange {
    fn from(change: &predicted::PredictedChange) -> Self {
        let settings = match &change.what {
            What::Settings(settings) => settings.as_slice(),
            What::Fix(_) | What::Together => &[],
        };
        let setting = |(key, value): &(String, String)| PredictSetting { key: key.clone(), value: value.clone() };
        Self {
            fix: if let What::Fix(id) = &change.what { Some(id.clone()) } else { None },
            settings: settings.iter().map(setting).collect(),
            is_together: change.what == What::Together,
            seconds: change.then.map(|then| PredictedSeconds {
                low: then.range.0,
                value: then.value,
                high: then.range.1,
            }),
            next_limit: change.then.map(|then| then.next_limit.id().into()),
        }
    }
}
