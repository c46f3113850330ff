//! Tests that each hypothesis about slots holds under its conditions, and that it gives no label or another
//! one if one of them fails.

use tcpwhy_model::WindowScale;

use super::super::conditions::testing::{Scene, forcing};
use super::super::hypotheses::slot::SLOT;
use super::super::hypotheses::testing::table::{CASES, Case};
use super::{described, plain};
use crate::facts::slot::Slot;

impl Case {
    /// Label of the hypothesis under these conditions.
    fn label(&self, conditions: &[(&'static str, bool)], change: fn(&mut Scene)) -> Option<String> {
        let mut scene = plain();
        (self.scene)(&mut scene);
        change(&mut scene);
        let judge = SLOT.iter().find(|judge| judge.name() == self.hypothesis).unwrap();
        forcing(conditions, || scene.ask(|evidence| judge.judge(evidence).as_ref().map(described)))
    }
}

#[test]
fn hypotheses_hold_where_their_conditions_do() {
    for case in CASES {
        let label = case.label(case.conditions, |_| ());
        assert_eq!(label.as_deref(), Some(case.expected), "{} where {:?}", case.hypothesis, case.conditions);
        for other in 0..case.conditions.len() {
            let mut conditions = case.conditions.to_vec();
            conditions[other].1 = !conditions[other].1;
            let label = case.label(&conditions, |_| ());
            let differs = label.as_deref() != Some(case.expected);
            assert!(differs, "{} must not be the label where {:?}", case.expected, conditions[other]);
        }
        for (what, change) in case.unless {
            let label = case.label(case.conditions, *change);
            assert_ne!(label.as_deref(), Some(case.expected), "{} must not be the label with {what}", case.hypothesis);
        }
    }
}

#[test]
fn each_hypothesis_is_held() {
    let mut held: Vec<_> = CASES.iter().map(|case| case.hypothesis).collect();
    held.dedup();
    let mut asked: Vec<_> = SLOT.iter().map(|judge| judge.name()).collect();
    held.sort_unstable();
    asked.sort_unstable();
    assert_eq!(held, asked);
}

/// Conditions of both cases, unless they contradict each other.
fn both(one: &Case, other: &Case) -> Option<Vec<(&'static str, bool)>> {
    let contradicts = |&&(name, is): &&(&str, bool)| other.conditions.contains(&(name, !is));
    let is_contradicted = one.conditions.iter().any(|condition| contradicts(&condition));
    (!is_contradicted).then(|| one.conditions.iter().chain(other.conditions).copied().collect())
}

/// Decision about a slot in which both cases hold, by these two hypotheses alone, in the order of the list.
fn decided(one: &Case, other: &Case) -> Option<String> {
    let conditions = both(one, other)?;
    let mut scene = plain();
    (one.scene)(&mut scene);
    (other.scene)(&mut scene);
    forcing(&conditions, || {
        scene.ask(|evidence| {
            let judges = [one, other].map(|case| SLOT.iter().find(|judge| judge.name() == case.hypothesis));
            let label = judges.map(|judge| judge.unwrap().judge(evidence).as_ref().map(described));
            let is_contested = label == [Some(one.expected.to_owned()), Some(other.expected.to_owned())];
            let names = [one.hypothesis, other.hypothesis];
            let mut asked = SLOT.iter().filter(|judge| names.contains(&judge.name()));
            is_contested.then(|| asked.find_map(|judge| judge.judge(evidence)).as_ref().map(described)).flatten()
        })
    })
}

/// Adjacent hypotheses that never hold at once, so that their order has no effect, and the reason.
const APART: &[([&str; 2], &str)] = &[
    (["pacer_at_its_estimate", "pacer_never_probes"], "a pacer probes or does not"),
    (["mostly_unreleased", "queue_served_evenly"], "the first needs an uneven pace, the second an even one"),
    (["less_in_rhythm", "buffer_under_pacer"], "the second alone is of a pacer"),
    (["buffer_under_pacer", "path_left_idle"], "the first alone is of a pacer"),
];

#[test]
fn of_two_that_hold_the_more_special_decides() {
    let mut apart = Vec::new();
    for (place, one) in CASES.iter().enumerate() {
        for other in CASES[place + 1..].iter().filter(|other| other.hypothesis != one.hypothesis) {
            if let Some(decided) = decided(one, other) {
                assert_eq!(decided, one.expected, "and not {}, where both hold", other.expected);
            }
        }
    }
    for neighbours in SLOT.windows(2) {
        let names = [neighbours[0].name(), neighbours[1].name()];
        let of = |name| CASES.iter().filter(move |case| case.hypothesis == name);
        if !of(names[0]).any(|one| of(names[1]).any(|other| decided(one, other).is_some())) {
            apart.push(names);
        }
    }
    let expected: Vec<_> = APART.iter().map(|(names, _)| *names).collect();
    assert_eq!(apart, expected, "neighbours whose order has no effect");
}

/// Form of a full window.
fn form(change: impl Fn(&mut Scene)) -> String {
    let mut scene = plain();
    change(&mut scene);
    let judge = SLOT.iter().find(|judge| judge.name() == "between_closings").unwrap();
    let conditions = [("is_window_bound", true), ("is_window_shrinking", scene.has_reduction)];
    let decision = forcing(&conditions, || scene.ask(|evidence| judge.judge(evidence)));
    described(&decision.unwrap())
}

#[test]
fn a_full_window_has_a_form() {
    const SMALL: &str = "receive_window/small_buffer, window_small, 0.85";
    const ZERO: &str = "receive_window/zero_window, window_zero, 0.95";
    const UNSCALED: &str = "receive_window/no_window_scale, window_unscaled, 0.9";
    const RAMP: &str = "receive_window/ramp, window_grows, 0.8";
    const CAPPED: &str = "receive_window/capped, window_capped, 0.7";
    assert_eq!(form(|_| ()), SMALL, "a constant window of 1 MB");
    assert_eq!(form(|s| s.has_zero_window = true), ZERO);
    let unscaled = |window_max| {
        form(|s| (s.context.window_scale, s.context.window_max) = (WindowScale::NotNegotiated, window_max))
    };
    assert_eq!(unscaled(32_769), UNSCALED, "more than half of 16 bits");
    assert_eq!(unscaled(32_768), SMALL, "half of 16 bits");
    assert_eq!(form(|s| s.context.window_max = 65_535), SMALL, "65,535 bytes with a scale");
    let growing = |from: u64, to: u64, widest: u64| {
        form(|s| {
            let mut before = Slot::default();
            before.note_window(from);
            let mut now = Slot::default();
            now.note_window(to);
            (s.slots, s.at, s.window_before) = (vec![before, now], 1, widest);
        })
    };
    assert_eq!(growing(100_000, 125_001, 0), RAMP, "more than a quarter larger");
    assert_eq!(growing(100_000, 125_000, 0), SMALL, "a quarter larger");
    assert_eq!(growing(100_000, 160_000, 200_000), RAMP, "eight tenths of the widest");
    assert_eq!(growing(100_000, 160_000, 200_001), SMALL, "less than eight tenths");
    let capped = |first, max| form(|s| (s.context.window_first, s.context.window_max) = (first, max));
    assert_eq!(capped(375_000, 1_500_000), CAPPED, "1.5 MB, four times the first");
    assert_eq!(capped(375_001, 1_500_000), SMALL, "less than four times the first");
    assert_eq!(capped(65_535, 1_499_999), SMALL, "less than 1.5 MB");
}

/// The more specific form is reported.
#[test]
fn forms_are_asked_in_their_order() {
    let all = |change: fn(&mut Scene)| {
        form(|s| {
            let mut before = Slot::default();
            before.note_window(100_000);
            let mut now = Slot::default();
            now.note_window(200_000);
            (now.has_zero_window, now.has_reduction) = (true, true);
            (s.slots, s.at) = (vec![before, now], 1);
            (s.context.window_first, s.context.window_max) = (65_535, 2_000_000);
            s.context.window_scale = WindowScale::NotNegotiated;
            change(s);
        })
    };
    assert_eq!(all(|_| ()), "receive_window/zero_window, window_zero, 0.95");
    assert_eq!(all(|s| s.has_zero_window = false), "receive_window/slow_reader, window_shrinks, 0.85");
    let no_reader = |s: &mut Scene| (s.has_zero_window, s.has_reduction) = (false, false);
    assert_eq!(all(no_reader), "receive_window/no_window_scale, window_unscaled, 0.9");
    let scaled = |s: &mut Scene| {
        (s.has_zero_window, s.has_reduction) = (false, false);
        s.context.window_scale = WindowScale::Shift(7);
    };
    assert_eq!(all(scaled), "receive_window/ramp, window_grows, 0.8");
    let constant = |s: &mut Scene| {
        (s.has_zero_window, s.has_reduction) = (false, false);
        s.context.window_scale = WindowScale::Shift(7);
        s.slots[0].note_window(200_000);
    };
    assert_eq!(all(constant), "receive_window/capped, window_capped, 0.7");
}
