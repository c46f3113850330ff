//! Helpers for tests of conditions: slots built by hand, terms tested at their boundaries, and conditions
//! forced to be true or false.

mod forced;

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

use super::{Context, Evidence, SinceLoss, View};
use crate::facts::slot::Slot;

thread_local! {
    static FORCED: RefCell<Vec<(&'static str, bool)>> = const { RefCell::new(Vec::new()) };
}

/// Forced value of the condition `name`, if there is one.
pub(super) fn forced(name: &str) -> Option<bool> {
    FORCED.with_borrow(|forced| forced.iter().find(|(condition, _)| *condition == name).map(|&(_, is)| is))
}

/// Result of `ask` while these conditions have the given values.
pub(in crate::infer) fn forcing<T>(conditions: &[(&'static str, bool)], ask: impl FnOnce() -> T) -> T {
    FORCED.set(conditions.to_vec());
    let found = ask();
    FORCED.set(Vec::new());
    found
}

/// Some slots, one of which is under test. The scene dereferences to that one.
#[derive(Clone, Debug)]
pub(in crate::infer) struct Scene {
    pub(in crate::infer) context: Context,
    pub(in crate::infer) slots: Vec<Slot>,
    /// Index of the slot under test.
    pub(in crate::infer) at: usize,
    /// Most bytes in flight before these slots.
    pub(in crate::infer) peak_before: u64,
    since_loss: Option<SinceLoss>,
    /// Largest window offered before these slots, bytes.
    pub(in crate::infer) window_before: u64,
    /// Highest [`Slot::carried`] before these slots.
    pub(in crate::infer) carried_before: f64,
    pub(in crate::infer) is_from_start: bool,
}

impl Deref for Scene {
    type Target = Slot;

    fn deref(&self) -> &Slot {
        &self.slots[self.at]
    }
}

impl DerefMut for Scene {
    fn deref_mut(&mut self) -> &mut Slot {
        &mut self.slots[self.at]
    }
}

impl Scene {
    /// `count` slots of `nanos` nanoseconds, filled by `fill`. The slot at index `at` is under test.
    pub(in crate::infer) fn of(count: usize, at: usize, nanos: i64, fill: impl Fn(usize, &mut Slot)) -> Self {
        let slot = |place: usize| {
            let start = place as i64 * nanos;
            let mut slot = Slot::default();
            (slot.start, slot.end) = (start, start + nanos);
            fill(place, &mut slot);
            slot
        };
        Self {
            context: Context { mss: 1448, has_sender_order: true, ..Context::default() },
            slots: (0..count).map(slot).collect(),
            at,
            peak_before: 0,
            since_loss: None,
            window_before: 0,
            carried_before: 0.0,
            is_from_start: false,
        }
    }

    /// One slot of 100 ms.
    pub(in crate::infer) fn one(fill: impl Fn(&mut Slot)) -> Self {
        Self::of(1, 0, 100_000_000, |_, slot| fill(slot))
    }

    /// Puts a slot with a retransmission before the scene.
    pub(in crate::infer) fn after_loss(&mut self) {
        self.after(|slot| slot.retransmissions = 1);
    }

    /// Puts a slot in which the sender answered a mark before the scene.
    pub(in crate::infer) fn after_mark(&mut self) {
        self.after(|slot| slot.has_reduction = true);
    }

    fn after(&mut self, cut: impl Fn(&mut Slot)) {
        let mut slot = Slot::default();
        cut(&mut slot);
        self.since_loss = SinceLoss::after(self.since_loss, &slot);
    }

    /// Changes all slots in the same way.
    pub(in crate::infer) fn each(&mut self, change: impl Fn(&mut Slot)) {
        self.slots.iter_mut().for_each(change);
    }

    /// Result of `ask` for the slot under test.
    pub(in crate::infer) fn ask<T>(&self, ask: impl FnOnce(&Evidence<'_>) -> T) -> T {
        self.with_view(|view| ask(&Evidence::new(view, self.at, &self.context)))
    }

    /// Result of `ask` for all slots.
    pub(in crate::infer) fn with_view<T>(&self, ask: impl FnOnce(&View<'_>) -> T) -> T {
        let (mut peak, mut since) = (self.peak_before, self.since_loss);
        let (mut peaks_before, mut since_loss) = (vec![peak], vec![since]);
        for slot in &self.slots {
            since = SinceLoss::after(since, slot);
            peak =
                if slot.retransmissions > 0 || slot.is_mostly_certain() { 0 } else { peak.max(slot.peak_flight.get()) };
            peaks_before.push(peak);
            since_loss.push(since);
        }
        ask(&View {
            slots: &self.slots,
            peaks_before: &peaks_before,
            since_loss: &since_loss,
            window_before: self.window_before,
            carried_before: self.carried_before,
            is_from_start: self.is_from_start,
        })
    }
}

/// A change of a scene, and the expected value of the condition.
pub(super) struct Term {
    what: &'static str,
    expected: bool,
    change: fn(&mut Scene),
}

/// A term after whose change the condition holds.
pub(super) fn yes(what: &'static str, change: fn(&mut Scene)) -> Term {
    Term { what, expected: true, change }
}

/// A term after whose change the condition does not hold.
pub(super) fn no(what: &'static str, change: fn(&mut Scene)) -> Term {
    Term { what, expected: false, change }
}

/// Tests that each of `terms` decides the condition `name` in `scene`.
pub(super) fn hold_terms(name: &str, ask: fn(&Evidence<'_>) -> bool, scene: &Scene, terms: &[Term]) {
    let mut wrong = Vec::new();
    for Term { what, expected, change } in terms {
        let mut scene = scene.clone();
        change(&mut scene);
        if scene.ask(ask) != *expected {
            wrong.push(format!("{what}: expected {}", if *expected { "yes" } else { "no" }));
        }
    }
    assert!(wrong.is_empty(), "{name} with {}", wrong.join("; "));
}

/// Tests that each term of a condition decides, at its boundary and just beyond.
macro_rules! hold {
    ($condition:ident, $scene:expr, [$($term:expr),* $(,)?] $(,)?) => {
        $crate::infer::conditions::testing::hold_terms(
            stringify!($condition),
            |evidence| evidence.$condition(),
            $scene,
            &[$($term),*],
        )
    };
}

/// Value of a condition in a scene.
macro_rules! asked {
    ($condition:ident, $scene:expr) => {
        $scene.ask(|evidence| evidence.$condition())
    };
}

pub(super) use {asked, hold};
