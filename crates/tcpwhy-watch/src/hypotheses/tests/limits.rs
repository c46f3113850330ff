use super::*;

#[derive(Clone, Copy, Default)]
struct Sample {
    is_in_send: Option<bool>,
    awaits_peer_window: bool,
    outq: Option<u64>,
    unsent: Option<u64>,
    memory: SocketMemory,
    info: TcpInfo,
}

impl Sample {
    fn held(&self, traits: SocketTraits) -> Option<Held> {
        let Self { is_in_send, awaits_peer_window, outq, unsent, memory, info } = *self;
        let (memory, info) = (&memory, &info);
        held(&SenderState { outq, unsent, memory, info, is_in_send, awaits_peer_window, grows: false }, traits)
    }
}

/// 10 segments in flight of a window of 20, 50 kB of room at the peer, nothing unsent, an application
/// elsewhere.
fn sample() -> Sample {
    let mut sample = Sample { is_in_send: Some(false), ..Sample::default() };
    (sample.outq, sample.unsent) = (Some(14_480), Some(0));
    sample.memory.transmit_allocated = Some(0);
    let info = &mut sample.info;
    (info.ca_state, info.snd_mss, info.snd_cwnd, info.unacked) = (Some(0), Some(1448), Some(20), Some(10));
    (info.sacked, info.lost, info.retrans, info.snd_wnd) = (Some(0), Some(0), Some(0), Some(64_480));
    info.pacing_rate = Some(2_000_000);
    sample
}

#[track_caller]
fn check(expected: Held, change: impl FnOnce(&mut Sample)) {
    let mut sample = sample();
    change(&mut sample);
    assert_eq!(sample.held(SocketTraits::default()), Some(expected));
}

fn unsent(sample: &mut Sample, bytes: u64) {
    sample.outq = Some(14_480 + bytes);
    sample.unsent = Some(bytes);
}

#[test]
fn nothing_to_send() {
    check(Held::App, |_| ());
    check(Held::Idle, |s| s.outq = Some(0));
    check(Held::Nagle, |s| unsent(s, 500));
    check(Held::App, |s| {
        unsent(s, 500);
        s.info.unacked = Some(0);
    });
}

#[test]
fn all_sent_and_inside_send_is_the_send_buffer() {
    check(Held::Sndbuf, |s| s.is_in_send = Some(true));
    check(Held::Sndbuf, |s| {
        unsent(s, 500);
        s.is_in_send = Some(true);
    });
}

/// The peer's protocol allows no more: nothing else is waited for, unless data waits inside TCP.
#[test]
fn a_peer_that_grants_no_more_is_named_where_all_was_sent() {
    let awaits = |s: &mut Sample| s.awaits_peer_window = true;
    check(Held::PeerWindow, awaits);
    check(Held::PeerWindow, |s| {
        awaits(s);
        s.outq = Some(0);
    });
    check(Held::Nagle, |s| {
        awaits(s);
        unsent(s, 500);
    });
    check(Held::PeerWindow, |s| {
        awaits(s);
        unsent(s, 500);
        s.info.unacked = Some(0);
    });
    check(Held::Cwnd, |s| {
        awaits(s);
        unsent(s, 100_000);
        s.info.unacked = Some(20);
    });
    check(Held::Loss, |s| {
        awaits(s);
        s.info.ca_state = Some(3);
    });
}

#[test]
fn an_unknown_program_shows_itself_in_the_buffer() {
    let full = |queued| {
        move |s: &mut Sample| {
            s.is_in_send = None;
            (s.memory.send_queued, s.memory.send_buffer) = (Some(queued), Some(30_000));
        }
    };
    check(Held::Sndbuf, full(20_000));
    check(Held::App, full(19_999));
}

#[test]
fn the_least_room_holds() {
    check(Held::Cwnd, |s| {
        unsent(s, 100_000);
        s.info.unacked = Some(20);
    });
    check(Held::Rwnd, |s| {
        unsent(s, 100_000);
        s.info.snd_wnd = Some(14_480 + 1000);
    });
    // Sacked segments have left, retransmitted ones have not.
    check(Held::Rwnd, |s| {
        unsent(s, 100_000);
        s.info.snd_wnd = Some(14_480 + 3000);
        (s.info.unacked, s.info.sacked, s.info.retrans) = (Some(20), Some(4), Some(1));
    });
}

#[test]
fn a_recovery_goes_before_the_rest() {
    check(Held::Loss, |s| s.info.ca_state = Some(3));
    check(Held::Cwnd, |s| {
        unsent(s, 100_000);
        s.info.ca_state = Some(2); // CWR: cut by a mark
    });
}

#[test]
fn room_everywhere_leaves_interface_and_pacer() {
    check(Held::Nic, |s| {
        unsent(s, 100_000);
        s.memory.transmit_allocated = Some(30_000);
    });
    let mut waiting = sample();
    unsent(&mut waiting, 100_000);
    assert_eq!(waiting.held(SocketTraits { paces: true, ..SocketTraits::default() }), Some(Held::Pacing));
    assert_eq!(waiting.held(SocketTraits::default()), Some(Held::Cwnd), "14,480 of 50,000");
    // A pacer that finds less room than it sends at once is not what holds.
    waiting.info.snd_wnd = Some(14_480 + 2000);
    assert_eq!(waiting.held(SocketTraits { paces: true, ..SocketTraits::default() }), Some(Held::Rwnd));
}

/// On loopback a segment is as large as a burst.
#[test]
fn segments_may_be_larger_than_a_burst() {
    let mut s = sample();
    unsent(&mut s, 200_000);
    (s.info.snd_mss, s.info.snd_wnd) = (Some(65_483), Some(14_480 + 100_000));
    assert_eq!(s.held(SocketTraits { paces: true, ..SocketTraits::default() }), Some(Held::Rwnd));
}

#[test]
fn what_is_not_known_is_not_guessed() {
    assert_eq!(Sample::default().held(SocketTraits::default()), None);
}

#[test]
fn names_are_those_of_recordings() {
    for held in Held::ALL {
        assert_eq!(Held::from_id(held.id()), Some(held));
    }
    assert_eq!(Held::from_id("x"), None);
}

/// Each term of the decision, at its boundary. Segments of 1448 bytes, 10 of 20 in flight, 50,000 bytes
/// of room at the peer.
#[test]
fn each_term_of_the_decision() {
    type Change = fn(&mut Sample);
    const NODELAY: SocketTraits = SocketTraits { paces: false, nodelay: true, corked: false };
    const PLAIN: SocketTraits = SocketTraits { paces: false, nodelay: false, corked: false };
    const PACES: SocketTraits = SocketTraits { paces: true, nodelay: false, corked: false };
    let full_window: Change = |s| {
        unsent(s, 1447);
        s.info.unacked = Some(20);
    };
    for (what, change, manner, expected) in [
        ("less than a segment, something in flight", (|s| unsent(s, 1447)) as Change, PLAIN, Held::Nagle),
        ("less than a segment, without Nagle", |s| unsent(s, 1447), NODELAY, Held::App),
        ("a segment", |s| unsent(s, 1448), PLAIN, Held::Cwnd),
        ("less than a segment, a full congestion window", full_window, PLAIN, Held::Cwnd),
        (
            "less than a segment that fills the peer's window",
            |s| {
                unsent(s, 1447);
                s.info.snd_wnd = Some(14_480 + 1447);
            },
            PLAIN,
            Held::Nagle,
        ),
        (
            "less than a segment, and the peer's window has less",
            |s| {
                unsent(s, 1447);
                s.info.snd_wnd = Some(14_480 + 1446);
            },
            PLAIN,
            Held::Rwnd,
        ),
        (
            "less than a segment, inside send",
            |s| {
                unsent(s, 1447);
                s.is_in_send = Some(true);
            },
            NODELAY,
            Held::Sndbuf,
        ),
        (
            "as much room in both windows",
            |s| {
                unsent(s, 100_000);
                s.info.snd_wnd = Some(14_480 + 14_480);
            },
            PLAIN,
            Held::Rwnd,
        ),
        (
            "a byte more room at the peer",
            |s| {
                unsent(s, 100_000);
                s.info.snd_wnd = Some(14_480 + 14_481);
            },
            PLAIN,
            Held::Cwnd,
        ),
        (
            "less than a segment of room, and the interface is full",
            |s| {
                unsent(s, 100_000);
                (s.info.snd_wnd, s.memory.transmit_allocated) = (Some(14_480 + 1447), Some(30_000));
            },
            PLAIN,
            Held::Rwnd,
        ),
        (
            "two segments in the interface",
            |s| {
                unsent(s, 100_000);
                s.memory.transmit_allocated = Some(4496);
            },
            PACES,
            Held::Pacing,
        ),
        (
            "more in the interface",
            |s| {
                unsent(s, 100_000);
                s.memory.transmit_allocated = Some(4497);
            },
            PACES,
            Held::Nic,
        ),
        (
            "a millisecond of the pacing rate in the interface",
            |s| {
                unsent(s, 100_000);
                (s.info.pacing_rate, s.memory.transmit_allocated) = (Some(10_240_000), Some(10_000));
            },
            PACES,
            Held::Pacing,
        ),
        (
            "more than a millisecond of it",
            |s| {
                unsent(s, 100_000);
                (s.info.pacing_rate, s.memory.transmit_allocated) = (Some(10_240_000), Some(10_001));
            },
            PACES,
            Held::Nic,
        ),
        (
            "paced, room for two segments at the peer",
            |s| {
                unsent(s, 100_000);
                s.info.snd_wnd = Some(14_480 + 2896);
            },
            PACES,
            Held::Pacing,
        ),
        (
            "paced, less room at the peer",
            |s| {
                unsent(s, 100_000);
                s.info.snd_wnd = Some(14_480 + 2895);
            },
            PACES,
            Held::Rwnd,
        ),
        (
            "the same, not paced",
            |s| {
                unsent(s, 100_000);
                s.info.snd_wnd = Some(14_480 + 2896);
            },
            PLAIN,
            Held::Rwnd,
        ),
        ("Recovery", |s| s.info.ca_state = Some(3), PLAIN, Held::Loss),
        ("CWR", |s| s.info.ca_state = Some(2), PLAIN, Held::App),
        (
            "two thirds of the buffer",
            |s| {
                s.is_in_send = None;
                (s.memory.send_queued, s.memory.send_buffer) = (Some(20_000), Some(30_000));
            },
            PLAIN,
            Held::Sndbuf,
        ),
        (
            "a full buffer of a program that is elsewhere",
            |s| {
                (s.memory.send_queued, s.memory.send_buffer) = (Some(30_000), Some(30_000));
            },
            PLAIN,
            Held::App,
        ),
    ] {
        let mut sample = sample();
        change(&mut sample);
        assert_eq!(sample.held(manner), Some(expected), "{what}");
    }
}

/// Each number without which nothing is known.
#[test]
fn without_one_number_nothing_is_known() {
    type Change = fn(&mut Sample);
    for (what, change) in [
        ("outq", (|s| s.outq = None) as Change),
        ("ca_state", |s| s.info.ca_state = None),
        ("snd_mss", |s| s.info.snd_mss = None),
        ("snd_cwnd", |s| s.info.snd_cwnd = None),
        ("unacked", |s| s.info.unacked = None),
        ("sacked", |s| s.info.sacked = None),
        ("lost", |s| s.info.lost = None),
        ("retrans", |s| s.info.retrans = None),
    ] {
        let mut sample = sample();
        unsent(&mut sample, 100_000);
        change(&mut sample);
        assert_eq!(sample.held(SocketTraits::default()), None, "{what}");
    }
}
