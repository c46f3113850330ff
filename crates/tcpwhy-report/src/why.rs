//! The reason of an interval of the timeline, in words and as evidence.

use tcpwhy_analysis::{HalfConnection, Vantage};
use tcpwhy_model::{Basis, Evidence, Interval, Limit, Measure, Value, Why};

use crate::kebab::kebab;
use crate::{Args, Wording};

/// The numbers of an interval of `half`, strongest evidence first.
pub(crate) fn values(half: &HalfConnection, why: &Why) -> Vec<Evidence> {
    why.values()
        .map(|(measure, value)| Evidence {
            key: measure.key(),
            value: rounded(measure, value),
            basis: basis(measure, half.vantage),
        })
        .collect()
}

/// Rounds a value: further digits are artefacts of single precision and of means.
fn rounded(measure: Measure, value: f64) -> Value {
    match measure {
        Measure::RoomUnused | Measure::Unreleased => Value::Real((value * 1e3).round() / 1e3),
        Measure::RoundTrip | Measure::RoundTripMin | Measure::QueueDelay | Measure::Period | Measure::Wait => {
            Value::Real((value * 10.0).round() / 10.0)
        }
        _ => Value::Integer(value.round() as i64),
    }
}

/// Packets contain the windows, and bytes in flight are exact in a capture at the sender; all else is
/// inferred.
fn basis(measure: Measure, vantage: Vantage) -> Basis {
    match (measure, vantage) {
        (Measure::Capacity | Measure::PolicedRate | Measure::PolicedBurst, _) => Basis::WireInferred,
        (Measure::Window, _) | (_, Vantage::Sender) => Basis::WireExact,
        _ => Basis::WireInferred,
    }
}

impl Wording<'_> {
    /// The reason of an interval, as one sentence; `None` if it was not kept.
    pub fn why(self, interval: &Interval) -> Option<String> {
        let id = format!("why-{}", kebab(interval.why?.reason.id()));
        let args = Args::new().text("length", self.units().nanos(interval.span.nanos()));
        Some(self.catalogue().text(&id, &args))
    }

    /// The reason for `other`, if the packets also allow it.
    pub fn alternative(self, other: Limit) -> String {
        self.catalogue().word(&format!("alternative-{}", kebab(other.id())))
    }
}
