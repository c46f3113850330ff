//! The cause to name for several connections together.

use tcpwhy_model::Cause;

use super::thresholds::LOST_NAMED;

/// A cause, its nanoseconds, and whether a change could have saved them.
pub type CauseTime = (Cause, i64, bool);

/// The times of several connections, added up by cause, in the order in which they came first.
pub fn added_up<'a>(times: impl IntoIterator<Item = &'a CauseTime>) -> Vec<CauseTime> {
    let mut sums: Vec<CauseTime> = Vec::new();
    for &(cause, nanos, is_lost) in times {
        match sums.iter_mut().find(|(known, _, lost)| (*known, *lost) == (cause, is_lost)) {
            Some((_, sum, _)) => *sum += nanos,
            None => sums.push((cause, nanos, is_lost)),
        }
    }
    sums
}

/// The cause of which a change could save most, if that is a part worth naming; else the one with most time.
/// Many short connections add up.
pub fn main_cause(times: &[CauseTime]) -> Option<Cause> {
    let all: i64 = times.iter().map(|(_, nanos, _)| nanos).sum();
    let most = |has_to_be_lost: bool| {
        let of_kind = times.iter().filter(|(_, _, is_lost)| *is_lost || !has_to_be_lost);
        of_kind.max_by_key(|(_, nanos, _)| *nanos)
    };
    let is_named = |time: &&CauseTime| LOST_NAMED.is_reached(time.1.unsigned_abs(), all.unsigned_abs());
    most(true).filter(is_named).or_else(|| most(false)).map(|time| time.0)
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Limit;

    use super::*;

    const BUFFER: Cause = Cause::plain(Limit::SendBuffer);
    const IDLE: Cause = Cause::plain(Limit::Application);

    #[test]
    fn a_twentieth_that_a_change_could_save_is_named() {
        assert_eq!(main_cause(&[(IDLE, 950, false), (BUFFER, 50, true)]), Some(BUFFER));
        assert_eq!(main_cause(&[(IDLE, 951, false), (BUFFER, 49, true)]), Some(IDLE));
        assert_eq!(main_cause(&[(IDLE, 1, false)]), Some(IDLE));
        assert_eq!(main_cause(&[]), None);
    }

    #[test]
    fn times_add_up_by_cause() {
        let times = [(BUFFER, 1, true), (IDLE, 5, false), (BUFFER, 2, true), (BUFFER, 4, false)];
        assert_eq!(added_up(&times), [(BUFFER, 3, true), (IDLE, 5, false), (BUFFER, 4, false)]);
    }
}
