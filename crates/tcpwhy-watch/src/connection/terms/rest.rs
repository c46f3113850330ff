//! Rests that the kernel does not report.

use super::*;

/// One that has an account up to 100 ms and rests since.
fn resting(change: Change) -> LiveConnection {
    let begun = account(&[(HeldBy::SendBuffer, 50), (HeldBy::Idle, 50)]);
    let mut connection = LiveConnection::with_account(0, sample(100, change), begun, Retention::default());
    // What the account opened with: the time before it is not watched.
    assert_eq!(connection.limits().span().nanos(), 0);
    connection.samples = 1;
    connection
}

fn rested(connection: &LiveConnection) -> (i64, i64) {
    let limits = connection.limits();
    (limits.nanos_of_cause(Detail::Idle.into()) / MILLISECOND, limits.span().nanos() / MILLISECOND)
}

/// `SHORTEST_REST`: 500 ms.
#[test]
fn a_rest_of_half_a_second_is_given_out_ahead() {
    for (nanos, expected) in [(499_999_999, (0, 0)), (500_000_000, (500, 500))] {
        let mut connection = resting(|_| ());
        connection.rest(Timestamp::from_nanos(100 * MILLISECOND + nanos));
        assert_eq!(rested(&connection), expected, "{nanos}");
    }
    let mut unread = resting(|s| s.receive_queue = 1);
    unread.rest(Timestamp::from_nanos(2000 * MILLISECOND));
    assert_eq!(rested(&unread), (0, 0), "data waits to be read");
    let held = account(&[(HeldBy::Idle, 50), (HeldBy::SendBuffer, 50)]);
    let mut held = LiveConnection::with_account(0, sample(100, full), held, Retention::default());
    held.rest(Timestamp::from_nanos(2000 * MILLISECOND));
    assert_eq!(rested(&held), (0, 0), "a limit holds");
    let mut sampled = of(vec![sample(0, |_| ()), sample(100, |_| ())]);
    sampled.rest(Timestamp::from_nanos(2000 * MILLISECOND));
    assert_eq!(rested(&sampled), (100, 100), "no account: only samples show a rest");
}

/// Rests add up, and the account's next report is less what was given out.
#[test]
fn rests_that_were_given_out_are_not_counted_again() {
    let mut connection = resting(|_| ());
    connection.rest(Timestamp::from_nanos(700 * MILLISECOND));
    connection.rest(Timestamp::from_nanos(1300 * MILLISECOND));
    assert_eq!(rested(&connection), (1200, 1200));
    let told = account(&[(HeldBy::SendBuffer, 150), (HeldBy::Idle, 1250)]);
    connection.observe(sample(1400, |_| ()), Some(told), None);
    assert_eq!(millis(&connection.limits()), names(&[("application/idle", 1200), ("send_buffer", 100)]));
    let more = account(&[(HeldBy::SendBuffer, 150), (HeldBy::Idle, 1350)]);
    connection.observe(sample(1500, |_| ()), Some(more), None);
    assert_eq!(rested(&connection), (1300, 1400), "what was given out ahead was settled once");
}

/// The account shows whose turn the rest was.
#[test]
fn a_rest_ahead_is_in_doubt() {
    let mut connection = resting(|_| ());
    connection.rest(Timestamp::from_nanos(1100 * MILLISECOND));
    let told = account(&[(HeldBy::SendBuffer, 50), (HeldBy::PeerTurn, 1050)]);
    connection.observe(sample(1200, |s| s.info.bytes_received = Some(1)), Some(told), None);
    assert_eq!(connection.sending_limits().nanos_of_cause(Detail::PeerTurn.into()) / MILLISECOND, 1050);
}
