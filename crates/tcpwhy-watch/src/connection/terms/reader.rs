//! The receiving direction, and which direction is the one to speak of.

use tcpwhy_analysis::Role;

use super::*;

/// `got` bytes received so far; its reader is slow where `unread` is not 0.
fn reads(millis: i64, got: u64, unread: u64) -> KernelSample {
    sample(millis, |s| {
        (s.info.bytes_received, s.receive_queue) = (Some(got), unread);
        (s.info.rcv_wnd, s.info.rcv_mss) = (Some(0), Some(1000));
    })
}

fn receiving(connection: &LiveConnection) -> LimitTimeline {
    connection.reader.receiving.as_ref().unwrap().limits()
}

/// The direction begins with the time in which its first byte came.
#[test]
fn the_peers_direction_begins_with_its_first_byte() {
    let connection = of(vec![reads(0, 0, 0), reads(100, 0, 0), reads(200, 1, 0), reads(300, 1, 0)]);
    let limits = receiving(&connection);
    assert_eq!((limits.span().start().as_nanos(), limits.span().nanos()), (100 * MILLISECOND, 200 * MILLISECOND));
    assert!(of(vec![reads(0, 5, 0), reads(100, 5, 0)]).reader.receiving.is_none(), "no byte came while it was watched");
    // Nobody reads what waits, and nothing more can come.
    let stopped = of(vec![reads(0, 5, 9), reads(100, 5, 9)]);
    assert_eq!(course(&receiving(&stopped)), names(&[("receive_window/slow_reader", 100)]));
    assert!(stopped.is_receiver());
}

/// Each sample stands for its half.
#[test]
fn a_slow_reader_has_its_half() {
    let sure = |connection: &LiveConnection| receiving(connection).sum(|_| true).1;
    let slow = of(vec![reads(0, 0, 9), reads(100, 1, 9)]);
    assert_eq!(course(&receiving(&slow)), names(&[("receive_window/slow_reader", 100)]));
    assert!((sure(&slow) - 0.98).abs() < 1e-6, "both samples agree");
    let stops = of(vec![reads(0, 0, 0), reads(100, 1, 9)]);
    assert_eq!(course(&receiving(&stops)), names(&[("unobserved", 50), ("receive_window/slow_reader", 50)]));
    assert!((sure(&stops) - 0.85).abs() < 1e-6, "one sample each");
    let goes_on = of(vec![reads(0, 0, 9), reads(100, 1, 0)]);
    assert_eq!(course(&receiving(&goes_on)), names(&[("receive_window/slow_reader", 50), ("unobserved", 50)]));
}

/// After the peer's FIN nothing more is received.
#[test]
fn what_a_peer_that_has_closed_sends_has_no_time() {
    let closed = |millis| {
        let mut closed = reads(millis, 2, 0);
        closed.socket.state = Some(TcpState::CloseWait);
        closed
    };
    let connection = of(vec![reads(0, 0, 0), reads(100, 1, 0), closed(200), closed(300)]);
    assert_eq!(receiving(&connection).span().nanos() / MILLISECOND, 200, "up to the sample that shows its FIN");
}

/// The account counts what the reader did, and no more than passed.
#[test]
fn an_account_counts_a_slow_reader() {
    let told = |slow: i64, idle: i64| {
        let mut told = account(&[(HeldBy::Idle, idle)]);
        told.slow_reader = slow * MILLISECOND;
        told
    };
    let found = |slow: i64| {
        let begun = told(40, 100);
        let mut connection = LiveConnection::with_account(0, reads(100, 0, 9), begun, Retention::default());
        connection.observe(reads(200, 1, 9), Some(told(slow, 200)), None);
        (course(&receiving(&connection)), receiving(&connection).sum(|_| true).1)
    };
    let (course, sure) = found(70);
    assert_eq!(course, names(&[("receive_window/slow_reader", 30), ("unobserved", 70)]));
    assert!((sure - 0.99).abs() < 1e-6, "{sure}");
    assert_eq!(found(9000).0, names(&[("receive_window/slow_reader", 100)]), "no more than passed");
    assert_eq!(found(10).0, names(&[("unobserved", 100)]), "a count that goes back is none");
}

/// `LEAST_ANSWERS`: three; `LARGEST_REQUEST`: 65,536 bytes per answer.
#[test]
fn a_side_that_answers_is_the_one_to_speak_of() {
    for (what, answers, received, sent, queue, is_receiver) in [
        ("three answers", 3, 196_608, 10, 0, false),
        ("two answers", 2, 131_072, 10, 0, true),
        ("three answers to more than one write could give", 3, 196_609, 10, 0, true),
        ("as much sent", 0, 10, 10, 0, false),
        ("less sent", 0, 11, 10, 0, true),
        ("less sent, and something is queued", 0, 11, 10, 1, false),
    ] {
        let begun = account(&[(HeldBy::Idle, 100)]);
        let mut connection = LiveConnection::with_account(0, sample(100, |_| ()), begun, Retention::default());
        let mut now = account(&[(HeldBy::Idle, 200)]);
        now.turns[0].count = answers;
        // Turns of the peer are no answers of this side.
        now.turns[1].count = 9;
        let spoken = sample(200, |s| {
            (s.info.bytes_received, s.info.bytes_acked, s.send_queue) = (Some(received), Some(sent), queue);
        });
        connection.observe(spoken, Some(now), None);
        assert_eq!(connection.is_receiver(), is_receiver, "{what}");
    }
}

/// The limit now belongs to the direction to speak of.
#[test]
fn the_limit_now_is_of_the_direction_to_speak_of() {
    let now = |connection: &LiveConnection| connection.limit_now().to_string();
    assert_eq!(now(&of(vec![reads(0, 0, 0), reads(100, 9, 9)])), "receive_window/slow_reader");
    assert_eq!(now(&of(vec![reads(0, 0, 9), reads(100, 9, 0)])), "unobserved", "a reader that goes on");
    let mut sends = reads(100, 9, 9);
    full(&mut sends.socket);
    let sends = of(vec![reads(0, 0, 0), sends]);
    assert_eq!(now(&sends), "send_buffer", "data is to be sent");
    assert_eq!(course(&sends.limits()), course(&sends.sending_limits()));
    let receives = of(vec![reads(0, 0, 0), reads(100, 9, 9)]);
    assert_eq!(course(&receives.limits()), course(&receiving(&receives)));
    let since = Timestamp::from_nanos(99 * MILLISECOND);
    let strip = receives.strip(since, 100 * MILLISECOND, 1);
    assert_eq!(strip, [Some(Detail::SlowReader.into())]);
    let slow = receives.seconds_under(WINDOW, since, 100 * MILLISECOND);
    assert!((slow - 0.1).abs() < 1e-9, "{slow}");
    assert_eq!(receives.times(since, 100 * MILLISECOND), [(Detail::SlowReader.into(), 100 * MILLISECOND, true)]);
}

/// A change could have saved some of the time.
#[test]
fn what_counts_as_lost() {
    let lost = |change: fn(&mut LiveConnection), cause: Cause| {
        let begun = account(&[(HeldBy::Idle, 100)]);
        let mut connection = LiveConnection::with_account(0, sample(100, |_| ()), begun, Retention::default());
        connection.is_server = true;
        change(&mut connection);
        connection.is_lost(cause)
    };
    // `AT_ONCE`: a millisecond per answer.
    let answers = |count: u64, nanos: i64| {
        let begun = account(&[(HeldBy::Idle, 100)]);
        let mut connection = LiveConnection::with_account(0, sample(100, |_| ()), begun, Retention::default());
        connection.is_server = true;
        let account = connection.account.as_mut().unwrap();
        (account.turns[0].count, account.turns[0].nanos) = (count, nanos);
        (account.turns[1].count, account.turns[1].nanos) = (9, 0);
        connection.is_lost(Detail::Think.into())
    };
    assert!(!answers(3, 3 * MILLISECOND - 1), "less than a millisecond each");
    assert!(answers(3, 3 * MILLISECOND), "a millisecond each");
    assert!(answers(0, 0), "no answer yet");
    assert!(!lost(|c| c.is_server = false, Detail::Think.into()), "a client may think");
    let think: Cause = Detail::Think.into();
    assert!(lost(|_| (), think));
    assert!(!lost(|_| (), Detail::Other.into()), "a congestion window without a reason");
    assert!(!lost(|_| (), Detail::PacedWrites.into()), "a program's own pace");
    assert!(!lost(|_| (), Detail::Paced.into()), "a rate that nobody has set");
    assert!(lost(|c| c.last.socket.info.max_pacing_rate = Some(1), Detail::Paced.into()), "a rate that is set");
    assert!(lost(|_| (), BUFFER) && lost(|_| (), WINDOW) && lost(|_| (), Detail::SlowReader.into()));
    assert!(
        !lost(|_| (), UNSEEN) && !lost(|_| (), Detail::CloseWait.into()) && !lost(|_| (), Cause::plain(Limit::Path))
    );
}

#[test]
fn a_role_takes_a_port() {
    let mut connection = of(vec![sample(0, |_| ())]);
    assert_eq!(connection.role(), Role::Client);
    connection.is_server = true;
    assert_eq!(connection.role(), Role::Server);
    connection.last.socket.local.port = None;
    assert_eq!(connection.role(), Role::Unknown);
}
