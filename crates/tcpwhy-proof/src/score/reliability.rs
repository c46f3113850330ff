//! Calibration: whether answers with a confidence of 80 % are right in 80 % of the cases.

use serde::Serialize;

/// Answers with about the same confidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Bin {
    pub(super) count: usize,
    /// Mean confidence, 0 to 1.
    pub(super) said: f64,
    /// Share of the answers that were right, 0 to 1.
    pub(super) right: f64,
}

impl Bin {
    pub(super) fn add(&mut self, said: f64, is_right: bool) {
        let before = self.count as f64;
        self.count += 1;
        let of = |mean: f64, value: f64| (mean * before + value) / (before + 1.0);
        self.said = of(self.said, said);
        self.right = of(self.right, f64::from(u8::from(is_right)));
    }
}

/// Answers in steps of 10 points of confidence, the least sure first. Answers with less than 50 % form one
/// step.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Reliability {
    pub(super) bins: [Bin; Self::STEPS],
    /// Expected calibration error: the difference between confidence and share of right answers, weighted by
    /// the answers of each step.
    pub(super) error: f64,
}

impl Reliability {
    const STEPS: usize = 6;

    /// The lowest and the highest confidence of each step, in percent.
    pub(super) const RANGES: [[u32; 2]; Self::STEPS] = [[0, 50], [50, 60], [60, 70], [70, 80], [80, 90], [90, 100]];
}

impl FromIterator<(f64, bool)> for Reliability {
    fn from_iter<T: IntoIterator<Item = (f64, bool)>>(answers: T) -> Self {
        let mut bins = [Bin::default(); Self::STEPS];
        for (said, is_right) in answers {
            let step = Self::RANGES.iter().rposition(|range| said * 100.0 >= f64::from(range[0])).unwrap_or(0);
            bins[step].add(said, is_right);
        }
        let all: usize = bins.iter().map(|bin| bin.count).sum();
        let apart: f64 = bins.iter().map(|bin| bin.count as f64 * (bin.said - bin.right).abs()).sum();
        Self { bins, error: apart / all.max(1) as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_how_far_said_and_right_lie_apart() {
        let answers = |said, right, wrong| {
            std::iter::repeat_n((said, true), right).chain(std::iter::repeat_n((said, false), wrong))
        };
        let honest: Reliability = answers(0.75, 3, 1).collect();
        assert!(honest.error.abs() < 1e-12, "{honest:?}");
        let both: Reliability = answers(0.75, 3, 1).chain(answers(0.95, 2, 2)).collect();
        assert!((both.error - 0.225).abs() < 1e-12, "{both:?}");
        assert_eq!([both.bins[3].count, both.bins[5].count], [4, 4]);
    }

    #[test]
    fn edges_belong_to_the_step_above() {
        let edges: Reliability = [(0.0, true), (0.5, true), (0.9, true), (1.0, true)].into_iter().collect();
        assert_eq!(edges.bins.map(|bin| bin.count), [1, 1, 0, 0, 0, 2]);
        assert!(Reliability::default().error.abs() < 1e-12);
    }
}
