//! What decided an interval of the timeline, in words and as evidence.

use tcpwhy_analysis::{HalfConnection, Vantage};
use tcpwhy_model::{Basis, Evidence, Interval, Limit, Measure, Value, Why};

use crate::kebab::kebab;
use crate::{Args, Wording};

/// The numbers of an interval of `half`, most telling first.
pub(crate) fn values(half: &HalfConnection, why: &Why) -> Vec<Evidence> {
    why.values()
        .map(|(measure, value)| Evidence {
            key: measure.key(),
            value: rounded(measure, value),
            basis: basis(measure, half.vantage),
        })
        .collect()
}

/// Digits beyond these are an artefact of single precision, and of means.
fn rounded(measure: Measure, value: f64) -> Value {
    match measure {
        Measure::RoomUnused | Measure::Unreleased => Value::Real((value * 1e3).round() / 1e3),
        Measure::RoundTrip | Measure::RoundTripMin | Measure::QueueDelay | Measure::Period | Measure::Wait => {
            Value::Real((value * 10.0).round() / 10.0)
        }
        _ => Value::Integer(value.round() as i64),
    }
}

/// Windows stand in the packets, and what a sender had in flight is exact where it was captured; all else is concluded.
fn basis(measure: Measure, vantage: Vantage) -> Basis {
    match (measure, vantage) {
        (Measure::Capacity | Measure::PolicedRate | Measure::PolicedBurst, _) => Basis::WireInferred,
        (Measure::Window, _) | (_, Vantage::Sender) => Basis::WireExact,
        _ => Basis::WireInferred,
    }
}

impl Wording<'_> {
    /// What decided an interval, as one sentence; `None` if that was not kept.
    pub fn why(self, interval: &Interval) -> Option<String> {
        let id = format!("why-{}", kebab(interval.why?.reason.id()));
        let args = Args::new().text("length", self.units().nanos(interval.span.nanos()));
        Some(self.catalogue().text(&id, &args))
    }

    /// What speaks for `other` where the packets would allow it as well.
    pub fn alternative(self, other: Limit) -> String {
        self.catalogue().word(&format!("alternative-{}", kebab(other.id())))
    }
}
