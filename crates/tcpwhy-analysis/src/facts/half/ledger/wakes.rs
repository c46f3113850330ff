//! Time that this host's programs take to answer an ACK. It is learnt from the lags of bursts behind ACKs,
//! and from how often bursts at random times would be as close.
//!
//! A program cannot see ACKs. If its sends often follow them far more closely than sends at random times
//! would, its buffer was full and the kernel woke it.

use crate::thresholds::{
    Ratio, WAKE_PROMPT, WAKE_PROMPT_SHARE, WAKE_SHARE, WAKE_STRANGERS, WAKE_USUAL, WAKES_SURE, WAKES_UNTELLING, part,
};

/// Lags behind ACKs and times between ACKs, in octaves from 16 µs.
#[derive(Clone, Debug, Default)]
pub(super) struct Wakes {
    lags: [u32; Wakes::OCTAVES],
    /// Number of all bursts, those with longer lags included.
    bursts: u32,
    /// Number of times between two ACKs within the octave, and their sum, nanoseconds.
    between: [(u32, i64); Wakes::OCTAVES],
    /// Number and sum of longer times.
    longer: (u32, i64),
    within: Option<i64>,
    /// Bursts that end a pause in which ACKs had released nothing, and those that followed the last of these
    /// ACKs within [`WAKE_PROMPT`].
    rests: u32,
    prompt_rests: u32,
}

impl Wakes {
    /// The last octave ends at 16.4 ms: with rare exceptions, no host takes longer to wake a program.
    const OCTAVES: usize = 11;
    /// End of the first octave, nanoseconds.
    const FIRST: i64 = 16_000;
    /// Number of bursts after which the wake-up time is computed again.
    const EVERY: u32 = 8;
    /// Number of bursts at which the older part is forgotten, because a host may become busy or idle.
    const MOST: u32 = 1 << 12;
    /// The part of them that remains.
    const KEPT: Ratio = Ratio(1, 2);

    /// Time within which sends follow ACKs, nanoseconds; `None` if they do not, or if it is still unknown.
    pub(super) fn within(&self) -> Option<i64> {
        self.within
    }

    /// Median delay of the sends that follow ACKs, nanoseconds, as a power of two of the first octave; `None`
    /// if [`Self::within`] is.
    pub(super) fn typical(&self) -> Option<i64> {
        let woken = &self.lags[..=Self::octave(self.within?)];
        let half = woken.iter().sum::<u32>().div_ceil(2);
        let mut sum = 0;
        let median = woken.iter().position(|count| {
            sum += count;
            sum >= half
        });
        median.map(Self::end)
    }

    fn octave(nanos: i64) -> usize {
        let octaves = (nanos.max(1) - 1) / Self::FIRST;
        (i64::BITS - octaves.leading_zeros()) as usize
    }

    /// Records an ACK that made room `since` nanoseconds after the previous one.
    #[inline]
    pub(super) fn on_ack(&mut self, since: i64) {
        let between = self.between.get_mut(Self::octave(since)).unwrap_or(&mut self.longer);
        between.0 += 1;
        between.1 += since;
    }

    /// Records a burst that followed the last ACK with room by `lag`.
    pub(super) fn on_burst(&mut self, lag: i64) {
        self.bursts += 1;
        if let Some(count) = self.lags.get_mut(Self::octave(lag)) {
            *count += 1;
        }
        if self.bursts.is_multiple_of(Self::EVERY) {
            self.within = self.learnt();
        }
        if self.bursts >= Self::MOST {
            self.forget();
        }
    }

    /// Records that the same burst ended a pause in which ACKs had made room and nothing was sent.
    pub(super) fn on_rest(&mut self, lag: i64) {
        self.rests = self.rests.saturating_add(1);
        self.prompt_rests += u32::from(lag <= WAKE_PROMPT.get());
    }

    /// Whether ACKs end this program's pauses. Many bursts follow an ACK at once, more than chance explains,
    /// so the others were woken too. A busy host wakes a program late, and a program with its own clock does
    /// not follow ACKs.
    pub(super) fn are_rests_ended_by_acks(&self) -> bool {
        let rests = f64::from(self.rests);
        let share = f64::from(self.prompt_rests) / rests.max(1.0);
        part(self.prompt_rests, self.rests) >= WAKE_PROMPT_SHARE
            && rests * divergence((share, self.by_chance(Self::octave(WAKE_PROMPT.get())))) >= WAKES_SURE
    }

    fn forget(&mut self) {
        (self.rests, self.prompt_rests) = (Self::KEPT.of(self.rests), Self::KEPT.of(self.prompt_rests));
        self.bursts = Self::KEPT.of(self.bursts);
        self.lags.iter_mut().for_each(|count| *count = Self::KEPT.of(*count));
        for (count, nanos) in self.between.iter_mut().chain([&mut self.longer]) {
            (*count, *nanos) = (Self::KEPT.of(*count), Self::KEPT.of(*nanos));
        }
    }

    /// The lag up to which bursts follow ACKs much more often than chance explains. It is extended while more
    /// bursts come than chance explains for bursts that follow no ACK.
    fn learnt(&self) -> Option<i64> {
        let bursts = f64::from(self.bursts);
        let (mut seen, mut prompt) = (0, 0);
        let shares: [(f64, f64); Self::OCTAVES] = std::array::from_fn(|k| {
            seen += self.lags[k];
            if Self::end(k) <= WAKE_PROMPT.get() {
                prompt = seen;
            }
            (f64::from(seen) / bursts, self.by_chance(k))
        });
        // A writer with its own clock may be late by the same time each time. A program that is woken is
        // sometimes on time.
        if part(prompt, self.bursts) < WAKE_PROMPT_SHARE {
            return None;
        }
        let (most, surprise) = (0..Self::OCTAVES)
            .filter(|&k| shares[k].1 < WAKES_UNTELLING)
            .map(|k| (k, bursts * divergence(shares[k])))
            .max_by(|a, b| a.1.total_cmp(&b.1))?;
        if surprise < WAKES_SURE {
            return None;
        }
        let (share, chance) = shares[most];
        let strangers = (1.0 - share) / (1.0 - chance);
        let are_wakes = |from: usize, to: usize| {
            let more_by_chance = shares[to].1 - shares[from].1;
            shares[to].0 - shares[from].0 > WAKE_STRANGERS.get() * strangers * more_by_chance
        };
        // Any host may be as late as that sometimes.
        let usual = Self::octave(WAKE_USUAL.get());
        let mut last = if most < usual && are_wakes(most, usual) { usual } else { most };
        while last + 1 < Self::OCTAVES && are_wakes(last, last + 1) {
            last += 1;
        }
        (shares[last].0 >= WAKE_SHARE).then(|| Self::end(last))
    }

    /// End of this octave, nanoseconds.
    fn end(octave: usize) -> i64 {
        Self::FIRST << octave
    }

    /// Share of the time that is as close behind an ACK as the end of this octave.
    fn by_chance(&self, octave: usize) -> f64 {
        let all = || self.between.iter().chain([&self.longer]);
        let (shorter, total): (i64, i64) =
            (self.between[..=octave].iter().map(|b| b.1).sum(), all().map(|b| b.1).sum());
        let longer: i64 = all().skip(octave + 1).map(|b| i64::from(b.0)).sum();
        (shorter + longer * Self::end(octave)) as f64 / total.max(1) as f64
    }
}

/// Relative entropy of one trial, in nats: how surprising the observed share is if chance would make it
/// `chance`. 0 if the share is not larger.
fn divergence((share, chance): (f64, f64)) -> f64 {
    if share <= chance {
        return 0.0;
    }
    let term = |p: f64, q: f64| if p > 0.0 { p * (p / q.max(f64::MIN_POSITIVE)).ln() } else { 0.0 };
    term(share, chance) + term(1.0 - share, 1.0 - chance)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MICROSECOND: i64 = 1_000;
    const MILLISECOND: i64 = 1_000_000;

    /// In each round trip of 25 ms, forty ACKs come every 125 µs. Then a burst follows the last of them by
    /// one of these lags, µs.
    fn woken_once_a_round_trip(lags: &[i64], rounds: usize) -> Wakes {
        let mut wakes = Wakes::default();
        for lag in lags.iter().cycle().take(rounds) {
            wakes.on_ack(20 * MILLISECOND + lag * MICROSECOND);
            (1..40).for_each(|_| wakes.on_ack(125 * MICROSECOND));
            wakes.on_burst(lag * MICROSECOND);
        }
        wakes
    }

    /// The time within which such bursts follow, microseconds.
    fn once_a_round_trip(lags: &[i64], rounds: usize) -> Option<i64> {
        woken_once_a_round_trip(lags, rounds).within().map(|within| within / MICROSECOND)
    }

    #[test]
    fn octaves_begin_above_sixteen_microseconds() {
        let octaves = [0, 1, 16_000, 16_001, 32_000, 32_001, 16_384_000, 16_384_001].map(Wakes::octave);
        assert_eq!(octaves, [0, 0, 0, 1, 1, 2, 10, 11]);
        assert_eq!([0, 10].map(Wakes::end), [16_000, 16_384_000]);
    }

    #[test]
    fn an_idle_host_wakes_within_a_tenth_of_a_millisecond() {
        assert_eq!(once_a_round_trip(&[70, 80, 90, 60], 16), Some(128));
        assert_eq!(once_a_round_trip(&[70, 80, 90, 60], 7), None, "nobody knows yet");
    }

    #[test]
    fn half_of_the_wakes_are_as_soon_as_the_typical_one() {
        let mut lags = [80; 16];
        (lags[3], lags[9]) = (1_400, 700);
        let wakes = woken_once_a_round_trip(&lags, 64);
        assert_eq!(wakes.within(), Some(2_048 * MICROSECOND), "a few are late");
        assert_eq!(wakes.typical(), Some(128 * MICROSECOND));
        assert_eq!(Wakes::default().typical(), None);
    }

    /// `WAKE_STRANGERS`: two of sixteen bursts are later, and chance makes few of them so late.
    #[test]
    fn late_wakes_of_a_loaded_host_are_its_own() {
        let mut lags = [80; 16];
        (lags[3], lags[9]) = (1_400, 700);
        assert_eq!(once_a_round_trip(&lags, 64), Some(2_048));
    }

    /// With round trips of 76 ms, a busy host wakes a program 2 to 28 ms late, but often at once. A timer
    /// does not.
    #[test]
    fn rests_that_often_end_at_once_behind_an_ack_are_ended_by_it() {
        let ended = |lags: &[i64], spacing: i64| {
            let mut wakes = Wakes::default();
            for lag in lags {
                wakes.on_ack(spacing * MICROSECOND);
                wakes.on_rest(lag * MICROSECOND);
            }
            wakes.are_rests_ended_by_acks()
        };
        assert!(ended(&[7_200, 116, 2_090, 28_653, 114, 94, 2_047, 117], 76_000));
        assert!(!ended(&[7_200, 3_116, 2_090, 28_653, 114, 4_094, 2_047, 1_117], 76_000), "one of eight");
        assert!(!ended(&[3_000; 20], 76_000), "a clock of its own");
        assert!(!ended(&[116], 76_000), "once");
        assert!(!ended(&[116; 8], 300), "where all of the time lies as close behind an ACK");
    }

    /// Sends of a program with its own clock are anywhere between the ACKs.
    #[test]
    fn sends_at_random_times_follow_no_ack() {
        let lags: Vec<i64> = (0..200).map(|k| (k * 7_919) % 20_000).collect();
        assert_eq!(once_a_round_trip(&lags, 200), None);
    }

    /// `WAKE_PROMPT`, `WAKE_PROMPT_SHARE`: a third of the sends must come within 256 µs. `WAKE_SHARE`: nine
    /// of ten bursts follow ACKs.
    #[test]
    fn who_follows_acks_now_and_then_only_is_not_woken_by_them() {
        let learnt = |prompt: usize| {
            let lags: Vec<i64> = (0..10).map(|k| if k < prompt { 100 } else { 7_000 + 1_000 * k as i64 }).collect();
            once_a_round_trip(&lags, 160)
        };
        assert_eq!([8, 9].map(learnt), [None, Some(128)]);
    }

    #[test]
    fn a_constant_lag_shows_a_period_and_no_wake() {
        assert_eq!(once_a_round_trip(&[3_000], 200), None);
        let one_of = |n: usize| {
            let mut lags = vec![1_000; n];
            lags[0] = 250;
            once_a_round_trip(&lags, 16 * n)
        };
        assert_eq!([3, 4].map(one_of), [Some(1_024), None]);
    }

    /// `WAKES_SURE`: chance would cause it once in ten thousand times.
    #[test]
    fn few_bursts_prove_nothing() {
        // A third of all time is as close behind an ACK.
        let learnt = |share: usize| {
            let mut wakes = Wakes::default();
            for k in 0..32 {
                wakes.on_ack(400 * MICROSECOND);
                wakes.on_burst(if k < share { 100 } else { 200 } * MICROSECOND);
            }
            wakes.within()
        };
        assert_eq!([16, 32].map(learnt), [None, Some(128 * MICROSECOND)]);
    }

    #[test]
    fn a_host_that_becomes_busy_is_learnt_anew() {
        let mut wakes = Wakes::default();
        for lag in std::iter::repeat_n(50, 5_000).chain(std::iter::repeat_n(900, 1_500)).chain([100; 1_000]) {
            wakes.on_ack(20 * MILLISECOND);
            wakes.on_burst(lag * MICROSECOND);
        }
        assert_eq!(wakes.within(), Some(1_024 * MICROSECOND));
        assert!(wakes.bursts < Wakes::MOST);
    }

    #[test]
    fn a_share_surprises_by_its_relative_entropy() {
        assert!(divergence((0.2, 0.3)).abs() < 1e-12);
        assert!((divergence((1.0, 0.5)) - std::f64::consts::LN_2).abs() < 1e-12);
        assert!((divergence((0.75, 0.25)) - 0.5 * 3f64.ln()).abs() < 1e-12);
    }
}
