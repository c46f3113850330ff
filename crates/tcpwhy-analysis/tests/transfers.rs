//! Limits that show over many round trips, set in a model of a transfer and captured at both ends. Hard cases
//! are included, in which the packets suggest another limit than the true one.

#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

mod common;

use common::{analyse, check_verdict, connection, describe, half, principal, rules, share};
use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_model::{Detail, Limit, Rate, Segment, Timestamp, WindowScale};
use tcpwhy_testkit::{
    CLIENT, Capture, Reader, ReceiveBuffer, SERVER, Transfer, Turns, Writer, alter, at, mbit, ms, script,
};

const BOTH: [Capture; 2] = [Capture::Sender, Capture::Receiver];

/// Checks the verdict and a least share of time, from both ends.
#[track_caller]
fn check_both(transfer: &Transfer, cause: &str, least: f64) {
    for capture in BOTH {
        check_verdict(&transfer.captured_at(capture).run(), cause, least);
    }
}

#[track_caller]
fn share_of(segments: &[Segment], cause: &str) -> f64 {
    share(principal(&connection(segments)), cause)
}

fn verdict(connection: &Connection) -> Option<Limit> {
    principal(connection).verdict.cause.map(|c| c.limit)
}

/// Returns the client's data direction.
#[track_caller]
fn client(connection: &Connection) -> &HalfConnection {
    half(connection, true).unwrap_or_else(|| panic!("the client sent nothing"))
}

/// Returns the server's data direction.
#[track_caller]
fn server(connection: &Connection) -> &HalfConnection {
    half(connection, false).unwrap_or_else(|| panic!("the server sent nothing"))
}

fn ample() -> Transfer {
    Transfer::default()
}

#[test]
fn send_buffer() {
    check_both(&Transfer { send_buffer: Some(64_000), ..ample() }, "send_buffer", 0.6);
    check_both(&Transfer { bytes: 1_000_000, send_buffer: Some(20_000), ..ample() }, "send_buffer", 0.8);
    check_both(
        &Transfer { bytes: 20_000_000, rtt: ms(100) + 130_000, send_buffer: Some(400_000), ..ample() },
        "send_buffer",
        0.6,
    );
}

#[test]
fn send_buffer_of_a_server() {
    check_both(&Transfer { send_buffer: Some(64_000), is_download: true, ..ample() }, "send_buffer", 0.6);
}

#[test]
fn send_buffer_seen_half_way() {
    let t = Transfer { send_buffer: Some(64_000), capture: Capture::Middle, ..ample() };
    check_verdict(&t.run(), "send_buffer", 0.6);
}

#[test]
fn send_buffer_with_offload_and_compressed_acks() {
    let t = Transfer { send_buffer: Some(64_000), offload: Some(65_160), ack_batches: Some(200_000), ..ample() };
    check_verdict(&t.run(), "send_buffer", 0.6);
}

#[test]
fn receive_window_small_buffer() {
    let small = |bytes| Transfer { receive_buffer: ReceiveBuffer::Fixed(bytes), window_scale: Some(2), ..ample() };
    check_both(&small(64_000), "receive_window/small_buffer", 0.8);
    check_both(&Transfer { is_download: true, ..small(64_000) }, "receive_window/small_buffer", 0.8);
    check_both(&Transfer { bytes: 200_000, window_scale: Some(0), ..small(3456) }, "receive_window/small_buffer", 0.8);
    assert!(share_of(&ample().run(), "receive_window") < 0.05);
}

#[test]
fn receive_window_capped() {
    let t = Transfer {
        bytes: 80_000_000,
        receive_buffer: ReceiveBuffer::Growing { from: 64_000, most: 1_800_000 },
        window_scale: Some(7),
        ..ample()
    };
    check_verdict(&t.run(), "receive_window/capped", 0.5);
}

#[test]
fn receive_window_without_scaling() {
    let t = Transfer { receive_buffer: ReceiveBuffer::Fixed(6_000_000), window_scale: None, ..ample() };
    check_both(&t, "receive_window/no_window_scale", 0.8);
}

#[test]
fn receive_window_of_a_slow_reader() {
    let slow = |rate| Transfer {
        receive_buffer: ReceiveBuffer::Fixed(256_000),
        window_scale: Some(3),
        reader: Reader::Rate(rate),
        ..ample()
    };
    check_both(&slow(1_000_000), "receive_window/slow_reader", 0.8);
    assert!(share_of(&slow(100_000_000).run(), "receive_window/slow_reader") < 0.05);
}

/// Large reads at long intervals: between two of them the window fills and opens completely, and its maximum
/// never changes.
#[test]
fn receive_window_of_a_reader_that_takes_large_pieces() {
    let reader = |pause| Transfer {
        receive_buffer: ReceiveBuffer::Fixed(256_000),
        window_scale: Some(3),
        reader: Reader::Pauses { every: 200_000, nanos: pause },
        ..ample()
    };
    check_both(&reader(ms(50)), "receive_window/slow_reader", 0.6);
    // A pause far shorter than the round trip does not matter, and the buffer is the limit.
    assert!(share_of(&reader(ms(2)).run(), "receive_window/slow_reader") < 0.3);
}

#[test]
fn receive_window_of_a_reader_that_stops() {
    let t = Transfer {
        receive_buffer: ReceiveBuffer::Fixed(64 * 1448),
        window_scale: Some(3),
        reader: Reader::Pauses { every: 1_000_000, nanos: ms(2000) },
        ..ample()
    };
    check_both(&t, "receive_window/zero_window", 0.8);
}

#[test]
fn receive_window_of_a_reader_that_stops_shortly() {
    let t = Transfer {
        receive_buffer: ReceiveBuffer::Fixed(256_000),
        window_scale: Some(3),
        reader: Reader::Pauses { every: 500_000, nanos: ms(150) },
        ..ample()
    };
    for capture in BOTH {
        assert!(share_of(&t.captured_at(capture).run(), "receive_window/small_buffer") < 0.2);
    }
}

#[test]
fn receive_window_that_grows() {
    // The window doubles once in four round trips.
    let t = Transfer {
        bytes: 10_000_000,
        receive_buffer: ReceiveBuffer::Growing { from: 40_000, most: 60_000_000 },
        window_scale: Some(10),
        ..ample()
    };
    assert!(share_of(&t.run(), "receive_window/small_buffer") < 0.3);
}

#[test]
fn path_queue() {
    let narrow = |queue| Transfer { bytes: 10_000_000, rate: Some(mbit(20)), queue, ..ample() };
    check_both(&narrow(100_000), "path/queue", 0.5);
    check_both(&narrow(400_000), "path/queue", 0.5);
    assert!(share_of(&Transfer { send_buffer: Some(64_000), ..ample() }.run(), "path") < 0.05);
}

#[test]
fn path_queue_without_end() {
    check_both(&Transfer { bytes: 10_000_000, rate: Some(mbit(20)), ..ample() }, "path/queue", 0.5);
}

#[test]
fn path_queue_at_the_receiver_is_not_the_application() {
    let t = Transfer { bytes: 10_000_000, rate: Some(mbit(10)), queue: 312_500, capture: Capture::Receiver, ..ample() };
    check_verdict(&t.run(), "path/queue", 0.5);
    assert!(share_of(&t.run(), "application") < 0.1);
}

#[test]
fn path_policer() {
    let t = Transfer { bytes: 12_000_000, policer: Some((mbit(10), 200_000)), ..ample() };
    check_both(&t, "path/policer", 0.5);
    for capture in BOTH {
        let c = connection(&t.captured_at(capture).run());
        assert!(rules(&c).contains(&"policer"), "{}", describe(&c));
    }
}

/// Drops of a short queue and random losses do not come from a policer.
#[test]
fn path_policer_is_not_every_loss() {
    let short = Transfer { bytes: 12_000_000, rate: Some(mbit(10)), queue: 15_000, ..ample() };
    let chance = Transfer { bytes: 12_000_000, lost_every: Some(97), ..ample() };
    for t in [short, chance] {
        for capture in BOTH {
            assert!(share_of(&t.captured_at(capture).run(), "path/policer") < 0.001);
        }
    }
}

/// For any rate, burst, round trip and capture point, a policer that limited a transfer is reported with its
/// rate. Without a policer, none is reported.
#[test]
fn policers_on_fresh_seeds() {
    let mut dice = Dice(0x5eed_2016);
    let (mut told, mut all) = (0, 0);
    for _ in 0..24 {
        let rate = dice.between(500e3, 4e6);
        let t = Transfer {
            bytes: (rate * 12.0) as u64,
            rtt: dice.between(15e6, 90e6) as i64,
            rate: Some((rate * dice.between(8.0, 30.0)) as u64),
            capture: [Capture::Sender, Capture::Middle, Capture::Receiver][dice.below(3) as usize],
            delays_acks: dice.below(2) == 0,
            has_timestamps: dice.below(3) > 0,
            ..ample()
        };
        let burst = (rate * dice.between(0.05, 0.3)) as u64;
        let policed = connection(&Transfer { policer: Some((rate as u64, burst)), ..t.clone() }.run());
        let half = principal(&policed);
        all += 1;
        if half.verdict.cause == Some(Detail::Policer.into()) {
            told += 1;
            let found = half.path_rate.map_or(0.0, Rate::bytes_per_sec);
            let is_near_the_rate = half.goodput.is_some_and(|g| g.bytes_per_sec() > rate * 0.85);
            assert!(!is_near_the_rate || (found / rate - 0.95).abs() < 0.1, "{found} {rate} {}", describe(&policed));
        }
        let share = dice.below(60) + 30;
        let lost: Vec<u64> = (0..40_000).filter(|_| dice.below(share) == 0).collect();
        let queue = dice.between(20e3, 1e6) as u64;
        let negatives = [Transfer { lost, ..t.clone() }, Transfer { rate: Some(rate as u64), queue, ..t.clone() }];
        for negative in negatives {
            let c = connection(&negative.run());
            assert!(!rules(&c).contains(&"policer"), "{negative:?}\n{}", describe(&c));
        }
    }
    assert!(told * 2 >= all, "{told} of {all}");
}

/// A generator of numbers (Knuth's MMIX).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// Returns a number, distributed evenly by order of magnitude.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.below(1 << 20) as f64 / f64::from(1 << 20))
    }
}

/// Delivery at the path's rate with losses from its full queue shows the path, whatever the bytes in flight.
#[test]
fn path_with_losses_is_the_path() {
    for queue in [40_000, 60_000, 120_000] {
        let t = Transfer { bytes: 12_000_000, rate: Some(mbit(10)), queue, ..ample() };
        for capture in BOTH {
            let c = connection(&t.captured_at(capture).run());
            assert_eq!(verdict(&c), Some(Limit::Path), "{queue} {capture:?} {}", describe(&c));
        }
    }
}

#[test]
fn slow_start() {
    check_both(&Transfer { bytes: 300_000, rtt: ms(100) + 130_000, ..ample() }, "slow_start", 0.4);
    assert!(share_of(&Transfer { bytes: 8_000_000, send_buffer: Some(64_000), ..ample() }.run(), "slow_start") < 0.1);
}

#[test]
fn loss_recovery_fast() {
    let lossy = Transfer { bytes: 1_000_000, lost_every: Some(40), ..ample() };
    for capture in BOTH {
        assert!(share_of(&lossy.captured_at(capture).run(), "loss_recovery/fast") > 0.1);
    }
    assert!(share_of(&ample().run(), "loss_recovery") < 0.01);
}

#[test]
fn loss_recovery_rto() {
    check_verdict(&Transfer { bytes: 100_000, lost: vec![69], ..ample() }.run(), "loss_recovery/rto", 0.5);
}

#[test]
fn congestion_window_after_losses() {
    check_both(&Transfer { lost_every: Some(200), ..ample() }, "congestion_window/post_loss", 0.5);
    check_both(&Transfer { lost_every: Some(97), ..ample() }, "congestion_window/post_loss", 0.5);
    assert!(share_of(&ample().run(), "congestion_window/post_loss") < 0.01);
}

/// A mark reduces the window as a loss does (RFC 3168 §6.1.2), but nothing is lost.
#[test]
fn congestion_window_after_marks() {
    for marked_every in [97, 200, 400] {
        let t = Transfer { marked_every: Some(marked_every), ..ample() };
        check_both(&t, "congestion_window/post_mark", 0.5);
        check_verdict(&t.captured_at(Capture::Middle).run(), "congestion_window/post_mark", 0.5);
        assert!(share_of(&t.run(), "congestion_window/post_loss") < 0.01);
        // Slow start ends with the first mark.
        assert!(share_of(&t.run(), "slow_start") < 0.2);
    }
    assert!(share_of(&ample().run(), "congestion_window/post_mark") < 0.01);
    assert!(share_of(&Transfer { lost_every: Some(200), ..ample() }.run(), "congestion_window/post_mark") < 0.01);
    // Losses after marks are losses.
    let both = Transfer { marked_every: Some(1000), lost_every: Some(150), ..ample() };
    check_both(&both, "congestion_window/post_loss", 0.4);
    // Marks of a queue that never empties cost nothing, because the path is saturated.
    let full =
        Transfer { bytes: 12_000_000, rate: Some(mbit(20)), queue: 400_000, marked_every: Some(2000), ..ample() };
    check_both(&full, "path", 0.5);
    // Without the SYNs the flags have the same meaning once a mark was echoed.
    let all = Transfer { marked_every: Some(200), ..ample() }.run();
    assert!(share_of(&all[3..], "congestion_window/post_mark") > 0.3);
}

/// CWR has no meaning if ECN was not negotiated, and counts marks with accurate ECN (RFC 9768 §3.2).
#[test]
fn cwr_that_is_no_reduction() {
    use tcpwhy_model::TcpFlags;
    let accurate = [TcpFlags::AE.union(TcpFlags::CWR).union(TcpFlags::ECE), TcpFlags::CWR];
    for syns in [[TcpFlags::default(); 2], accurate] {
        let mut all = Transfer { slow_start_until: Some(40_000), ..ample() }.run();
        for (segment, flags) in all.iter_mut().zip(syns) {
            segment.flags = segment.flags.union(flags);
        }
        for segment in all.iter_mut().filter(|s| s.payload_len > 0).step_by(100) {
            segment.flags = segment.flags.union(TcpFlags::CWR);
        }
        assert!(share_of(&all, "congestion_window/post_mark") < 0.01);
    }
}

#[test]
fn a_round_trip_of_whole_milliseconds_is_no_timer() {
    check_both(&Transfer { rtt: ms(20), lost_every: Some(200), ..ample() }, "congestion_window/post_loss", 0.5);
    check_both(&Transfer { rtt: ms(20), slow_start_until: Some(40_000), ..ample() }, "congestion_window", 0.5);
}

#[test]
fn congestion_window_that_grows_by_a_segment_a_round_trip() {
    let t = Transfer { slow_start_until: Some(40_000), ..ample() };
    check_both(&t, "congestion_window", 0.5);
}

#[test]
fn congestion_window_delay_exit() {
    check_both(&Transfer { slow_start_until: Some(40_000), ..ample() }, "congestion_window/delay_exit", 0.5);
}

#[test]
fn congestion_window_paced() {
    let paced = |rate, rtt| Transfer { bytes: 12_000_000, rate: Some(rate), rtt, estimates_path: true, ..ample() };
    check_both(&paced(mbit(50), ms(40) + 130_000), "congestion_window/paced", 0.5);
    check_both(&paced(mbit(20), ms(60) + 130_000), "congestion_window/paced", 0.5);
}

/// A pacer estimates the path at the rate that another limit allowed. It never probes for more, because it
/// has no more to send.
#[test]
fn a_pacer_that_never_probes_is_held_by_something_else() {
    let paced = |rate, rtt| Transfer { rate: Some(rate), rtt, estimates_path: true, ..ample() };
    for (bytes, every) in [(8960, 3_200_000), (14_400, 4_800_000)] {
        let writer = Writer::Paced { bytes, every };
        check_both(
            &Transfer { bytes: 8_000_000, writer, ..paced(mbit(120), ms(31) + 40_000) },
            "application/paced_writes",
            0.6,
        );
    }
    let receive_buffer = ReceiveBuffer::Fixed(300_000);
    let small =
        Transfer { bytes: 12_000_000, receive_buffer, window_scale: Some(7), ..paced(mbit(200), ms(25) + 90_000) };
    check_both(&small, "receive_window/small_buffer", 0.6);
}

/// Writes that wait in the send queue are coalesced, so small segments had not waited, however few are in
/// flight.
#[test]
fn small_segments_that_leave_are_the_applications() {
    let transfer = |bytes, every, rtt| Transfer {
        bytes: 300 * bytes,
        writer: Writer::Paced { bytes, every },
        rtt,
        rate: Some(mbit(28)),
        has_nodelay: true,
        delays_acks: false,
        ..ample()
    };
    check_both(&transfer(759, 11_000_000, ms(25) + 30_000), "application/paced_writes", 0.8);
    check_both(&transfer(1265, 5_500_000, ms(12) + 30_000), "application/paced_writes", 0.8);
    // A bulk writer sends full segments.
    let bulk = Transfer { writer: Writer::Bulk, ..transfer(1265, 0, ms(12) + 30_000) };
    assert!(share_of(&bulk.captured_at(Capture::Receiver).run(), "application") < 0.1);
}

/// A fixed pace may come from a pacer, a line or the application. Only a pace that follows the path can be
/// distinguished.
#[test]
fn a_pace_that_never_changes_is_not_certain() {
    let c = connection(&Transfer { pacing: Some(mbit(20)), ..ample() }.run());
    assert!(principal(&c).verdict.alternative.is_some(), "{}", describe(&c));
    assert!(share(principal(&c), "congestion_window/paced") < 0.001, "{}", describe(&c));
}

/// Without pacing, slow start sends trains at one rate.
#[test]
fn a_window_that_opens_without_pacing_is_not_paced() {
    for (rate, rtt) in [(mbit(50), ms(40)), (mbit(20), ms(60)), (mbit(1000), ms(100))] {
        for capture in BOTH {
            let t = Transfer {
                bytes: 12_000_000,
                rate: Some(rate),
                rtt: rtt + 130_000,
                queue: 200_000,
                capture,
                ..ample()
            };
            assert!(share_of(&t.run(), "congestion_window/paced") < 0.001);
        }
    }
}

/// A delay by the sender's own application is not the pacer's.
#[test]
fn an_application_over_a_pacing_sender() {
    let t = Transfer {
        bytes: 6_000_000,
        rate: Some(mbit(90)),
        rtt: ms(25) + 130_000,
        writer: Writer::Paced { bytes: 20_000, every: ms(10) },
        estimates_path: true,
        ..ample()
    };
    for capture in BOTH {
        let segments = t.captured_at(capture).run();
        assert!(share_of(&segments, "congestion_window/paced") < 0.1, "{}", describe(&connection(&segments)));
    }
}

#[test]
fn application_paced_writes() {
    let paced = |bytes, every| Transfer { writer: Writer::Paced { bytes, every }, initial_segments: 100, ..ample() };
    check_verdict(&paced(10_000, ms(7)).run(), "application/paced_writes", 0.8);
    check_verdict(&paced(36 * 1448, ms(100)).run(), "application", 0.8);
}

/// Timers of programs are not exact, so bursts begin at no fixed level of bytes in flight.
#[test]
fn application_that_rests_after_each_write() {
    let loose = |bytes, every, late, rate| Transfer {
        writer: Writer::Loose { bytes, every, late },
        bytes: 80 * bytes,
        rate: Some(mbit(rate)),
        has_nodelay: true,
        offload: Some(14_480),
        ..ample()
    };
    let t = Transfer { rtt: ms(38), ..loose(57_469, ms(17), ms(4), 100) };
    check_verdict(&t.run(), "application/paced_writes", 0.6);
    let t = Transfer { rtt: ms(45), capture: Capture::Receiver, ..loose(86_004, ms(48), ms(12), 50) };
    check_verdict(&t.run(), "application/paced_writes", 0.6);
}

/// A writer that waits for its buffer continues at one level, whatever the size of its writes and segments.
#[test]
fn send_buffers_wake_at_a_level() {
    for send_buffer in [20_011, 64_000, 150_001] {
        for offload in [None, Some(14_480), Some(65_160)] {
            for has_nodelay in [false, true] {
                let t = Transfer { send_buffer: Some(send_buffer), offload, has_nodelay, ..ample() };
                check_verdict(&t.run(), "send_buffer", 0.6);
            }
        }
    }
}

/// The peer's application limits the sender by its grants, rather than the buffer, which is equally full:
/// SSH's channels and HTTP/2's streams.
#[test]
fn application_with_a_window_of_its_own() {
    let granted = |window, step| Transfer {
        writer: Writer::Granted { window, step },
        bytes: 3_000_000 + 15 * window.min(2_000_000),
        rtt: ms(40),
        rate: Some(mbit(500)),
        ..ample()
    };
    for (window, step) in [(256_000, 64_000), (1_000_000, 100_000)] {
        check_both(&granted(window, step), "application/peer_window", 0.6);
    }
    check_verdict(&granted(65_535, 32_768).run(), "application/peer_window", 0.6);
    // The peer sends messages equally often, but they release no data.
    let t = Transfer { send_buffer: Some(64_000), ..granted(u64::MAX / 4, 64_000) };
    assert!(share_of(&t.run(), "application/peer_window") < 0.1, "{}", describe(&connection(&t.run())));
}

/// A serialising line on the path would look the same, and the report has to say so.
#[test]
fn application_that_writes_a_segment_at_a_time() {
    let t = Transfer { writer: Writer::Paced { bytes: 1448, every: 1_300_000 }, ..ample() };
    let c = connection(&t.run());
    let limits = [verdict(&c), principal(&c).verdict.alternative.map(|a| a.0)];
    assert!(limits.contains(&Some(Limit::Application)), "{}", describe(&c));
}

#[test]
fn application_paced_writes_at_the_receiver() {
    let paced =
        |bytes, every| Transfer { writer: Writer::Paced { bytes, every }, capture: Capture::Receiver, ..ample() };
    check_verdict(&paced(10_000, ms(7)).run(), "application", 0.8);
    // Full segments: a remainder would wait for a delayed acknowledgment (Nagle), which is another limit.
    check_verdict(&paced(36 * 1448, ms(100)).run(), "application", 0.8);
}

#[test]
fn application_idle_between_bursts() {
    check_both(
        &Transfer { writer: Writer::Bursts { bytes: 100_000, pause: ms(400) }, ..ample() },
        "application/idle",
        0.8,
    );
}

#[test]
fn application_think_and_peer_turn() {
    let c = connection(&Turns { think: ms(100), ..Turns::default() }.run());
    assert!(share(server(&c), "application/think") > 0.7, "{}", describe(&c));
    assert!(share(client(&c), "application/peer_turn") > 0.7, "{}", describe(&c));
}

#[test]
fn ack_delay_in_every_turn() {
    let c = connection(&Turns { rtt: ms(1), is_nagled: true, ..Turns::default() }.run());
    let asker = client(&c);
    assert!(share(asker, "ack_delay/delayed_ack") > 0.8, "{}", describe(&c));
    assert!(share(asker, "ack_delay/nagle") > 0.01, "{}", describe(&c));
    let c = connection(&Turns::default().run());
    assert!(share(client(&c), "ack_delay") < 0.01, "{}", describe(&c));
}

#[test]
fn handshake_syn_rto() {
    check_both(&Transfer { bytes: 100_000, syn_repeats: 3, ..ample() }, "handshake/syn_rto", 0.8);
}

/// A larger window would only lengthen the queue.
#[test]
fn a_window_that_a_queue_fills() {
    let t = Transfer {
        bytes: 12_000_000,
        rate: Some(mbit(20)),
        receive_buffer: ReceiveBuffer::Fixed(512_000),
        window_scale: Some(4),
        ..ample()
    };
    for capture in BOTH {
        let c = connection(&t.captured_at(capture).run());
        assert_eq!(verdict(&c), Some(Limit::Path), "{}", describe(&c));
    }
}

/// The application is blocked on its buffer, but the path is busy, so the gain is 0.
#[test]
fn a_send_buffer_over_a_busy_path() {
    let t = Transfer { bytes: 8_000_000, rate: Some(mbit(10)), send_buffer: Some(200_000), ..ample() };
    check_both(&t, "path", 0.5);
}

#[test]
fn a_hole_that_pins_the_window_is_loss() {
    let t = Transfer {
        receive_buffer: ReceiveBuffer::Fixed(64_000),
        window_scale: Some(2),
        lost: vec![1000, 1500, 2000],
        ..ample()
    };
    for capture in BOTH {
        let segments = t.captured_at(capture).run();
        let c = connection(&segments);
        assert!(share(principal(&c), "loss_recovery") > 0.01, "{}", describe(&c));
        assert!(!rules(&c).contains(&"slow-reader"), "{}", describe(&c));
    }
}

/// A loss reduces the window below the buffer. Once it has grown back, the buffer is the limit again.
#[test]
fn a_send_buffer_that_binds_again_after_a_loss() {
    let t = Transfer { bytes: 24_000_000, send_buffer: Some(120_000), lost: vec![400], ..ample() };
    for capture in BOTH {
        let c = connection(&t.captured_at(capture).run());
        assert!(share(principal(&c), "send_buffer") > 0.6, "{}", describe(&c));
        assert!(share(principal(&c), "congestion_window/post_loss") > 0.05, "{}", describe(&c));
    }
}

/// The window was at its maximum when the loss reduced it, and then stays level, as CUBIC's does for seconds.
#[test]
fn a_flat_window_after_a_loss() {
    let t = Transfer { bytes: 6_000_000, lost: vec![60], window_clamp: Some(80_000), ..ample() };
    let c = connection(&t.run());
    assert_ne!(verdict(&c), Some(Limit::Application), "{}", describe(&c));
    assert_ne!(verdict(&c), Some(Limit::ReceiveWindow), "{}", describe(&c));
}

/// A flight that neither grows nor stops for the buffer may come from either, and the report has to say so.
#[test]
fn a_clamp_looks_like_a_send_buffer() {
    let t = Transfer { window_clamp: Some(60_000), ..ample() };
    for capture in BOTH {
        let c = connection(&t.captured_at(capture).run());
        let half = principal(&c);
        let limits = [verdict(&c), half.verdict.alternative.map(|a| a.0)];
        assert!(limits.contains(&Some(Limit::CongestionWindow)), "{}", describe(&c));
        assert!(limits.contains(&Some(Limit::SendBuffer)), "{}", describe(&c));
        assert!(half.findings[0].evidence.iter().any(|e| e.key.id() == "alternative_limit"));
    }
}

/// Writes with a period equal to the round trip follow ACKs, as those of a full window would.
#[test]
fn writes_in_step_with_the_round_trip() {
    let t = Transfer { writer: Writer::Paced { bytes: 40_000, every: 20_140_000 }, ..ample() };
    let c = connection(&t.run());
    let half = principal(&c);
    let limits = [verdict(&c), half.verdict.alternative.map(|a| a.0)];
    assert!(limits.contains(&Some(Limit::Application)), "{}", describe(&c));
}

/// Data reaches the window's edge with one scale and with no other, hundreds of times.
#[test]
fn without_the_syn_a_full_window_shows_by_its_edge() {
    let t = Transfer { receive_buffer: ReceiveBuffer::Fixed(64_000), window_scale: Some(7), ..ample() };
    for capture in BOTH {
        let c = connection(&alter::joined_at(&t.captured_at(capture).run(), at(ms(200))));
        let half = principal(&c);
        assert_eq!(half.window_scale, WindowScale::Shift(7), "{}", describe(&c));
        assert_eq!(verdict(&c), Some(Limit::ReceiveWindow), "{}", describe(&c));
        assert!(rules(&c).contains(&"mid-stream-join"));
    }
}

/// No possible scale places the window's edge at the end of the bytes in flight. The limit is probably a
/// buffer, but that is not certain.
#[test]
fn without_the_syn_a_full_buffer_is_not_certain() {
    let t = Transfer { send_buffer: Some(90_000), window_scale: Some(7), ..ample() };
    for capture in BOTH {
        let c = connection(&alter::joined_at(&t.captured_at(capture).run(), at(ms(200))));
        let half = principal(&c);
        assert_eq!(half.window_scale, WindowScale::Unknown, "{}", describe(&c));
        assert_eq!(verdict(&c), Some(Limit::SendBuffer), "{}", describe(&c));
        assert_eq!(half.verdict.alternative.map(|a| a.0), Some(Limit::ReceiveWindow), "{}", describe(&c));
        assert!(half.verdict.confidence < 0.7, "{}", describe(&c));
    }
}

#[test]
fn what_the_capture_lost_is_no_loss() {
    let mut all = Transfer { send_buffer: Some(64_000), ..ample() }.run();
    let mut data = 0;
    all.retain(|s| {
        data += u32::from(s.payload_len > 0);
        s.payload_len == 0 || data % 50 != 0
    });
    let c = connection(&all);
    assert!(share(principal(&c), "loss_recovery") < 0.05, "{}", describe(&c));
    assert!(rules(&c).contains(&"capture-drops"), "{}", describe(&c));
}

#[test]
fn copies_change_nothing() {
    let all = Transfer { send_buffer: Some(64_000), ..ample() }.run();
    let c = connection(&alter::doubled(&all));
    assert_eq!(verdict(&c), Some(Limit::SendBuffer), "{}", describe(&c));
    assert_eq!(principal(&c).bytes, 4_000_000);
    assert!(share(principal(&c), "loss_recovery") < 0.01, "{}", describe(&c));
}

#[test]
fn one_direction_tells_sizes_only() {
    let all = Transfer { send_buffer: Some(64_000), ..ample() }.run();
    let c = connection(&alter::one_sided(&all, CLIENT));
    assert_eq!(principal(&c).bytes, 4_000_000);
    assert!(rules(&c).contains(&"one-sided-capture"), "{}", describe(&c));
    assert!(share(principal(&c), "unobserved") > 0.9, "{}", describe(&c));
    let c = connection(&alter::one_sided(&all, SERVER));
    assert!(rules(&c).contains(&"one-sided-capture"), "{}", describe(&c));
}

#[test]
fn a_path_shorter_than_a_tick_is_not_certain_at_the_receiver() {
    let t =
        Transfer { rtt: 200_000, bytes: 20_000_000, send_buffer: Some(16_000), capture: Capture::Receiver, ..ample() };
    let c = connection(&t.run());
    assert!(principal(&c).verdict.confidence <= 0.9, "{}", describe(&c));
}

#[test]
fn a_four_tuple_used_twice_is_two_connections() {
    let first = Transfer { bytes: 50_000, ..ample() }.run();
    let mut all = first.clone();
    all.extend(alter::later(&alter::renumbered(&first, [77_777, 99_999]), 5_000_000_000));
    let found = analyse(&all);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|c| principal(c).bytes == 50_000));
}

/// Packets after both ends have closed and all data is acknowledged are counted, but change nothing else.
#[test]
fn a_late_retransmission_is_counted_and_no_more() {
    let closed = script(
        "
 0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
 0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
 0.020 > . 1:1(0) ack 1 win 65535
 0.021 > P. 1:1001(1000) ack 1 win 65535
 0.041 < . 1:1(0) ack 1001 win 65535
 0.042 > F. 1001:1001(0) ack 1 win 65535
 0.062 < F. 1:1(0) ack 1002 win 65535
 0.062 > . 1002:1002(0) ack 2 win 65535
",
    )
    .segments;
    let mut late = closed.clone();
    let mut repeated = closed[3];
    repeated.timestamp = Timestamp::from_nanos(closed.last().unwrap().timestamp.as_nanos() + 300_000_000);
    late.push(repeated);
    let (before, after) = (connection(&closed), connection(&late));
    let (before, after) = (principal(&before), principal(&after));
    assert_eq!((before.segments, before.retransmitted_bytes), (1, 0));
    assert_eq!((after.segments, after.retransmitted_bytes), (2, 1000));
    assert_eq!(after.limits.totals(), before.limits.totals());
    assert_eq!(after.verdict.cause, before.verdict.cause);
}

/// Clocks show different years: today's, years after 2^61 ns, the last of a pcap, and one before 1970.
#[test]
fn the_year_changes_no_answer() {
    let transfers = [
        Transfer { send_buffer: Some(64_000), ..ample() },
        Transfer { lost_every: Some(50), ..ample() },
        Transfer { bytes: 300_000, ..ample() },
    ];
    let second = |seconds: i64| Timestamp::from_nanos(seconds * 1_000_000_000);
    for transfer in transfers {
        let segments = transfer.run();
        let answer = |years: Timestamp| {
            let begin = segments[0].timestamp;
            let mut moved = segments.clone();
            for segment in &mut moved {
                segment.timestamp = years.plus(segment.timestamp.since(begin));
            }
            let found = connection(&moved);
            assert_eq!(found.span.start(), years);
            let halves = found.halves.iter().map(|half| {
                let limits = half.limits.intervals().iter();
                let limits: Vec<_> = limits.map(|i| (i.cause, i.span.start().since(years), i.span.nanos())).collect();
                (
                    half.bytes,
                    half.verdict.cause,
                    half.verdict.seconds,
                    half.rtt.as_ref().map(|rtt| rtt.0.median),
                    limits,
                )
            });
            let rules: Vec<_> = found.findings.iter().map(|finding| finding.rule).collect();
            assert!(!found.has_wrong_clock);
            format!("{} {:?} {rules:?}", found.span.nanos(), halves.collect::<Vec<_>>())
        };
        let expected = answer(segments[0].timestamp);
        for years in [2_305_843_000, 2_305_843_010, 4_102_444_800, i64::from(u32::MAX), 8_000_000_000, -500_000_000] {
            assert_eq!(answer(second(years)), expected, "{years}");
        }
    }
}
