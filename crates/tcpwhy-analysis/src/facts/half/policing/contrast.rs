//! How clearly losses differ from packets that passed.

use crate::thresholds::{EVIDENCE, EVIDENCE_ON_A_LINE, EVIDENCE_PER_LOSS, FITTING_LOSSES};

/// Shares of losses and of packets that passed of which something holds that only a policer makes different.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contrast {
    /// Share of losses that fit a policer, and of packets that passed that would fit as well.
    pub(super) fitting: f64,
    pub(super) fitting_passes: f64,
    /// Natural logarithm of how unlikely chance is to do so, for each loss and for all.
    a_loss: f64,
    pub(super) evidence: f64,
}

impl Contrast {
    /// Shares within these have a logarithm that a few packets do not make endless.
    const SURE: [f64; 2] = [0.001, 0.999];

    /// From the shares of losses and of packets that do not fit: the likelihood of `losses` draws by their own share against that by
    /// the share of packets (Kullback and Leibler, "On Information and Sufficiency", 1951).
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

    /// `is_line`: the losses lie on one line besides.
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
