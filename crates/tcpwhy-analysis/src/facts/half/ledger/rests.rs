//! Silences with nothing in flight: whether this side's data after them only kept the connection alive, or
//! only closed it.

use super::Ledger;
use super::turns::Turns;
use crate::facts::half::event::DataEvent;
use crate::facts::half::grains::Grains;
use crate::facts::half::when::When;
use crate::thresholds::{
    BEAT_AT_ONCE, BEAT_PERIOD_LEAST, BEAT_STEADY, BEATS_LEAST, CLOSED_AFTER, LONG_REST, SMALL_MESSAGE,
};

/// Data after long silences of a direction. Most directions have none.
#[derive(Clone, Debug, Default)]
pub(super) struct Rests {
    last: Rest,
    beats: [Beat; Self::SIZES],
    pub(super) turns: Turns,
    /// End of the transfer, if the data after it only prepared the close.
    transfer_end: When,
}

/// A silence of [`LONG_REST`] or longer.
#[derive(Clone, Copy, Debug, Default)]
struct Rest {
    /// Time from which nothing was in flight.
    since: When,
    /// Bytes of the stream sent before it.
    sent: u64,
    /// Bytes of the peer's payload since this side's last send.
    heard: u64,
    /// Values of [`Ledger::pauses`] and [`Ledger::pause_longest`] before it.
    pauses: (u32, Grains),
}

/// Small messages of one size, sent while nothing was in flight.
#[derive(Clone, Copy, Debug, Default)]
struct Beat {
    size: u64,
    last: i64,
    period: i64,
    /// Number of consecutive messages with about that period.
    count: u32,
}

impl Rests {
    /// Number of sizes followed at the same time.
    const SIZES: usize = 4;

    fn heartbeat(&self) -> Option<i64> {
        self.beats.iter().filter(|beat| beat.count >= BEATS_LEAST.get()).map(|beat| beat.period).max()
    }

    /// Records a message of `size` bytes at `time`.
    fn follow_beat(&mut self, size: u64, time: i64) {
        let Some(beat) = self.beats.iter_mut().find(|beat| beat.size == size) else {
            // The size that was silent for longest makes room.
            if let Some(oldest) = self.beats.iter_mut().min_by_key(|beat| (beat.count >= BEATS_LEAST.get(), beat.last))
            {
                *oldest = Beat { size, last: time, ..Beat::default() };
            }
            return;
        };
        // Several messages at once count as one.
        let period = time - beat.last;
        if period < BEAT_AT_ONCE {
            return;
        }
        let is_steady = period >= BEAT_PERIOD_LEAST && (period - beat.period).abs() <= BEAT_STEADY.of(period);
        (beat.last, beat.period) = (time, period);
        // A heartbeat stays one, because a busy program may send it late.
        beat.count = if is_steady || beat.count >= BEATS_LEAST.get() { beat.count.saturating_add(1) } else { 1 };
    }
}

impl Ledger {
    /// Records `data` that is sent after nothing was in flight since `since`.
    #[cold]
    pub(super) fn follow_rest(&mut self, since: i64, time: i64, data: &DataEvent) {
        let is_long = time - since >= LONG_REST;
        if time - since < BEAT_AT_ONCE && self.rests.is_none() {
            return;
        }
        let rest = Rest {
            since: When::at(since),
            sent: self.nxt,
            heard: self.gap.heard,
            pauses: (self.pauses, self.pause_longest),
        };
        let size = data.end - data.start;
        let first = (self.gap.flight, self.gap.start);
        let rests = self.rests.get_or_insert_with(|| {
            let mut rests = Box::<Rests>::default();
            // Data sent before the first silence may have been the first heartbeat.
            rests.follow_beat(first.0, first.1);
            rests
        });
        if is_long {
            rests.last = rest;
        }
        // A message right after the peer's payload is its answer.
        let answer = CLOSED_AFTER.get() + self.rtt_min.unwrap_or(0);
        let is_own_word = self.gap.peer_spoke.is_none_or(|(_, last)| time - last > answer);
        if size <= SMALL_MESSAGE.get() && is_own_word {
            rests.follow_beat(size, time);
        }
    }

    /// Period with which this side sends a small message of one size, nanoseconds; the longest if there are
    /// several. No program waits for such a heartbeat, and its sender is the client of the exchange.
    pub(crate) fn heartbeat(&self) -> Option<i64> {
        self.rests.as_ref()?.heartbeat()
    }

    /// Ends the transfer before a final message that only prepared the close. This is a few bytes after a
    /// long silence, directly followed by this side's FIN or RST at `end`. The peer had sent no larger
    /// request.
    pub(crate) fn leave_goodbye_out(&mut self, end: i64) {
        let Some(rests) = &mut self.rests else { return };
        let rest = rests.last;
        if rest.since == When::NEVER {
            return;
        }
        let is_small = |bytes: u64| bytes <= SMALL_MESSAGE.get();
        let is_goodbye = is_small(self.nxt - rest.sent)
            && is_small(rest.heard)
            && end - self.gap.start <= CLOSED_AFTER.get() + self.rtt_min.unwrap_or(0);
        if is_goodbye {
            rests.transfer_end = rest.since;
            (self.pauses, self.pause_longest) = rest.pauses;
        }
    }

    /// End of the transfer, if more was captured of the direction.
    pub(crate) fn transfer_end(&self) -> Option<i64> {
        self.rests.as_ref()?.transfer_end.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    /// Whether messages of these sizes at these times, milliseconds, are a heartbeat.
    fn beats(messages: &[(i64, u64)]) -> bool {
        let mut rests = Rests::default();
        for &(millis, size) in messages {
            rests.follow_beat(size, millis * SECOND / 1000);
        }
        rests.heartbeat().is_some()
    }

    /// `BEATS_LEAST`, `BEAT_STEADY` and `BEAT_PERIOD_LEAST`: three periods of a second or more that differ by
    /// at most 5 %.
    #[test]
    fn three_equal_periods_are_a_heartbeat() {
        let every = |period: i64, count: i64| (0..count).map(|n| (n * period, 8)).collect::<Vec<_>>();
        assert!(beats(&every(1000, 4)) && !beats(&every(1000, 3)));
        assert!(!beats(&every(199, 9)));
        assert!(beats(&[(0, 8), (2000, 8), (4000, 8), (6100, 8), (8150, 8)]));
        assert!(!beats(&[(0, 8), (2000, 8), (4000, 8), (7000, 8), (9000, 8)]));
    }

    /// Messages of a few other sizes come in between, and some of the same size close together.
    #[test]
    fn other_messages_may_come_between() {
        let busy = |others: &[u64]| {
            let beats = (0..6).map(|n| (n * 3000, 8));
            let between = (0..5).flat_map(|n| others.iter().map(move |&size| (n * 3000 + 70 * size as i64, size)));
            let mut all: Vec<_> = beats.chain(between).chain([(3010, 8)]).collect();
            all.sort_unstable();
            all
        };
        assert!(beats(&busy(&[21, 22, 23])));
        // Without a repeated size there is no heartbeat.
        assert!(!beats(&[(0, 1), (3000, 2), (6000, 3), (9000, 4), (12_000, 5), (15_000, 6)]));
    }

    /// Eight bytes after a pause of 0.3 s do not prepare the close; eight more after 2 s do.
    #[test]
    fn a_short_rest_is_no_goodbye() {
        let mut ledger = Ledger::new(0, 1, 1000);
        let data = |time: i64, start: u64| DataEvent {
            time,
            start,
            end: start + 8,
            kind: crate::facts::half::event::DataKind::New,
            is_partial: true,
            tsval: None,
            lag_ticks: None,
        };
        (ledger.pauses, ledger.nxt) = (1, 9);
        ledger.follow_rest(0, 3 * SECOND / 10, &data(3 * SECOND / 10, 9));
        (ledger.nxt, ledger.gap.start) = (17, 3 * SECOND / 10);
        ledger.leave_goodbye_out(3 * SECOND / 10);
        assert_eq!((ledger.pauses, ledger.transfer_end()), (1, None));
        ledger.follow_rest(SECOND, 3 * SECOND, &data(3 * SECOND, 17));
        (ledger.nxt, ledger.gap.start, ledger.pauses) = (25, 3 * SECOND, 2);
        ledger.leave_goodbye_out(3 * SECOND);
        assert_eq!((ledger.pauses, ledger.transfer_end()), (1, Some(SECOND)));
    }
}
