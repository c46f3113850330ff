//! The clock that all connections of a capture share.

/// The time that a capture has certainly reached.
///
/// One packet with a wrong time, or a host whose clock differs by hours, must not end the connections of
/// others. Therefore a time counts only once [`Self::CHECKED`] packets have followed, reduced by the largest
/// step back so far.
///
/// It depends only on the packets and their order, and not on threads, batches or hash keys.
#[derive(Clone, Debug)]
pub struct CaptureClock {
    /// The latest time of any packet, nanoseconds.
    newest: i64,
    /// The latest time at the last check.
    confirmed: i64,
    /// The largest step back from the latest time, nanoseconds.
    back: i64,
    now: i64,
    /// Packets until the next check.
    unchecked: u32,
}

impl Default for CaptureClock {
    fn default() -> Self {
        Self { newest: i64::MIN, confirmed: i64::MIN, back: 0, now: i64::MIN, unchecked: Self::CHECKED }
    }
}

impl CaptureClock {
    /// Number of packets between two checks. Chosen: more than a burst that one host of a merged capture
    /// sends alone.
    pub const CHECKED: u32 = 512;
    /// Least step of the clock, nanoseconds: half of the shortest time after which a silent connection ends
    /// ([`Analyzer`](crate::Analyzer)).
    const STEP: i64 = 30_000_000_000;

    /// Takes the time of the next packet, nanoseconds. Returns whether [`Self::now`] has moved.
    #[inline]
    pub fn pass(&mut self, time: i64) -> bool {
        if time >= self.newest {
            self.newest = time;
        } else {
            self.note_step_back(time);
        }
        self.unchecked -= 1;
        self.unchecked == 0 && self.check()
    }

    /// Returns a time that the capture has certainly reached, nanoseconds; `i64::MIN` while no time is
    /// certain. It never goes back.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// Returns the latest time less the largest step back so far, nanoseconds. A single packet can move it.
    pub(crate) fn unconfirmed(&self) -> i64 {
        self.newest.saturating_sub(self.back)
    }

    #[cold]
    fn note_step_back(&mut self, time: i64) {
        self.back = self.back.max(self.newest.saturating_sub(time));
    }

    #[cold]
    fn check(&mut self) -> bool {
        self.unchecked = Self::CHECKED;
        let sure = self.confirmed.saturating_sub(self.back);
        self.confirmed = self.newest;
        let has_moved = sure >= self.now.saturating_add(Self::STEP);
        if has_moved {
            self.now = sure;
        }
        has_moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;
    const HOUR: i64 = 3600 * SECOND;

    /// Returns the clock after packets with `times`, and the number of its moves.
    fn after(times: impl IntoIterator<Item = i64>) -> (i64, usize) {
        let mut clock = CaptureClock::default();
        let moves = times.into_iter().filter(|&time| clock.pass(time)).count();
        (clock.now(), moves)
    }

    fn steady(packets: i64) -> impl Iterator<Item = i64> {
        (0..packets).map(|n| n * SECOND)
    }

    #[test]
    fn it_follows_a_steady_clock_in_steps() {
        let checked = i64::from(CaptureClock::CHECKED);
        // At the second check the time of the first one is certain.
        assert_eq!(after(steady(2 * checked - 1)).0, i64::MIN);
        assert_eq!(after(steady(2 * checked)), ((checked - 1) * SECOND, 1));
        assert_eq!(after(steady(10 * checked)), ((9 * checked - 1) * SECOND, 9));
        // Checks within one step do not move it.
        assert_eq!(after((0..10 * checked).map(|n| n * 1_000)).1, 1);
    }

    #[test]
    fn one_wrong_time_moves_it_not_at_all_or_holds_it_back() {
        let packets = 20 * i64::from(CaptureClock::CHECKED);
        for place in [0, 1, 511, 512, 1023, 1024, 5000] {
            for wrong in [i64::MAX, 24 * HOUR, -24 * HOUR, i64::MIN] {
                let times =
                    steady(packets).map(|time| if time == place * SECOND { time.saturating_add(wrong) } else { time });
                let (now, _) = after(times);
                assert!(now <= packets * SECOND, "{now} with {wrong} at {place}");
            }
        }
    }

    /// No later packet belongs to an ended connection: it is later than the clock, or it makes the largest
    /// step back so far.
    #[test]
    fn the_slower_of_two_clocks_counts() {
        let run = |burst: i64| {
            let mut clock = CaptureClock::default();
            (0..100_000_i64).for_each(|n| {
                let is_ahead = n / burst % 2 == 1;
                clock.pass(n * SECOND / 100 + if is_ahead { 3 * HOUR } else { 0 });
                assert!(burst > 512 || clock.now() <= n * SECOND / 100, "{burst} at {n}");
            });
            clock.now()
        };
        assert!((900 * SECOND..1000 * SECOND).contains(&run(1)));
        assert!((900 * SECOND..1000 * SECOND).contains(&run(500)));
    }
}
