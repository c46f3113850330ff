//! Fixes for losses: find the device on the path that drops packets, or relieve a saturated path.

use tcpwhy_model::{Cause, Fix, Prediction};

use super::facts::HalfFacts;
use super::prediction::if_removed;
use crate::infer::bottleneck::Bottleneck;

/// Fixes for losses, and their predicted gain. Within one host no path loses packets: the host drops them,
/// usually at the receiver. A saturated path drops packets at its own queue. No device is faulty there, and
/// fewer losses would not be faster. If a queue overflows and the path is not saturated afterwards, the queue
/// is too short. Otherwise the first fix is to find the place of the losses, then `besides`.
pub(super) fn for_losses(facts: &HalfFacts<'_>, cause: Cause, besides: Fix) -> (Vec<Fix>, Option<Prediction>) {
    if facts.is_within_host {
        return (vec![tcpwhy_advice::find_host_drops(), besides], if_removed(facts, cause));
    }
    if facts.half.is_path_full() {
        return (vec![tcpwhy_advice::raise_capacity(), tcpwhy_advice::fix_queue_aqm()], None);
    }
    let is_overflown = matches!(facts.half.bottleneck, Bottleneck::Overflown);
    let first = if is_overflown { tcpwhy_advice::lengthen_queue() } else { tcpwhy_advice::fix_loss() };
    (vec![first, besides], if_removed(facts, cause))
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Detail;

    use super::super::rules::testing::{summed_up, timeline, with_facts_of};
    use super::*;

    /// Without evidence of a saturated path, the devices on the path remain the first suspects.
    #[test]
    fn losses_of_a_full_path_are_nobodys_fault() {
        let cause = Cause::from(Detail::Fast);
        let first = |bottleneck| {
            let half = crate::infer::summary::Summary { bottleneck, ..summed_up(timeline(&[(10_000_000_000, cause)])) };
            with_facts_of(&half, cause, |facts| for_losses(facts, cause, tcpwhy_advice::use_bbr()))
        };
        for bottleneck in [Bottleneck::Full(1e6), Bottleneck::Held(1e6)] {
            let (fixes, prediction) = first(bottleneck);
            let ids: Vec<_> = fixes.iter().map(|fix| fix.id).collect();
            assert_eq!(ids, ["raise-capacity", "fix-queue-aqm"]);
            assert_eq!(prediction, None);
        }
        for bottleneck in [Bottleneck::Unknown, Bottleneck::Kept(1e6)] {
            let (fixes, prediction) = first(bottleneck);
            let ids: Vec<_> = fixes.iter().map(|fix| fix.id).collect();
            assert_eq!(ids, ["fix-loss", "use-bbr"]);
            assert!(prediction.is_some());
        }
        let half = summed_up(timeline(&[(10_000_000_000, cause)]));
        let (fixes, _) = with_facts_of(&half, cause, |facts| {
            for_losses(&HalfFacts { is_within_host: true, ..*facts }, cause, tcpwhy_advice::use_bbr())
        });
        assert_eq!(fixes[0].id, "find-host-drops");
        let (fixes, prediction) = first(Bottleneck::Overflown);
        let ids: Vec<_> = fixes.iter().map(|fix| fix.id).collect();
        assert_eq!(ids, ["lengthen-queue", "use-bbr"]);
        assert!(prediction.is_some());
    }
}
