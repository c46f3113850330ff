use super::*;
use crate::socket::traits;

/// An established sender of which everything is known, with unsent data.
fn socket() -> SocketSample {
    let mut s = SocketSample { state: Some(TcpState::Established), send_queue: 100_000, ..SocketSample::default() };
    s.congestion_control = Some("cubic".to_owned());
    let info = &mut s.info;
    (info.ca_state, info.snd_mss, info.snd_cwnd, info.unacked) = (Some(0), Some(1000), Some(20), Some(20));
    (info.sacked, info.lost, info.retrans, info.snd_wnd) = (Some(0), Some(0), Some(0), Some(1_000_000));
    (info.notsent_bytes, info.snd_ssthresh, info.snd_wscale) = (Some(80_000), Some(10), Some(7));
    (info.rtt, info.min_rtt, info.total_retrans) = (Some(20_000), Some(20_000), Some(0));
    s
}

/// Each form and each boundary between two of them. Segments of 1000 bytes, 20 of 20 in flight.
#[test]
fn each_form_at_its_boundary() {
    type Change = fn(&mut SocketSample);
    for (what, change, expected) in [
        ("under the threshold", (|s| s.info.snd_ssthresh = Some(21)) as Change, HeldBy::SlowStart),
        ("at the threshold", |s| s.info.snd_ssthresh = Some(20), HeldBy::Cwnd),
        ("5 ms of queue", |s| s.info.rtt = Some(25_000), HeldBy::Cwnd),
        ("more than 5 ms", |s| s.info.rtt = Some(25_001), HeldBy::Queue),
        ("a tenth of 100 ms", |s| (s.info.rtt, s.info.min_rtt) = (Some(110_000), Some(100_000)), HeldBy::Cwnd),
        ("more than a tenth", |s| (s.info.rtt, s.info.min_rtt) = (Some(110_001), Some(100_000)), HeldBy::Queue),
        ("a repeat", |s| s.info.total_retrans = Some(1), HeldBy::PostLoss),
        ("a repeat, and a queue", |s| (s.info.total_retrans, s.info.rtt) = (Some(1), Some(90_000)), HeldBy::Queue),
        (
            "BBR has no threshold",
            |s| {
                (s.congestion_control, s.info.snd_ssthresh) = (Some("bbr".to_owned()), None);
            },
            HeldBy::CwndPaced,
        ),
        (
            "BBR with repeats",
            |s| {
                (s.congestion_control, s.info.total_retrans) = (Some("bbr2".to_owned()), Some(1));
            },
            HeldBy::CwndPaced,
        ),
        ("Loss", |s| s.info.ca_state = Some(4), HeldBy::Rto),
        ("Recovery", |s| s.info.ca_state = Some(3), HeldBy::FastRecovery),
        (
            "the peer's window of a segment",
            |s| {
                (s.info.snd_cwnd, s.info.snd_wnd, s.send_queue) = (Some(40), Some(1000), 81_000);
                s.info.unacked = Some(1);
            },
            HeldBy::ReceiveWindow,
        ),
        (
            "the peer's window of less",
            |s| {
                (s.info.snd_cwnd, s.info.snd_wnd, s.send_queue) = (Some(40), Some(999), 81_000);
                s.info.unacked = Some(1);
            },
            HeldBy::ZeroWindow,
        ),
        (
            "half of what fits without scaling",
            |s| {
                (s.info.snd_cwnd, s.info.snd_wnd, s.info.snd_wscale) = (Some(400), Some(32_767), None);
                (s.send_queue, s.info.unacked) = (112_767, Some(33));
            },
            HeldBy::ReceiveWindow,
        ),
        (
            "more than half of it",
            |s| {
                (s.info.snd_cwnd, s.info.snd_wnd, s.info.snd_wscale) = (Some(400), Some(32_768), None);
                (s.send_queue, s.info.unacked) = (112_768, Some(33));
            },
            HeldBy::NoWindowScale,
        ),
        (
            "the same with scaling",
            |s| {
                (s.info.snd_cwnd, s.info.snd_wnd) = (Some(400), Some(32_768));
                (s.send_queue, s.info.unacked) = (112_768, Some(33));
            },
            HeldBy::ReceiveWindow,
        ),
        ("SYN-RECEIVED", |s| s.state = Some(TcpState::SynReceived), HeldBy::Handshake),
        (
            "SYN-RECEIVED, repeated",
            |s| {
                (s.state, s.info.retransmits) = (Some(TcpState::SynReceived), Some(1));
            },
            HeldBy::SynRto,
        ),
        (
            "SYN-SENT, not repeated",
            |s| {
                (s.state, s.info.retransmits) = (Some(TcpState::SynSent), Some(0));
            },
            HeldBy::Handshake,
        ),
    ] {
        let mut socket = socket();
        change(&mut socket);
        assert_eq!(held_by(&socket, traits(&socket), Some(false), None), Some(expected), "{what}");
    }
}

/// Whose turn it is: who spoke last, and what was not read; nobody's once a side has closed.
#[test]
fn a_rest_is_of_who_spoke_last() {
    type Change = fn(&mut SocketSample);
    let times = |s: &mut SocketSample, sent, received| {
        (s.info.last_data_sent, s.info.last_data_recv) = (Some(sent), Some(received));
    };
    for (what, sent, received, change, expected) in [
        ("the peer", 50, 49, (|_| ()) as Change, HeldBy::Think),
        ("this side", 49, 50, |_| (), HeldBy::Idle),
        ("both at once", 50, 50, |_| (), HeldBy::Idle),
        ("both at once, and not read", 50, 50, |s| s.receive_queue = 1, HeldBy::Think),
        ("this side, and not read", 49, 50, |s| s.receive_queue = 1, HeldBy::Idle),
        ("the peer never", 50, 49, |s| s.info.bytes_received = Some(0), HeldBy::Idle),
        ("unknown", 50, 49, |s| s.info.last_data_recv = None, HeldBy::Idle),
        ("the peer has closed", 50, 49, |s| s.state = Some(TcpState::CloseWait), HeldBy::CloseWait),
        ("this side has closed", 50, 49, |s| s.state = Some(TcpState::FinWait2), HeldBy::CloseWait),
    ] {
        let mut socket = socket();
        (socket.send_queue, socket.info.bytes_received) = (0, Some(1));
        times(&mut socket, sent, received);
        change(&mut socket);
        assert_eq!(held_by(&socket, traits(&socket), None, None), Some(expected), "{what}");
    }
}
