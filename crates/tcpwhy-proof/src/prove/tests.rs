//! Modelled transfers, and what they are rebuilt as.

use tcpwhy_analysis::Analyzer;
use tcpwhy_kernel::KernelVersion;
use tcpwhy_model::{Detail, Limit, Segment, WindowField};
use tcpwhy_scenario::{Bytes, Work};
use tcpwhy_testkit::{Capture, ReceiveBuffer, Transfer, Turns, mbit, ms};

use super::impose::impose;
use super::situation::Assumption;
use super::*;
use tcpwhy_fit::Setting;

const HOST: Host = Host { version: KernelVersion::series(6, 18), wmem_max: 4_194_304, rmem_max: 4_194_304 };

/// What `segments` are rebuilt as under `cause`; under the verdict if it is `None`.
fn rebuilt(segments: &[Segment], cause: Option<Cause>) -> Result<Rebuilt, RebuildError> {
    let connections = analysed(segments);
    let connection = &connections[0];
    let half = connection.halves.iter().max_by_key(|half| half.bytes).unwrap();
    let half = subject(connection, half, cause);
    let observed = Observed::of(segments.iter().copied(), connection, half);
    let shown = Shown { connection, half, observed: &observed, host: &HOST };
    let cause = cause.or(half.verdict.cause).ok_or(RebuildError::Nothing)?;
    impose(&shown, cause, None)
}

fn analysed(segments: &[Segment]) -> Vec<Connection> {
    let mut analyzer = Analyzer::new();
    for segment in segments {
        analyzer.observe(segment);
    }
    analyzer.finish()
}

fn observed(segments: &[Segment]) -> Observed {
    let connections = analysed(segments);
    let half = connections[0].halves.iter().max_by_key(|half| half.bytes).unwrap();
    Observed::of(segments.iter().copied(), &connections[0], half)
}

fn of(transfer: &Transfer) -> Rebuilt {
    rebuilt(&transfer.run(), None).unwrap()
}

fn small() -> Transfer {
    Transfer { send_buffer: Some(64_000), ..Transfer::default() }
}

/// A window of 64,000 bytes that is full all the time.
fn windowed(scale: u8) -> Transfer {
    Transfer { receive_buffer: ReceiveBuffer::Fixed(64_000), window_scale: Some(scale), ..Transfer::default() }
}

const SEND_BUFFER: Cause = Cause::plain(Limit::SendBuffer);

#[test]
fn a_send_buffer_comes_back() {
    for capture in [Capture::Sender, Capture::Receiver] {
        let rebuilt = of(&small().captured_at(capture));
        let asked = rebuilt.scenario.sender.sndbuf.expect("a send buffer").0;
        // 64,000 in flight are twice what has to be asked for, and some memory besides.
        assert!((20_000..60_000).contains(&asked), "{asked}");
        assert_eq!(rebuilt.scenario.receiver.rcvbuf, None);
        let Work::Stream(stream) = &rebuilt.scenario.work else { panic!("a stream") };
        assert_eq!(stream.bytes(), small().bytes);
        let is_at_receiver = matches!(capture, Capture::Receiver);
        assert_eq!(rebuilt.vantage, if is_at_receiver { Vantage::Receiver } else { Vantage::Sender });
        assert_eq!(rebuilt.assumptions.contains(&Assumption::Writes), is_at_receiver);
    }
}

#[test]
fn the_round_trip_comes_back() {
    for rtt in [ms(10), ms(40)] {
        let rebuilt = of(&Transfer { rtt, ..small() });
        let error = rebuilt.scenario.link.rtt.0 as f64 / rtt as f64 - 1.0;
        assert!((0.0..0.1).contains(&error), "{rtt}: {error}");
    }
}

/// `tcp_select_initial_window`, Linux 6.18: of a set buffer, half is the first window, and the scale the
/// smallest that can express it. A scale of 7 is that of 6 MiB (`tcp_rmem[2]`) or 4 MiB (`rmem_max`).
#[test]
fn the_scale_of_the_syn_decides_between_option_and_sysctl() {
    let option = of(&windowed(1));
    let asked = option.scenario.receiver.rcvbuf.expect("a receive buffer").0;
    // 170/256 of the doubled request is window.
    assert!((40_000..60_000).contains(&asked), "{asked}");
    assert_eq!((option.setting, option.scenario.sender.sndbuf), (Some(Setting::Socket), None));
    let sysctl = of(&windowed(7));
    assert_eq!((sysctl.setting, sysctl.scenario.receiver.rcvbuf), (Some(Setting::Sysctl), None));
    let third: u64 =
        sysctl.scenario.receiver.sysctl["net.ipv4.tcp_rmem"].split(' ').next_back().unwrap().parse().unwrap();
    assert!((90_000..100_000).contains(&third), "{third}");
}

#[test]
fn a_buffer_is_corrected_by_what_it_allowed() {
    let rebuilt = of(&windowed(1));
    let window = 64_000;
    let asked = rebuilt.scenario.receiver.rcvbuf.unwrap().0;
    // Twice the window: half is asked for. Half of it: twice.
    for (got, expected) in [(2 * window, asked / 2), (window / 2, asked * 2)] {
        let nearer = rebuilt.corrected(&rebuilt.scenario, got, 1.0).unwrap().receiver.rcvbuf.unwrap().0;
        assert!(nearer.abs_diff(expected) * 50 <= expected, "{nearer} instead of {expected}");
    }
    // Half as fast as captured: twice the buffer.
    let sender = of(&small());
    let asked = sender.scenario.sender.sndbuf.unwrap().0;
    let nearer = sender.corrected(&sender.scenario, 0, 0.5).unwrap().sender.sndbuf.unwrap().0;
    assert_eq!((nearer, sender.corrected(&sender.scenario, 0, 1.04)), (asked * 2, None));
}

/// The receiver's windows are in the packets, so they come back whatever is supposed.
#[test]
fn a_supposed_send_buffer_keeps_the_window_that_was_offered() {
    let supposed = rebuilt(&windowed(1).run(), Some(SEND_BUFFER)).unwrap();
    assert!(supposed.scenario.receiver.rcvbuf.is_some() && supposed.scenario.sender.sndbuf.is_some());
    let path = rebuilt(&windowed(1).run(), Some(Cause::plain(Limit::Path))).unwrap();
    assert!(path.scenario.receiver.rcvbuf.is_some() && path.scenario.sender.sndbuf.is_none());
}

#[test]
fn missing_window_scaling_comes_back() {
    let transfer = Transfer { receive_buffer: ReceiveBuffer::Fixed(65_535), window_scale: None, ..Transfer::default() };
    assert_eq!(of(&transfer).scenario.receiver.sysctl["net.ipv4.tcp_window_scaling"], "0");
}

#[test]
fn a_policer_comes_back() {
    let transfer = Transfer { bytes: 12_000_000, policer: Some((mbit(10), 200_000)), ..Transfer::default() };
    let policer = of(&transfer).scenario.link.forward.policer.expect("a policer");
    assert!((9_500_000..10_500_000).contains(&policer.rate.0), "{policer:?}");
    assert!((150_000..250_000).contains(&policer.burst.0), "{policer:?}");
}

#[test]
fn slow_start_comes_back() {
    let rebuilt = of(&Transfer { bytes: 300_000, rtt: ms(100), ..Transfer::default() });
    let Work::Stream(stream) = &rebuilt.scenario.work else { panic!("a stream") };
    assert_eq!(stream.bytes(), 300_000);
    assert_eq!(rebuilt.scenario.sender.initcwnd, None);
    let wide = Transfer { bytes: 300_000, rtt: ms(100), initial_segments: 32, ..Transfer::default() };
    let initcwnd = super::tests::rebuilt(&wide.run(), Some(Cause::plain(Limit::SlowStart))).unwrap();
    assert_eq!(initcwnd.scenario.sender.initcwnd, Some(32));
}

/// The model counts segments from 0, the lab from 1; the second of the two is lost after one was
/// retransmitted.
#[test]
fn the_same_frames_are_lost_again() {
    for capture in [Capture::Sender, Capture::Receiver] {
        let transfer = Transfer { lost: vec![60, 400], ..Transfer::default() }.captured_at(capture);
        let lost = rebuilt(&transfer.run(), Some(Cause::plain(Limit::LossRecovery))).unwrap();
        assert_eq!(lost.scenario.link.forward.lose_data, [61, 401], "{capture:?}");
    }
}

/// A copy with the same IP identification was made on the way: nothing was lost.
#[test]
fn a_copy_is_no_loss() {
    let mut segments = Vec::new();
    for (index, segment) in Transfer::default().run().into_iter().enumerate() {
        let mut segment = segment;
        if segment.payload_len > 0 {
            let id = std::num::NonZeroU16::new(u16::try_from(index % 60_000).unwrap() + 1);
            segment.ip = tcpwhy_model::IpHeader::new(id, 64, segment.ip.ecn());
        }
        segments.push(segment);
        if index % 20 == 19 && segment.payload_len > 0 {
            segments.push(segment);
        }
    }
    for (number, segment) in segments.iter_mut().enumerate() {
        segment.number = number as u64 + 1;
    }
    let seen = observed(&segments);
    assert!(seen.facts.copies > 0);
    assert_eq!((seen.retransmitted, seen.facts.lost_frames), (0.0, Vec::new()));
    let refused = rebuilt(&segments, Some(Cause::plain(Limit::LossRecovery))).unwrap_err();
    assert_eq!(refused, RebuildError::Absent(Trace::Repeats));
}

/// What no packet shows was not there.
#[test]
fn causes_without_a_trace_are_refused() {
    for (cause, trace) in [
        (Cause::plain(Limit::LossRecovery), Trace::Repeats),
        (Detail::PostLoss.into(), Trace::Repeats),
        (Detail::SmallBuffer.into(), Trace::FullWindow),
        (Detail::SlowReader.into(), Trace::FullWindow),
        (Detail::ZeroWindow.into(), Trace::ClosedWindow),
        (Detail::NoWindowScale.into(), Trace::MissingScale),
        (Detail::Policer.into(), Trace::Bucket),
        (Detail::SynRto.into(), Trace::RepeatedSyn),
        (Detail::PeerWindow.into(), Trace::PeerMessages),
        (Detail::Think.into(), Trace::Turns),
        // ACKs end all rests of a full buffer.
        (Detail::PacedWrites.into(), Trace::OwnSends),
    ] {
        assert_eq!(rebuilt(&small().run(), Some(cause)).unwrap_err(), RebuildError::Absent(trace), "{cause}");
    }
}

#[test]
fn lost_syns_are_lost_again() {
    let transfer = Transfer { syn_repeats: 2, ..Transfer::default() };
    let again = rebuilt(&transfer.run(), Some(Detail::SynRto.into())).unwrap();
    let link = &again.scenario.link;
    assert_eq!(link.forward.lose_syns.or(link.back.lose_syns), Some(2));
}

/// What the SYNs lack is lacking again (RFC 2018 §2, RFC 7323 §3.2).
#[test]
fn options_that_the_syns_lack_stay_off() {
    for (has_sack, has_timestamps) in [(true, true), (false, true), (true, false)] {
        let receiver = of(&Transfer { has_sack, has_timestamps, ..small() }).scenario.receiver;
        let is_off = |name: &str| receiver.sysctl.get(name).is_some_and(|value| value == "0");
        assert_eq!((is_off("net.ipv4.tcp_sack"), is_off("net.ipv4.tcp_timestamps")), (!has_sack, !has_timestamps));
    }
}

/// Windows of zero bytes are those of a reader that stops.
#[test]
fn windows_are_weighed_by_time() {
    let mut segments = windowed(1).run();
    let full = observed(&segments);
    assert!(full.full > 0.7 && full.facts.closed.0 == 0, "{} {:?}", full.full, full.facts.closed);
    assert_eq!(full.facts.scales, [Some(1), Some(1)]);
    // The same with windows that nobody could fill.
    for segment in &mut segments {
        segment.window = WindowField(u16::MAX);
    }
    assert!(observed(&segments).full < 0.2);
}

/// All turns come back, and take as long as they did: a round trip each.
#[test]
fn request_and_response_come_back() {
    for (count, think) in [(100, 0), (40, ms(3)), (40, ms(85))] {
        let segments = Turns { count, think, ..Turns::default() }.run();
        let rebuilt = rebuilt(&segments, None).unwrap();
        let Work::Turns(turns) = &rebuilt.scenario.work else { panic!("turns") };
        assert!(turns.count.abs_diff(count) <= 1, "{} of {count}", turns.count);
        let each = turns.think.seconds() + turns.service.seconds() + rebuilt.scenario.link.rtt.seconds();
        let all = each * f64::from(turns.count);
        let connections = analysed(&segments);
        let seconds = connections[0].halves[0].span.seconds();
        assert!((all / seconds - 1.0).abs() < 0.1, "{all} instead of {seconds}");
    }
}

/// A capture of each kind whose programs rested: what is copied of it, whatever cause is supposed beside it.
#[test]
fn what_repeats_times_of_the_capture_is_known() {
    use super::replay::Replay;
    use tcpwhy_testkit::Writer;
    let paced = |writer| Transfer { writer, ..Transfer::default() };
    let rhythm = paced(Writer::Paced { bytes: 20_000, every: ms(33) }).run();
    // Bursts without a period, as a writer makes them whose rests depend on its buffer.
    let uneven: Vec<Segment> = rhythm
        .iter()
        .map(|segment| {
            let mut segment = *segment;
            let nanos = segment.timestamp.as_nanos();
            segment.timestamp = tcpwhy_model::Timestamp::from_nanos(nanos + nanos / 33_000_000 % 7 * 9_000_000);
            segment
        })
        .collect();
    let talk = |think| Turns { count: 40, think, ..Turns::default() }.run();
    for (what, segments, cause, expected) in [
        ("a rhythm", &rhythm, Detail::PacedWrites.into(), Some(Replay::Writes)),
        ("bursts", &uneven, Detail::PacedWrites.into(), Some(Replay::Writes)),
        ("rests", &uneven, Detail::Idle.into(), Some(Replay::Writes)),
        ("a send buffer", &rhythm, SEND_BUFFER, None),
        ("a send buffer", &small().run(), SEND_BUFFER, None),
        ("a window", &windowed(1).run(), Detail::SmallBuffer.into(), None),
        ("a path", &small().run(), Cause::plain(Limit::Path), None),
        ("turns with thinking", &talk(ms(85)), Detail::Think.into(), Some(Replay::Waits)),
        ("the packets of such turns", &talk(ms(85)), Cause::plain(Limit::Path), Some(Replay::Waits)),
        ("a send buffer instead of turns", &talk(ms(85)), SEND_BUFFER, None),
        ("round trips alone", &talk(0), Detail::PeerTurn.into(), None),
    ] {
        let rebuilt = rebuilt(segments, Some(cause)).unwrap_or_else(|error| panic!("{what}: {error:?}"));
        assert_eq!(rebuilt.replays, expected, "{what}: {:?}", rebuilt.scenario.work);
    }
}

/// Runs that look like the capture and a fix that works: whether that proves the cause depends on what the
/// transfer was made of.
#[test]
fn a_cause_that_repeats_the_capture_is_never_proved() {
    use super::conclusion::{Effect, Evidence, Open, Proved};
    use super::proof::Tried;
    let paced =
        Transfer { writer: tcpwhy_testkit::Writer::Paced { bytes: 20_000, every: ms(33) }, ..Transfer::default() };
    let talk = tcpwhy_testkit::Turns { count: 40, think: ms(85), ..Turns::default() };
    for (segments, cause, expected) in [
        (paced.run(), Detail::PacedWrites.into(), Conclusion::Undecided(Open::Replayed)),
        (talk.run(), Detail::Think.into(), Conclusion::Undecided(Open::Replayed)),
        (small().run(), SEND_BUFFER, Conclusion::Proved(Proved::Shorter)),
    ] {
        let connections = analysed(&segments);
        let half = subject(&connections[0], connections[0].halves.iter().max_by_key(|half| half.bytes).unwrap(), None);
        let observed = Observed::of(segments.iter().copied(), &connections[0], half);
        let shown = Shown { connection: &connections[0], half, observed: &observed, host: &HOST };
        let candidate = Candidate::new(&shown, Hypothesis::new(&connections[0], half, cause, Origin::Supposed));
        let mut claim = candidate.tested();
        let measured = Measured::new(half, 1.0, observed.clone(), Vec::new());
        claim.compare(&observed, measured.clone(), candidate.rebuilt.as_ref().unwrap().built_from);
        let fix = candidate.hypothesis.fixes[0].clone();
        let effect = Effect::Full(Proved::Shorter);
        claim.fixes.push(Tried { id: fix.id, fix: fix.clone(), fixed: measured, gain: 0.5, effect });
        claim.judge();
        let is_proof = matches!(expected, Conclusion::Proved(_));
        assert_eq!((claim.explains, claim.evidence() == Evidence::Explains), (Some(is_proof), is_proof), "{cause}");
        let mut proof = Proof::new(Path::new("capture"), half, &candidate.hypothesis, Some(&fix), &[]);
        proof.conclude(claim, None, None, Vec::new(), None);
        assert_eq!(proof.conclusion(), Some(expected), "{cause}");
    }
}

/// A program's own pace is imposed without a buffer that could fill.
#[test]
fn a_pace_is_its_own_clock() {
    let transfer =
        Transfer { writer: tcpwhy_testkit::Writer::Paced { bytes: 20_000, every: ms(33) }, ..Transfer::default() };
    let paced = rebuilt(&transfer.run(), Some(Detail::PacedWrites.into())).unwrap();
    let Work::Stream(stream) = &paced.scenario.work else { panic!("a stream") };
    let (rate, every) = (stream.phases[0].write.rate, stream.phases[0].write.every);
    assert!(stream.phases.len() > 1 || rate.is_some() && every.is_some());
    assert_eq!(paced.scenario.sender.sndbuf, None);
    assert_eq!(paced.built_from, super::distance::BuiltFrom::Schedule);
}

#[test]
fn what_is_rebuilt_is_a_scenario() {
    let scenario = of(&small()).scenario;
    let text = scenario.to_toml().unwrap();
    assert_eq!(Scenario::from_toml(&scenario.name, &text).unwrap(), scenario);
}

#[test]
fn a_healthy_transfer_is_refused() {
    let refused = rebuilt(&Transfer { bytes: 1000, ..Transfer::default() }.run(), None).unwrap_err();
    assert!(matches!(refused, RebuildError::Nothing | RebuildError::Cause(_)), "{refused:?}");
}

/// A transfer is nearest to itself, and far from one with another limit, in what that limit changes.
#[test]
fn another_limit_is_far_away() {
    use super::distance::{BuiltFrom, Distances, Observable};
    let [buffer, window, other] =
        [small(), windowed(1), Transfer { rtt: ms(60), ..small() }].map(|transfer| observed(&transfer.run()));
    let same = Distances::between(&buffer, &buffer, 1.0);
    assert!(same.overall() < 1e-12);
    assert!(same.resemble(BuiltFrom::Schedule));
    // As long and as much in flight, but the window was full and the report names it.
    let as_long = Distances::between(&buffer, &window, 1.0);
    assert!(!as_long.resemble(BuiltFrom::Packets), "{as_long:?}");
    let [full, limits] = [Observable::WindowFull, Observable::Limits].map(|which| as_long.of(which).unwrap());
    assert!(full > 1.5 && limits > 1.5, "{as_long:?}");
    assert!(!Distances::between(&buffer, &other, 1.0).resemble(BuiltFrom::Packets));
}

/// Whoever supposes another cause has the report's verdict as the first rival.
#[test]
fn the_verdict_is_the_rival_of_what_is_supposed() {
    let segments = small().run();
    let connections = analysed(&segments);
    let half = &connections[0].halves[0];
    let rivals = rivals(&connections[0], half, Detail::SmallBuffer.into());
    assert_eq!((rivals[0].cause.limit, rivals[0].origin), (Limit::SendBuffer, Origin::Verdict));
    let rivals = super::rivals(&connections[0], half, SEND_BUFFER);
    assert!(rivals.iter().all(|rival| rival.cause.limit != Limit::SendBuffer), "{rivals:?}");
    assert!(rivals.iter().any(|rival| rival.cause == Detail::PacedWrites.into()));
}

/// The larger direction of the bundled capture `name`, rebuilt under `cause`.
fn of_sample(name: &str, cause: Cause) -> (HalfConnection, Observed, Rebuilt) {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
    let connections = connections(&sample).unwrap();
    let half = connections[0].halves.iter().max_by_key(|half| half.bytes).unwrap();
    let observed = Observed::read(&sample, &connections[0], half).unwrap();
    let shown = Shown { connection: &connections[0], half, observed: &observed, host: &HOST };
    let rebuilt = impose(&shown, cause, None).unwrap();
    (half.clone(), observed, rebuilt)
}

/// A credit as large as what was in flight, granted as often as the peer spoke.
#[test]
fn a_peers_window_comes_back() {
    let (half, observed, granted) = of_sample("request-response.pcap.gz", Detail::PeerWindow.into());
    let Work::Stream(stream) = &granted.scenario.work else { panic!("a stream") };
    let credit = stream.credit.expect("a credit");
    let (count, _) = observed.facts.peer_messages;
    assert!(count > 0 && credit.window >= Bytes(1) && credit.after.unwrap() <= credit.window, "{credit:?}");
    assert_eq!(credit.after.unwrap().0, (half.bytes / count).min(credit.window.0));
}

/// A reader that pauses leaves windows of zero bytes, which no data in flight fills.
#[test]
fn a_stalling_reader_comes_back() {
    let (_, observed, stalled) = of_sample("zero-window.pcap.gz", Detail::ZeroWindow.into());
    let Work::Stream(stream) = &stalled.scenario.work else { panic!("a stream") };
    let pause = stream.phases[0].read.every.expect("a pause").seconds();
    let (count, closed) = observed.facts.closed;
    assert!(count > 0 && pause >= closed / f64::from(count), "{pause} s, {closed} s in {count} pauses");
    assert_eq!(stalled.replays, Some(super::replay::Replay::Reads));
}
