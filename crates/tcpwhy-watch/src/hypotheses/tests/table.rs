//! The table as a whole: each hypothesis decides a socket, and its place in the order matters.

use super::*;

type Change = fn(&mut Sender);

/// A socket, and facts that no sample shows.
struct Sender {
    socket: SocketSample,
    traits: SocketTraits,
    is_in_send: bool,
}

/// 80 segments of 1000 bytes wait behind 20 in flight, which fill the congestion window. The peer's window
/// has room, and the program is elsewhere.
fn sender(change: Change) -> Sender {
    let mut socket =
        SocketSample { state: Some(TcpState::Established), send_queue: 100_000, ..SocketSample::default() };
    let info = &mut socket.info;
    (info.ca_state, info.snd_mss, info.snd_cwnd, info.unacked) = (Some(0), Some(1000), Some(20), Some(20));
    (info.sacked, info.lost, info.retrans, info.snd_wnd) = (Some(0), Some(0), Some(0), Some(1_000_000));
    (info.notsent_bytes, info.snd_ssthresh, info.snd_wscale) = (Some(80_000), Some(10), Some(7));
    (info.rtt, info.min_rtt, info.bytes_received) = (Some(20_000), Some(20_000), Some(1));
    (info.pacing_rate, info.last_data_sent, info.last_data_recv) = (Some(2000), Some(50), Some(60));
    let mut sender = Sender { socket, traits: SocketTraits::default(), is_in_send: false };
    change(&mut sender);
    sender
}

impl Sender {
    /// `unsent` bytes wait behind `in_flight` segments, and the congestion window has room.
    fn little(&mut self, unsent: u64, in_flight: u64) {
        self.socket.send_queue = in_flight * 1000 + unsent;
        let info = &mut self.socket.info;
        (info.notsent_bytes, info.unacked, info.snd_cwnd) = (Some(unsent), Some(in_flight), Some(1000));
    }

    /// A pacer with room in both windows.
    fn paced(&mut self) {
        (self.traits.paces, self.socket.info.snd_cwnd) = (true, Some(100));
    }

    fn queue(&mut self) {
        self.socket.info.rtt = Some(90_000);
    }

    /// A pacer at the rate of its program.
    fn gives_its_rate(&mut self) {
        self.paced();
        self.delivers(999);
        self.socket.info.delivery_rate_app_limited = Some(1);
    }

    fn delivers(&mut self, rate: u64) {
        self.socket.info.delivery_rate = Some(rate);
    }
}

/// A socket for each row, in the order of the table. Only the program itself knows of its peer's grants.
#[test]
fn each_hypothesis_decides_a_socket() {
    let cases: [(&str, Change); 34] = [
        ("syn_repeated", |s| {
            (s.socket.state, s.socket.info.retransmits) = (Some(TcpState::SynSent), Some(1));
        }),
        ("handshake", |s| s.socket.state = Some(TcpState::SynSent)),
        ("side_has_closed", |s| (s.socket.send_queue, s.socket.state) = (0, Some(TcpState::CloseWait))),
        ("peer_spoke_last", |s| (s.socket.send_queue, s.socket.info.last_data_recv) = (0, Some(40))),
        ("nobody_waits", |s| s.socket.send_queue = 0),
        ("timer_ran_out", |s| {
            s.queue();
            s.socket.info.ca_state = Some(4);
        }),
        ("repair_over_queue", |s| {
            s.queue();
            s.socket.info.ca_state = Some(3);
        }),
        ("repair", |s| s.socket.info.ca_state = Some(3)),
        ("full_buffer_over_full_link", |s| {
            s.little(0, 20);
            s.queue();
            s.is_in_send = true;
        }),
        ("full_buffer", |s| {
            s.little(0, 20);
            s.is_in_send = true;
        }),
        ("corked_in_flight", |s| {
            s.little(999, 20);
            s.traits.corked = true;
        }),
        ("small_segment_awaits_ack", |s| s.little(999, 20)),
        ("last_data_in_flight", |s| {
            s.little(0, 20);
            s.socket.state = Some(TcpState::FinWait1);
        }),
        ("corked", |s| s.little(999, 0)),
        ("application", |s| s.little(0, 20)),
        ("rate_set_by_program", |s| {
            s.paced();
            s.socket.info.max_pacing_rate = Some(2000);
        }),
        ("interface_full", |s| {
            s.paced();
            s.socket.memory.transmit_allocated = Some(9999);
        }),
        ("paced_buffer_over_full_link", |s| {
            s.paced();
            (s.is_in_send, s.socket.info.snd_cwnd) = (true, Some(1000));
            s.queue();
        }),
        ("paced_in_small_buffer", |s| {
            s.paced();
            (s.is_in_send, s.socket.info.snd_cwnd) = (true, Some(1000));
        }),
        ("paced_last_data", |s| {
            s.gives_its_rate();
            s.socket.state = Some(TcpState::FinWait1);
        }),
        ("paced_by_program", Sender::gives_its_rate),
        ("pacer_starts", |s| {
            s.paced();
            s.delivers(999);
        }),
        ("pacer_at_paths_rate", |s| {
            s.paced();
            s.delivers(1000);
        }),
        ("pacer_without_rate", Sender::paced),
        ("window_closed", |s| s.socket.info.snd_wnd = Some(999)),
        ("window_unscaled", |s| {
            (s.socket.info.snd_wnd, s.socket.info.snd_wscale, s.socket.info.snd_mss) =
                (Some(40_000), None, Some(40_000));
            s.socket.info.notsent_bytes = Some(90_000);
            s.socket.info.snd_cwnd = Some(30);
        }),
        ("window_full", |s| {
            (s.socket.info.snd_wnd, s.socket.info.snd_cwnd) = (Some(20_500), Some(30));
        }),
        ("below_threshold", |s| s.socket.info.snd_ssthresh = Some(21)),
        ("cwnd_over_queue", Sender::queue),
        ("paced_cwnd_starts", |s| {
            s.traits.paces = true;
            s.delivers(999);
        }),
        ("paced_cwnd_at_paths_rate", |s| {
            s.traits.paces = true;
            s.delivers(1000);
        }),
        ("paced_cwnd_without_rate", |s| s.traits.paces = true),
        ("cwnd_after_losses", |s| s.socket.info.total_retrans = Some(1)),
        ("cwnd", |_| ()),
    ];
    for (reason, change) in cases {
        let s = sender(change);
        let decided = decide(&s.socket, s.traits, Some(s.is_in_send), None).map(|hypothesis| hypothesis.reason);
        assert_eq!(decided, Some(reason));
    }
    let asked = TABLE.iter().filter(|hypothesis| hypothesis.held != Some(Held::PeerWindow));
    assert!(asked.map(|hypothesis| hypothesis.reason).eq(cases.iter().map(|case| case.0)), "a case for each row");
}

/// A row names one form of one limit, and no other row has its reason.
#[test]
fn reasons_are_unique() {
    let mut reasons: Vec<_> = TABLE.iter().map(|hypothesis| hypothesis.reason).collect();
    reasons.sort_unstable();
    assert!(reasons.windows(2).all(|pair| pair[0] != pair[1]), "{reasons:?}");
}

/// Forms of one limit follow each other. The last of them always holds, so that no other limit gets its time.
#[test]
fn a_limit_that_holds_has_a_form() {
    let (memory, info) = (SocketMemory::default(), TcpInfo::default());
    let state = SenderState {
        outq: None,
        unsent: None,
        memory: &memory,
        info: &info,
        is_in_send: None,
        awaits_peer_window: false,
        grows: false,
    };
    let nothing = Facts::of(&state, SocketTraits::default(), None);
    for pair in TABLE.windows(2).filter(|pair| pair[0].held != pair[1].held) {
        assert_eq!((pair[0].form)(&nothing), Some(true), "{}", pair[0].reason);
    }
    let last = TABLE.last().unwrap();
    assert_eq!([last.holds, last.form].map(|test| test(&nothing)), [Some(true), Some(true)]);
}
