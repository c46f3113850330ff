//! `--fail-on`: compares limits with thresholds, and sets the exit status.

use std::cmp::Ordering;

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_inputs::Origin;
use tcpwhy_model::{Endpoint, Limit};
use tcpwhy_report::{Args, Wording};

use crate::exit::{EXIT_ERROR, EXIT_GATE, ExitStatus};
use crate::message;
use crate::predicate::{Excess, Gate};

/// The result of all `--fail-on` of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GateResult {
    /// There was no `--fail-on`.
    NotAsked,
    /// Every measured share is below its threshold.
    Passed,
    /// A share is at or over its threshold.
    Tripped,
    /// No limit was measured in the run, or none in a file that the user named.
    NothingMeasured,
}

impl GateResult {
    /// The exit status. A gate trips even if another source failed, but it passes only if all sources were
    /// read.
    pub(crate) fn exit_status(self, has_failed: bool) -> ExitStatus {
        match (self, has_failed) {
            (Self::Tripped, _) => ExitStatus::from(EXIT_GATE),
            (Self::NothingMeasured, _) | (_, true) => ExitStatus::from(EXIT_ERROR),
            (Self::NotAsked | Self::Passed, false) => ExitStatus::SUCCESS,
        }
    }
}

/// `--fail-on LIMIT[:SHARE]` over the connections of a run, in any order.
pub(crate) struct LimitGates<'a> {
    gates: Vec<Judged<'a>>,
    /// Whether some direction had time with a known limit.
    has_measured: bool,
    /// The same for the present capture.
    has_measured_here: bool,
    unmeasured: Unmeasured,
}

/// Captures without any measured limit.
#[derive(Debug, Default)]
struct Unmeasured {
    /// The first one's name.
    first: Option<String>,
    /// Number of these captures.
    count: u64,
    /// Whether the user named one of them.
    is_named: bool,
}

/// A gate and the connections that tripped it.
struct Judged<'a> {
    gate: &'a Gate,
    /// Connections at or over it.
    connections: u64,
    worst: Option<Trip>,
}

/// A direction at or over a gate.
struct Trip {
    excess: Excess,
    /// Number of its capture, and of its first packet.
    place: (u64, u64),
    capture: Option<String>,
    ends: [Endpoint; 2],
}

impl Trip {
    fn share(&self) -> f64 {
        if self.excess.total > 0 { self.excess.nanos as f64 / self.excess.total as f64 } else { 0.0 }
    }

    /// The order of trips: the largest share, then the first place, because connections arrive in no fixed
    /// order.
    fn order(&self, other: &Self) -> Ordering {
        self.share().total_cmp(&other.share()).then(other.place.cmp(&self.place))
    }
}

impl<'a> LimitGates<'a> {
    pub(crate) fn new(gates: &'a [Gate]) -> Self {
        let judged = |gate| Judged { gate, connections: 0, worst: None };
        Self {
            gates: gates.iter().map(judged).collect(),
            has_measured: false,
            has_measured_here: false,
            unmeasured: Unmeasured::default(),
        }
    }

    /// Whether there is none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.gates.is_empty()
    }

    /// Compares a connection with the gates, as it is shown. `capture` has its number and its name.
    pub(crate) fn observe(&mut self, connection: &Connection, capture: Option<(u64, &str)>) {
        if self.is_empty() {
            return;
        }
        self.has_measured_here |= connection.halves.iter().any(is_measured);
        self.has_measured |= self.has_measured_here;
        for judged in &mut self.gates {
            let trip = |half: &HalfConnection| {
                let excess = judged.gate.excess(half)?;
                let ends = [half.sender, half.sender.peer()].map(|side| connection.endpoints[side.index()]);
                let place = (capture.map_or(0, |capture| capture.0), connection.first_packet);
                Some(Trip { excess, place, capture: capture.map(|capture| capture.1.to_owned()), ends })
            };
            let Some(trip) = connection.halves.iter().filter_map(trip).max_by(Trip::order) else { continue };
            judged.connections += 1;
            if judged.worst.as_ref().is_none_or(|worst| worst.order(&trip).is_lt()) {
                judged.worst = Some(trip);
            }
        }
    }

    /// Ends a capture that was read completely and without a filter.
    pub(crate) fn end_capture(&mut self, name: &str, origin: Origin) {
        if !std::mem::take(&mut self.has_measured_here) && !self.is_empty() {
            let unmeasured = &mut self.unmeasured;
            unmeasured.first.get_or_insert_with(|| name.to_owned());
            unmeasured.count += 1;
            unmeasured.is_named |= origin == Origin::Named;
        }
    }

    /// Ends a capture whose connections were filtered.
    pub(crate) const fn end_filtered_capture(&mut self) {
        self.has_measured_here = false;
    }

    /// Returns the result, and prints the connections that tripped each gate or the captures without a
    /// measured limit.
    pub(crate) fn conclude(&self, wording: Wording<'_>) -> GateResult {
        let mut result = match (self.is_empty(), self.has_measured) {
            (true, _) => GateResult::NotAsked,
            // A named file without any measured limit does not pass a gate.
            (false, true) if self.unmeasured.is_named => GateResult::NothingMeasured,
            (false, true) => GateResult::Passed,
            (false, false) => GateResult::NothingMeasured,
        };
        for judged in &self.gates {
            if let Some(worst) = &judged.worst {
                result = GateResult::Tripped;
                message::say(judged.sentence(worst, wording));
            }
        }
        if !self.has_measured && result == GateResult::NothingMeasured {
            message::say(wording.catalogue().word("gate-nothing-measured"));
        } else if let Some(first) = &self.unmeasured.first {
            let args = Args::new().text("name", wording.capture_name(first)).number("more", self.unmeasured.count - 1);
            message::say(wording.catalogue().text("gate-capture-not-measured", &args));
        }
        result
    }
}

impl Judged<'_> {
    fn sentence(&self, worst: &Trip, wording: Wording<'_>) -> String {
        let (catalogue, units) = (wording.catalogue(), wording.units());
        let [from, to] = &worst.ends;
        let ends = format!("{from} → {to}");
        let place = match &worst.capture {
            Some(capture) => format!("{}: {ends}", wording.capture_name(capture)),
            None => ends,
        };
        let args = Args::new()
            .text("gate", self.gate.to_string())
            .text("place", place)
            .text("limit", wording.cause(worst.excess.limit))
            .text("time", units.seconds(worst.excess.nanos as f64 / 1e9))
            .text("total", units.seconds(worst.excess.total as f64 / 1e9))
            .text("share", units.share(worst.share()))
            .number("more", self.connections - 1);
        catalogue.text(if self.gate.is_of_verdicts() { "gate-verdict" } else { "gate-share" }, &args)
    }
}

/// Whether some of its time has a known limit.
fn is_measured(half: &HalfConnection) -> bool {
    half.limits.sum(|cause| cause.limit != Limit::Unobserved).0 > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tripped_is_certain_and_what_passed_needs_everything() {
        let statuses = |result: GateResult| [false, true].map(|has_failed| result.exit_status(has_failed));
        let [success, gate, error] = [0, EXIT_GATE, EXIT_ERROR].map(ExitStatus::from);
        assert_eq!(statuses(GateResult::Tripped), [gate, gate]);
        assert_eq!(statuses(GateResult::NothingMeasured), [error, error]);
        assert_eq!(statuses(GateResult::Passed), [success, error]);
        assert_eq!(statuses(GateResult::NotAsked), [success, error]);
    }

    #[test]
    fn without_a_connection_nothing_is_measured() {
        let catalogue = tcpwhy_report::Catalogue::new(tcpwhy_report::Language::English);
        let gates = ["send_buffer:20%".parse().unwrap()];
        assert_eq!(LimitGates::new(&gates).conclude(Wording::new(&catalogue)), GateResult::NothingMeasured);
        assert_eq!(LimitGates::new(&[]).conclude(Wording::new(&catalogue)), GateResult::NotAsked);
    }

    #[test]
    fn a_named_file_without_a_connection_is_not_below_a_gate() {
        let catalogue = tcpwhy_report::Catalogue::new(tcpwhy_report::Language::English);
        let gates = ["send_buffer:20%".parse().unwrap()];
        let result = |ended: &[(bool, Origin)]| {
            let mut all = LimitGates::new(&gates);
            for &(has_measured, origin) in ended {
                (all.has_measured, all.has_measured_here) = (all.has_measured || has_measured, has_measured);
                all.end_capture("a", origin);
            }
            all.conclude(Wording::new(&catalogue))
        };
        let (named, found) = (Origin::Named, Origin::Found);
        assert_eq!(result(&[(true, named), (true, found)]), GateResult::Passed);
        assert_eq!(result(&[(true, named), (false, named)]), GateResult::NothingMeasured);
        assert_eq!(result(&[(true, named), (false, found)]), GateResult::Passed);
        assert_eq!(result(&[(false, found)]), GateResult::NothingMeasured);
        let mut filtered = LimitGates::new(&gates);
        filtered.has_measured = true;
        filtered.end_filtered_capture();
        assert_eq!(filtered.conclude(Wording::new(&catalogue)), GateResult::Passed);
    }
}
