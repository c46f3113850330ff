//! What `tcpwhy predict --json` writes.

use serde::Serialize;

use super::limit_share::detail_id;
use super::{Id, SCHEMA, Tool, rounded};
use crate::predicted::{self, What};

/// What `tcpwhy predict --json` writes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct PredictDocument {
    /// Always `tcpwhy/1`.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = SCHEMA)))]
    pub(crate) schema: String,
    /// Who wrote it.
    pub(crate) tool: Tool,
    /// Number of the connection in the capture.
    pub(crate) connection: u64,
    /// Who sent the data.
    pub(crate) sender: String,
    /// Who received it.
    pub(crate) receiver: String,
    /// Payload.
    pub(crate) bytes: u64,
    /// How long it took.
    pub(crate) duration_s: f64,
    /// Limit id of its verdict; null when nothing held it back.
    pub(crate) limit: Option<Id>,
    /// Detail id; null when the limit has one form.
    pub(crate) detail: Option<Id>,
    /// How well the rebuilt transfer behaves as the captured one did.
    pub(crate) fit: PredictFit,
    /// One for each change, in the order in which they were asked for.
    pub(crate) predictions: Vec<PredictedChange>,
}

/// How well a rebuilt transfer behaves as the captured one did.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct PredictFit {
    /// Its duration without any change.
    pub(crate) as_it_was_s: f64,
    /// How near that comes: 1 is exact, 0.9 is a tenth off.
    pub(crate) closeness: f64,
    /// The same in one word: `good` is within 5 %, `fair` within 15 %, `poor` further off.
    pub(crate) grade: Id,
    /// Simulated transfers that behave so.
    pub(crate) worlds: u32,
    /// Packets show how fast the path is; else rates were drawn.
    pub(crate) is_path_rate_seen: bool,
}

/// What a change would bring.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct PredictedChange {
    /// Id of the fix; null for settings, and for all fixes together.
    pub(crate) fix: Option<String>,
    /// What was set; empty for fixes.
    pub(crate) settings: Vec<PredictSetting>,
    /// All fixes of the other predictions at once.
    pub(crate) is_together: bool,
    /// The duration then; null where the changed transfer does not end.
    pub(crate) seconds: Option<PredictedSeconds>,
    /// Limit id of what limits then; null where it does not end.
    pub(crate) next_limit: Option<Id>,
}

/// A value that was set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct PredictSetting {
    /// As typed.
    pub(crate) key: String,
    /// As typed.
    pub(crate) value: String,
}

/// A duration with its range.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct PredictedSeconds {
    /// Lower end.
    pub(crate) low: f64,
    /// The middle of the simulated transfers.
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
