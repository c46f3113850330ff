//! The largest value of a sliding window, in constant space (`lib/win_minmax.c`, after Kathleen Nichols).

/// A value and its round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sample {
    round: u64,
    value: u64,
}

/// The maximum of the last rounds. It keeps the best value, the best later one, and the best one after both.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WindowedMax([Sample; 3]);

impl WindowedMax {
    /// `minmax_get`.
    pub(super) const fn get(&self) -> u64 {
        self.0[0].value
    }

    /// `minmax_reset`.
    const fn reset(&mut self, sample: Sample) {
        self.0 = [sample; 3];
    }

    /// `minmax_running_max`: adds a value of `round`; the window has `rounds` rounds.
    pub(super) fn update(&mut self, rounds: u64, round: u64, value: u64) {
        let sample = Sample { round, value };
        let [first, second, third] = self.0;
        if value >= first.value || round - third.round > rounds {
            self.reset(sample);
            return;
        }
        if value >= second.value {
            self.0 = [first, sample, sample];
        } else if value >= third.value {
            self.0[2] = sample;
        }
        self.advance(rounds, sample);
    }

    /// `minmax_subwin_update`.
    fn advance(&mut self, rounds: u64, sample: Sample) {
        let [first, second, third] = self.0;
        let age = sample.round - first.round;
        if age > rounds {
            self.0 = [second, third, sample];
            // The second value may be too old as well.
            if sample.round - second.round > rounds {
                self.0 = [third, sample, sample];
            }
        } else if second.round == first.round && age > rounds / 4 {
            // After a quarter of the window without a better value, the second choice comes from its second
            // quarter.
            self.0 = [first, sample, sample];
        } else if third.round == second.round && age > rounds / 2 {
            self.0[2] = sample;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_is_forgotten_after_its_window() {
        let mut max = WindowedMax::default();
        max.update(10, 0, 100);
        for round in 1..=10 {
            max.update(10, round, 40 + round);
            assert_eq!(max.get(), 100, "{round}");
        }
        max.update(10, 11, 1);
        // The best value that is still in the window, not the last value.
        assert!((41..=50).contains(&max.get()), "{}", max.get());
    }

    #[test]
    fn a_larger_one_replaces_all() {
        let mut max = WindowedMax::default();
        max.update(10, 0, 10);
        max.update(10, 1, 5);
        max.update(10, 2, 11);
        assert_eq!(max.0, [Sample { round: 2, value: 11 }; 3]);
    }

    /// A filter in constant space never exceeds the true maximum, and is exact while values fall.
    #[test]
    fn it_is_close_to_the_true_maximum() {
        let mut max = WindowedMax::default();
        let values: Vec<u64> = (0..200_u64).map(|n| 1_000 + n * 7_919 % 97).collect();
        for (round, &value) in values.iter().enumerate() {
            max.update(10, round as u64, value);
            let from = round.saturating_sub(10);
            let exact = values[from..=round].iter().max().unwrap();
            assert!(max.get() <= *exact && max.get() + 50 >= *exact, "{round}: {} of {exact}", max.get());
        }
    }

    #[test]
    fn rounds_without_a_value_clear_it() {
        let mut max = WindowedMax::default();
        max.update(10, 0, 100);
        max.update(10, 30, 3);
        assert_eq!(max.get(), 3);
    }
}
