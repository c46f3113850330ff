//! Traces of each packet, compared with values computed by hand.
#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

mod common;

use tcpwhy_analysis::{DirectionState, PacketKind, PacketTrace, Side, Tracer};
use tcpwhy_testkit::{START, script};

fn trace(text: &str) -> Vec<PacketTrace> {
    let segments = script(text).segments;
    let mut tracer = Tracer::new(1, START);
    segments.iter().map(|s| tracer.observe(s).unwrap()).collect()
}

const OPEN: &str = "
 0.000 > S 0:0(0) win 65535 <mss 1000,sackOK,wscale 7>
 0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK,wscale 7>
 0.020 > . 1:1(0) ack 1 win 512
";

fn state(packet: &PacketTrace) -> DirectionState {
    packet.directions[Side::A.index()].unwrap()
}

#[test]
fn flight_edge_and_round_trips() {
    let packets = trace(&format!(
        "{OPEN}
 0.021 > . 1:1001(1000) ack 1 win 512
 0.022 > P. 1001:2001(1000) ack 1 win 512
 0.042 < . 1:1(0) ack 1001 win 100
 0.043 < . 1:1(0) ack 2001 win 99
 0.044 > F. 2001:2001(0) ack 1 win 512
"
    ));
    let [syn, syn_ack, third, first, second, ack1, ack2, fin] = &packets[..] else { panic!() };
    assert_eq!([syn.kind, syn_ack.kind, third.kind], [PacketKind::Syn, PacketKind::Syn, PacketKind::Ordinary]);
    assert_eq!((syn.seq, syn.ack, syn_ack.ack), (Some(1), None, Some(1)));
    // The window of a SYN is not scaled; later ones are, by 2⁷.
    assert_eq!((syn_ack.window, ack1.window), (Some(65_535), Some(12_800)));
    assert_eq!(third.directions, [None, None], "no data yet");
    assert_eq!(
        state(first),
        DirectionState {
            una: Some(1),
            delivered: 1,
            nxt: 1001,
            edge: Some(65_536),
            window: Some(65_535),
            flight: 1000,
            pipe: 1000,
            cwnd_floor: 1000
        }
    );
    assert_eq!((state(second).flight, state(second).nxt), (2000, 2001));
    let after = state(ack1);
    assert_eq!((after.una, after.edge, after.window, after.flight), (Some(1001), Some(13_801), Some(12_800), 1000));
    assert_eq!(ack1.round_trips, [Some(21_000_000), None]);
    assert_eq!(ack2.round_trips, [Some(21_000_000), None]);
    assert_eq!((state(ack2).flight, state(ack2).edge), (0, Some(2001 + 99 * 128)));
    assert_eq!((state(ack2).cwnd_floor, fin.kind), (2000, PacketKind::Fin));
}

#[test]
fn a_hole_its_blocks_and_its_repair() {
    let packets = trace(&format!(
        "{OPEN}
 0.021 > . 1:1001(1000) ack 1 win 512
 0.021 > . 1001:2001(1000) ack 1 win 512
 0.021 > . 2001:3001(1000) ack 1 win 512
 0.021 > . 3001:4001(1000) ack 1 win 512
 0.021 > . 4001:5001(1000) ack 1 win 512
 0.041 < . 1:1(0) ack 1 win 512 <nop,nop,sack 1001:2001>
 0.042 < . 1:1(0) ack 1 win 512 <nop,nop,sack 1001:3001>
 0.043 < . 1:1(0) ack 1 win 512 <nop,nop,sack 1001:4001>
 0.043 > . 1:1001(1000) ack 1 win 512
 0.044 < . 1:1(0) ack 1 win 512 <nop,nop,sack 1001:5001>
 0.063 < . 1:1(0) ack 5001 win 512
 0.064 < . 1:1(0) ack 5001 win 512 <nop,nop,sack 1:1001>
"
    ));
    let [.., sack1, sack2, sack3, again, sack4, all, dsack] = &packets[..] else { panic!() };
    assert_eq!(sack1.sack[0], Some((1001, 2001)));
    assert_eq!(sack2.sack, [Some((2001, 3001)), None, None, None], "only what is new");
    assert_eq!((state(sack1).pipe, state(sack2).pipe), (4000, 3000), "not lost yet");
    assert_eq!((state(sack1).delivered, state(sack3).delivered, state(all).delivered), (1001, 3001, 5001));
    assert_eq!(state(sack3).pipe, 1000, "three segments passed the hole: it counts as lost");
    assert_eq!((again.kind, again.seq, again.len), (PacketKind::FastRetransmission, Some(1), 1000));
    assert_eq!((state(again).flight, state(again).pipe), (5000, 2000), "what was sent again is on the path");
    assert_eq!(state(sack4).pipe, 1000);
    assert_eq!((state(all).una, state(all).flight, state(all).pipe), (Some(5001), 0, 0));
    assert_eq!((dsack.duplicate, dsack.sack[0]), (Some((1, 1001)), None));
    assert!(packets.iter().take(8).all(|p| !matches!(p.kind, PacketKind::FastRetransmission)));
}

#[test]
fn a_closed_window_and_its_probes() {
    let packets = trace(&format!(
        "{OPEN}
 0.021 > . 1:1001(1000) ack 1 win 512
 0.041 < . 1:1(0) ack 1001 win 0
 0.300 > . 1000:1000(0) ack 1 win 512
 0.320 < . 1:1(0) ack 1001 win 0
 0.500 < . 1:1(0) ack 1001 win 100
 5.000 > . 1000:1000(0) ack 1 win 512
"
    ));
    let [.., closed, probe, still, open, keep_alive] = &packets[..] else { panic!() };
    assert!(closed.is_zero_window && still.is_zero_window && !open.is_zero_window && !probe.is_zero_window);
    assert_eq!((probe.kind, keep_alive.kind), (PacketKind::WindowProbe, PacketKind::KeepAlive));
    assert_eq!((state(closed).edge, state(closed).window), (Some(1001), Some(0)));
}

#[test]
fn other_incarnations_are_not_of_it() {
    let segments = script(
        "
 0.000 > S 0:0(0) win 65535 <mss 1000>
 0.010 < R. 0:0(0) ack 1 win 0
",
    )
    .segments;
    let mut again = segments[0];
    again.number = 3;
    again.timestamp = again.timestamp.plus(1_000_000_000);
    again.seq = again.seq.plus(77_777);
    let mut tracer = Tracer::new(1, START);
    assert_eq!(segments.iter().filter_map(|s| tracer.observe(s)).count(), 2);
    assert!(tracer.observe(&again).is_none() && tracer.is_over());
    let mut later = Tracer::new(3, again.timestamp);
    assert!(segments.iter().all(|s| later.observe(s).is_none()));
    assert_eq!(later.observe(&again).unwrap().kind, PacketKind::Syn);
    assert!(Tracer::new(9, START).finish().is_none());
}

#[test]
fn what_it_concludes_is_what_the_analysis_concludes() {
    let transfer = tcpwhy_testkit::Transfer::default().run();
    let mut tracer = Tracer::new(transfer[0].number, transfer[0].timestamp);
    assert!(transfer.iter().all(|s| tracer.observe(s).is_some()));
    let (traced, analysed) = (tracer.finish().unwrap(), common::connection(&transfer));
    assert_eq!(common::describe(&traced), common::describe(&analysed));
}
