//! Each term of how time in doubt is decided. A test fails if one is dropped, or if its boundary moves.

use super::*;

const BUFFER: Cause = Cause::plain(Limit::SendBuffer);
const WINDOW: Cause = Cause::plain(Limit::ReceiveWindow);

fn direction() -> Direction {
    Direction::new(Timestamp::ZERO, Retention { intervals: true, progress: true, ..Retention::default() })
}

fn part(cause: impl Into<Cause>, nanos: i64) -> Part {
    Part { cause: cause.into(), nanos, confidence: 0.9 }
}

fn nanos(limits: &LimitTimeline) -> Vec<(String, i64)> {
    let mut all: Vec<_> = limits.totals().iter().map(|t| (t.cause.to_string(), t.nanos)).collect();
    all.sort();
    all
}

/// Time by cause that was given out since the last question.
fn passed(direction: &mut Direction) -> Vec<(String, i64)> {
    direction.take_passed().iter().map(|(cause, nanos)| (cause.to_string(), nanos)).collect()
}

/// A stretch is in doubt for samples where an account knows whose turn it was.
#[test]
fn doubts_of_samples_and_accounts() {
    use Doubt::{Repair, Rest};
    for (cause, is_stuck, of_sample, of_account) in [
        (Cause::from(Detail::Idle), false, Some(Rest), None),
        (Detail::Idle.into(), true, Some(Rest), None),
        (Detail::PeerTurn.into(), false, Some(Rest), None),
        (Detail::Think.into(), true, None, None),
        (Detail::PeerWindow.into(), true, None, None),
        (BUFFER, true, Some(Repair), Some(Repair)),
        (BUFFER, false, None, None),
        (WINDOW, true, None, None),
    ] {
        let found = (Doubt::of_sample(cause, is_stuck), Doubt::of_account(cause, is_stuck));
        assert_eq!(found, (of_sample, of_account), "{cause}, stuck: {is_stuck}");
    }
}

/// An ACK settles whether a silence was a loss, and never whose turn a rest was.
#[test]
fn each_doubt_has_its_own_end() {
    type Step = fn(&mut Direction);
    let (rest, silence): (Part, Part) = (part(Detail::Idle, 30), part(BUFFER, 30));
    let ack: Step = |d| d.progressed();
    let peer: Step = |d| d.peer_spoke();
    let own: Step = |d| d.spoke();
    let timeout: Step = |d| d.add(part(Detail::Rto, 1), None);
    let none: Step = |_| ();
    for (what, first, doubt, steps, expected) in [
        ("a rest, the peer", rest, Doubt::Rest, [peer, none], "application/peer_turn"),
        ("a rest, an ACK, the peer", rest, Doubt::Rest, [ack, peer], "application/peer_turn"),
        ("a rest, this side, the peer", rest, Doubt::Rest, [own, peer], "application/idle"),
        ("a rest, the peer, this side", rest, Doubt::Rest, [peer, own], "application/peer_turn"),
        ("a rest, a timeout", rest, Doubt::Rest, [timeout, none], "application/idle"),
        ("a rest, a timeout, the peer", rest, Doubt::Rest, [timeout, peer], "application/idle"),
        ("a silence, a timeout", silence, Doubt::Repair, [timeout, none], "loss_recovery/rto"),
        ("a silence, an ACK, a timeout", silence, Doubt::Repair, [ack, timeout], "send_buffer"),
        ("a silence, the peer, a timeout", silence, Doubt::Repair, [peer, timeout], "loss_recovery/rto"),
        ("a silence, this side, a timeout", silence, Doubt::Repair, [own, timeout], "loss_recovery/rto"),
    ] {
        let mut direction = direction();
        direction.add(first, Some(doubt));
        for step in steps {
            step(&mut direction);
        }
        direction.close();
        let first = direction.take_ended().first().map(|(_, cause)| cause.to_string());
        assert_eq!(first.as_deref(), Some(expected), "{what}");
    }
    let mut turn = direction();
    turn.add(part(Detail::PeerTurn, 30), Some(Doubt::Rest));
    turn.spoke();
    assert_eq!(nanos(&turn.limits()), [("application/idle".to_owned(), 30)], "this side spoke again");
}

/// A stretch waits together with those of the same doubt, and no longer.
#[test]
fn another_doubt_ends_the_first() {
    let mut direction = direction();
    direction.add(part(BUFFER, 10), Some(Doubt::Repair));
    direction.add(part(Detail::PacedWrites, 20), Some(Doubt::Repair));
    direction.add(part(Detail::Idle, 5), Some(Doubt::Rest));
    direction.add(part(Detail::Rto, 1), None);
    assert_eq!(
        nanos(&direction.limits()),
        [("application/idle", 5), ("application/paced_writes", 20), ("loss_recovery/rto", 1), ("send_buffer", 10)]
            .map(|(cause, nanos)| (cause.to_owned(), nanos))
    );
    let mut both = Direction::new(Timestamp::ZERO, Retention::default());
    both.add(part(BUFFER, 10), Some(Doubt::Repair));
    both.add(part(Detail::PacedWrites, 20), Some(Doubt::Repair));
    both.add(part(Detail::Rto, 1), None);
    assert_eq!(nanos(&both.limits()), [("loss_recovery/rto".to_owned(), 31)], "both waited for the timer");
}

/// `MOST_WAITING`: 32 stretches wait, and the 33rd gives them out as they are.
#[test]
fn no_more_stretches_wait_than_the_bound() {
    let lost = |stretches: i64| {
        let mut direction = direction();
        for step in 0..stretches {
            let cause = if step % 2 == 0 { BUFFER } else { Detail::PacedWrites.into() };
            direction.add(part(cause, 10), Some(Doubt::Repair));
        }
        direction.add(part(Detail::Rto, 1), None);
        direction.limits().nanos_of(Limit::LossRecovery)
    };
    assert_eq!([31, 32, 33].map(lost), [311, 321, 11]);
}

/// Stretches of one cause that wait are one, as sure as their time.
#[test]
fn stretches_that_wait_are_as_sure_as_their_time() {
    let mut direction = direction();
    direction.add(Part { cause: BUFFER, nanos: 30, confidence: 1.0 }, Some(Doubt::Repair));
    direction.add(Part { cause: BUFFER, nanos: 10, confidence: 0.6 }, Some(Doubt::Repair));
    let (all, confidence) = direction.limits().sum(|cause| cause == BUFFER);
    assert_eq!(all, 40);
    assert!((confidence - 0.9).abs() < 1e-6, "{confidence}");
    assert_eq!(direction.waiting.len(), 1);
}

/// Time is reported once: at once, or when it is known whether it was a loss.
#[test]
fn time_passes_once() {
    let mut direction = direction();
    direction.add(part(Detail::Idle, 10), Some(Doubt::Rest));
    assert_eq!(passed(&mut direction), [("application/idle".to_owned(), 10)], "a rest is the application's");
    direction.peer_spoke();
    assert_eq!(passed(&mut direction), [], "whose turn it was is not reported again");
    direction.add(part(BUFFER, 20), Some(Doubt::Repair));
    assert_eq!(passed(&mut direction), [], "a silence waits");
    direction.add(part(Detail::Rto, 1), None);
    assert_eq!(passed(&mut direction), [("loss_recovery/rto".to_owned(), 21)]);
    direction.add(part(BUFFER, 20), Some(Doubt::Repair));
    direction.progressed();
    assert_eq!(passed(&mut direction), [("send_buffer".to_owned(), 20)]);
    direction.add(part(BUFFER, 20), Some(Doubt::Repair));
    direction.close();
    assert_eq!(passed(&mut direction), [("send_buffer".to_owned(), 20)], "the end gives out what waits");
    assert_eq!(Direction::new(Timestamp::ZERO, Retention::default()).take_passed(), TimeByCause::default());
}

#[test]
fn time_that_waits_is_time() {
    let mut direction = direction();
    direction.add(part(BUFFER, 0), None);
    direction.add(part(BUFFER, -5), None);
    assert_eq!(direction.end(), Timestamp::ZERO, "no time, no part");
    direction.add(part(WINDOW, 10), None);
    direction.add(part(BUFFER, 20), Some(Doubt::Repair));
    assert_eq!((direction.end().as_nanos(), direction.limits().span().nanos()), (30, 30));
}

/// An interval ends where another cause begins, or where the watching does.
#[test]
fn intervals_end_where_another_cause_begins() {
    let ended = |direction: &mut Direction| -> Vec<(i64, i64, Cause)> {
        let at = |(span, cause): (Span, Cause)| (span.start().as_nanos(), span.end().as_nanos(), cause);
        direction.take_ended().into_iter().map(at).collect()
    };
    let mut direction = direction();
    direction.add(part(BUFFER, 10), None);
    direction.add(part(BUFFER, 5), None);
    assert_eq!(ended(&mut direction), []);
    direction.add(part(WINDOW, 7), None);
    assert_eq!(ended(&mut direction), [(0, 15, BUFFER)]);
    direction.close();
    assert_eq!(ended(&mut direction), [(15, 22, WINDOW)]);
    direction.close();
    assert_eq!(ended(&mut direction), [], "once");
}

/// The strip shows what the totals show, once a rest has its owner.
#[test]
fn a_rest_that_is_renamed_is_renamed_everywhere() {
    let mut direction = direction();
    direction.add(part(BUFFER, 1_000_000_000), None);
    direction.add(part(Detail::Idle, 1_000_000_000), Some(Doubt::Rest));
    direction.peer_spoke();
    let strip = direction.history.strip(Timestamp::from_nanos(1_999_999_999), 2_000_000_000, 2);
    assert_eq!(strip, [Some(BUFFER), Some(Detail::PeerTurn.into())]);
}
