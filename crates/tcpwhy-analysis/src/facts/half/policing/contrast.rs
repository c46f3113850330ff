//! Difference between losses and packets that passed.

use crate::thresholds::{EVIDENCE, EVIDENCE_ON_A_LINE, EVIDENCE_PER_LOSS, FITTING_LOSSES};

/// Shares of losses and of passed packets with a property that only a policer makes different.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contrast {
    /// Share of losses that fit a policer, and share of passed packets that would fit too.
    pub(super) fitting: f64,
    pub(super) fitting_passes: f64,
    /// Negative logarithm (natural) of the likelihood of such a difference by chance, per loss and for all
    /// losses.
    a_loss: f64,
    pub(super) evidence: f64,
}

impl Contrast {
    /// Shares are limited to these values, so that a few packets do not make the logarithm infinite.
    const SURE: [f64; 2] = [0.001, 0.999];

    /// Computes the contrast from the shares of losses and of packets that do not fit. It compares the
    /// likelihood of `losses` draws under their own share and under the packets' share (Kullback and Leibler,
    /// "On Information and Sufficiency", 1951).
    pub(super) fn of(unfit_losses: f64, unfit_passes: f64, losses: u32) -> Self {
        let [least, most] = Self::SURE;
        let expected = unfit_passes.clamp(least, most);
        let part = |seen: f64, by: f64| if seen > 0.0 { seen * (seen / by).ln() } else { 0.0 };
        let divergence = part(unfit_losses, expected) + part(1.0 - unfit_losses, 1.0 - expected);
        let a_loss = if unfit_losses < expected { divergence } else { 0.0 };
        Self {
            fitting: 1.0 - unfit_losses,
            fitting_passes: 1.0 - unfit_passes,
            a_loss,
            evidence: f64::from(losses) * a_loss,
        }
    }

    /// Whether the difference is clear. `is_line`: the losses are also on one line.
    pub(super) fn is_clear(&self, is_line: bool) -> bool {
        self.evidence >= if is_line { EVIDENCE_ON_A_LINE } else { EVIDENCE }
            && self.a_loss >= EVIDENCE_PER_LOSS
            && self.fitting >= FITTING_LOSSES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `FITTING_LOSSES`, `EVIDENCE`, `EVIDENCE_ON_A_LINE` and `EVIDENCE_PER_LOSS`, each by itself.
    #[test]
    fn losses_are_clear_by_their_share_and_evidence() {
        let clear = Contrast { fitting: 0.8, fitting_passes: 0.1, a_loss: 0.15, evidence: 13.8 };
        assert!(clear.is_clear(false));
        assert!(!Contrast { fitting: 0.799, ..clear }.is_clear(false));
        assert!(!Contrast { a_loss: 0.149, ..clear }.is_clear(false));
        assert!(!Contrast { evidence: 13.79, ..clear }.is_clear(false));
        assert!(Contrast { evidence: 5.0, ..clear }.is_clear(true));
        assert!(!Contrast { evidence: 4.99, ..clear }.is_clear(true));
    }
}
