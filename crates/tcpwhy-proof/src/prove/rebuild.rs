//! From an explained capture to a scenario that is in the same situation.

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_lab::Scenario;
use tcpwhy_lab::scenario::{
    BitRate, Bytes, CaptureSpec, End, EndSpec, Expectation, Expected, LinkSpec, Nanos, Phase, Policer, Reader, Share,
    Story, Stream, Turns, Words, Work, Writer,
};
use tcpwhy_model::{Cause, Detail, EvidenceKey, Finding, Limit};

use super::buffers::Host;
use super::situation::{Assumption, LARGEST_RATE, RebuildError, Situation, number};

const RMEM: &str = "net.ipv4.tcp_rmem";
/// Data is produced and taken in portions, one in so many nanoseconds.
const PACE: Nanos = Nanos(10_000_000);
/// A stall longer than this leaves no time for the rest of a run, seconds.
const LONGEST_STALL: f64 = 8.0;

/// A transfer that can be run again.
#[derive(Clone, Debug)]
pub(super) struct Rebuilt {
    pub(super) scenario: Scenario,
    pub(super) vantage: End,
    pub(super) assumptions: Vec<Assumption>,
    /// The window that the receive buffer has to come to, where one is asked for, and the least buffer whose scale can say
    /// that; bytes.
    window: Option<(u64, u64)>,
}

/// Windows further off than this are worth another run.
const WINDOW_TOLERANCE: f64 = 0.05;

impl Rebuilt {
    /// The scenario with a receive buffer that comes nearer to the captured window, now that `measured` is what it came to: how
    /// much of a buffer is window depends on how frames arrive (`scaling_ratio`). `None` if it is near enough.
    pub(super) fn corrected(&self, measured: u64) -> Option<Scenario> {
        let (window, least) = self.window?;
        let asked = self.scenario.receiver.rcvbuf?.0 as f64;
        let nearer = (asked * window as f64 / measured.max(1) as f64).max(least as f64);
        if (nearer / asked - 1.0).abs() <= WINDOW_TOLERANCE {
            return None;
        }
        let mut scenario = self.scenario.clone();
        scenario.receiver.rcvbuf = Some(Bytes(nearer as u64));
        Some(scenario)
    }
}

/// The finding that says what to change, and what for.
pub(super) fn culprit(half: &HalfConnection) -> Result<(Cause, &Finding), RebuildError> {
    let cause = half.verdict.cause.ok_or(RebuildError::Nothing)?;
    if half.findings.is_empty() {
        return Err(RebuildError::Nothing);
    }
    // Notes beside it may come first and promise nothing.
    let finding =
        half.findings.iter().find(|finding| finding.prediction.is_some()).ok_or(RebuildError::NoPrediction)?;
    Ok((cause, finding))
}

/// The direction that the verdict is about: `principal`, unless it has nothing to change and the other one has.
pub(super) fn subject<'a>(connection: &'a Connection, principal: &'a HalfConnection) -> &'a HalfConnection {
    let other = connection.halves.iter().find(|half| half.sender != principal.sender);
    other.filter(|other| culprit(principal).is_err() && culprit(other).is_ok()).unwrap_or(principal)
}

/// Sets up the situation of `half`.
pub(super) fn rebuild(connection: &Connection, half: &HalfConnection, host: &Host) -> Result<Rebuilt, RebuildError> {
    let (cause, finding) = culprit(half)?;
    let mut situation = Situation::of(connection, half)?;
    let mut ends = [EndSpec::default(), EndSpec::default()];
    let (mut write, mut read) = (Writer::default(), Reader::default());
    let mut loss = None;
    let mut policer = None;
    let mut work = None;
    let mut wanted_window = None;
    match finding.rule {
        "send-buffer-plateau" => {
            let plateau = number(finding, EvidenceKey::PlateauBytes)? as u64;
            write.size = Bytes(write_size(half, plateau, &mut situation));
            set_send_buffer(&mut ends[0], finding, plateau, write.size.0, situation.mtu, host);
        }
        "receive-window-small-buffer" => {
            let window = number(finding, EvidenceKey::WindowBytes)? as u64;
            match host.rcvbuf_for(window, situation.mtu, situation.opener) {
                Some((asked, least)) => {
                    ends[1].rcvbuf = Some(Bytes(asked));
                    wanted_window = Some((window, least));
                }
                None => set_third(&mut ends[1], RMEM, 131_072, window * 256 / 170),
            }
        }
        "receive-window-capped" => {
            let window = number(finding, EvidenceKey::WindowBytes)? as u64;
            set_third(&mut ends[1], RMEM, 131_072, window * 256 / 170);
        }
        "receive-window-no-scaling" => {
            ends[1].sysctl.insert("net.ipv4.tcp_window_scaling".to_owned(), "0".to_owned());
        }
        "slow-reader" => {
            let rate = number(finding, EvidenceKey::ReaderRateBitsPerS)?;
            read = Reader { rate: Some(BitRate(rate as u64)), every: Some(PACE), ..read };
        }
        "zero-window" => {
            read = stalling_reader(half, finding, &mut situation)?;
            // How often it closes depends on how much goes into it.
            if let Some(window) = half.receive_window {
                set_third(&mut ends[1], RMEM, 131_072, window.max * 256 / 170);
                situation.assumptions.push(Assumption::Buffer);
            }
        }
        "application-paced" => {
            let rate = number(finding, EvidenceKey::RateBitsPerS)?;
            write = Writer { rate: Some(BitRate(rate as u64)), every: Some(PACE), ..write };
            ends[0].nodelay = true;
        }
        "policer" => {
            policer = Some(policed(finding, &mut situation)?);
        }
        // Nothing to impose: the transfer is over before the window has opened.
        "slow-start-dominates" => {}
        "application-think" | "application-peer-turn" | "request-response-turns" => {
            work = Some(conversation(connection, half, finding, &mut situation)?);
        }
        "nagle-delayed-ack" => {
            work = Some(turns(connection, half, finding, &mut situation, in_two_writes)?);
        }
        "loss-recovery" | "retransmission-timeouts" | "congestion-window-post-loss" => {
            let all = half.bytes + half.retransmitted_bytes;
            loss = Some(Share((half.retransmitted_bytes as f64 / all.max(1) as f64).clamp(0.0, 0.9)));
            situation.assumptions.push(Assumption::Loss);
        }
        "path-busy" => situation.measure_queue(half),
        rule => return Err(RebuildError::Finding(rule)),
    }
    let [sender, receiver] = ends;
    let work = work.map_or_else(
        || {
            let phase = Phase { bytes: Bytes(half.bytes), write, read, imposes: None };
            Work::Stream(Stream { opener: situation.opener, phases: vec![phase], credit: None, ending: None })
        },
        Work::Turns,
    );
    let mut link = LinkSpec {
        rtt: Nanos((situation.rtt * 1e9) as u64),
        rate: Some(BitRate(situation.rate as u64)),
        queue: Some(Bytes(situation.queue as u64)),
        ..LinkSpec::default()
    };
    link.forward.loss = loss;
    link.forward.policer = policer;
    let scenario = Scenario {
        name: "rebuilt".to_owned(),
        story: story(cause),
        expect: Expectation { verdict: vec![Expected::Cause(Cause::plain(cause.limit))], ..Expectation::default() },
        link,
        sender,
        receiver,
        work,
        capture: CaptureSpec::default(),
        ip_version: situation.ip_version,
        mtu: situation.mtu,
        seed: 1,
        deadline: Nanos::from_secs(30),
    };
    Ok(Rebuilt { scenario, vantage: situation.vantage, assumptions: situation.assumptions, window: wanted_window })
}

/// How much the application gave at a time: what left as one super-packet where that can be seen.
fn write_size(half: &HalfConnection, plateau: u64, situation: &mut Situation) -> u64 {
    let least = situation.mss.min(1448);
    if situation.vantage == End::Sender && half.segments > 0 {
        return (half.bytes / half.segments).clamp(least, 65_160).min(plateau.max(least));
    }
    situation.assumptions.push(Assumption::Writes);
    (plateau / 8).clamp(least, 65_160)
}

/// A buffer that holds `plateau` bytes: the socket's own, or where autotuning had reached its ceiling, that.
fn set_send_buffer(end: &mut EndSpec, finding: &Finding, plateau: u64, write: u64, mtu: u32, host: &Host) {
    // Then the last unsent bytes of a full buffer cannot go on growing (`tcp_sendmsg_locked`), and the buffer binds as it is.
    end.nodelay = true;
    let is_ceiling = finding.fixes.first().is_some_and(|fix| fix.id == "raise-tcp-wmem");
    match host.sndbuf_for(plateau, write, mtu).filter(|_| !is_ceiling) {
        Some(asked) => end.sndbuf = Some(Bytes(asked)),
        None => set_third(end, "net.ipv4.tcp_wmem", 16_384, plateau),
    }
}

/// Autotuning up to `most`.
fn set_third(end: &mut EndSpec, name: &str, start: u64, most: u64) {
    end.sysctl.insert(name.to_owned(), format!("4096 {} {most}", start.min(most)));
}

/// Reads so much, then rests: as often and as long as the window was closed.
fn stalling_reader(
    half: &HalfConnection,
    finding: &Finding,
    situation: &mut Situation,
) -> Result<Reader, RebuildError> {
    let stalls = number(finding, EvidenceKey::StallCount)?.max(1.0);
    let closed = half.limits.nanos_of_cause(Cause::from(Detail::ZeroWindow)) as f64 / 1e9;
    // While the reader rests, the window is open until the buffer is full, and stays closed until a probe or its update.
    let stall = half.limits.nanos_of(Limit::ReceiveWindow) as f64 / 1e9 / stalls;
    let stall = stall.max(closed / stalls);
    if stall > LONGEST_STALL {
        return Err(RebuildError::TooLong);
    }
    situation.assumptions.push(Assumption::Stalls);
    Ok(Reader {
        portion: Some(Bytes((half.bytes as f64 / (stalls + 1.0)).ceil() as u64)),
        every: Some(Nanos((stall * 1e9) as u64)),
        ..Reader::default()
    })
}

/// Bytes that the peer sent.
fn peer_bytes(connection: &Connection, half: &HalfConnection) -> u64 {
    connection.halves.iter().filter(|other| other.sender != half.sender).map(|other| other.bytes).sum()
}

/// Requests and responses that wait for a program.
fn conversation(
    connection: &Connection,
    half: &HalfConnection,
    finding: &Finding,
    situation: &mut Situation,
) -> Result<Turns, RebuildError> {
    let mut turns = turns(connection, half, finding, situation, |bytes| vec![Bytes(bytes)])?;
    let waited = match finding.rule {
        // What is left beside the round trips themselves, which the link takes.
        "request-response-turns" => {
            half.span.seconds() - number(finding, EvidenceKey::RoundTripsUs)? / 1e6 - situation.rtt
        }
        _ => half.limits.nanos_of(Limit::Application) as f64 / 1e9,
    };
    // The sender's side of a wait for the peer has the way there and back in it, which the link takes again.
    let room = half.span.seconds() - situation.rtt * (f64::from(turns.count) + 1.0);
    let wait = waited.min(room).max(0.0) / f64::from(turns.count);
    if wait > LONGEST_STALL {
        return Err(RebuildError::TooLong);
    }
    // The sender of these data takes its own time to answer, and rests; what is left is its peer's.
    let own = [Detail::Think, Detail::Idle].map(|detail| half.limits.nanos_of_cause(detail.into()) as f64 / 1e9);
    let own = (own.iter().sum::<f64>() / f64::from(turns.count)).min(wait);
    let (mine, theirs) = turns.waits_mut();
    (*mine, *theirs) = (Nanos((own * 1e9) as u64), Nanos(((wait - own) * 1e9) as u64));
    Ok(turns)
}

/// The policer that the losses lie on; where its depth does not show, it holds what the path does in a round trip.
fn policed(finding: &Finding, situation: &mut Situation) -> Result<Policer, RebuildError> {
    // What others take of it is not there in the laboratory.
    let rate = number(finding, EvidenceKey::ShareBitsPerS).or_else(|_| number(finding, EvidenceKey::RateBitsPerS))?;
    let least = 2.0 * f64::from(situation.mtu);
    let burst = number(finding, EvidenceKey::BurstBytes).unwrap_or_else(|_| {
        situation.assumptions.push(Assumption::Burst);
        situation.rate / 8.0 * situation.rtt
    });
    // What passes faster than the policer's rate shows how fast the path behind it is.
    if let Ok(peak) = number(finding, EvidenceKey::PeakRateBitsPerS) {
        situation.rate = situation.rate.max(peak.min(LARGEST_RATE));
    }
    Ok(Policer { rate: BitRate(rate as u64), burst: Bytes(burst.max(least) as u64) })
}

/// Requests in two writes, of which the second waits for the ACK of the first.
fn in_two_writes(bytes: u64) -> Vec<Bytes> {
    let bytes = bytes.max(2);
    let first = (bytes / 4).max(1);
    vec![Bytes(first), Bytes(bytes - first)]
}

/// As many turns as were counted, of equal sizes; `writes` says how the sender of these data writes its part of one.
fn turns(
    connection: &Connection,
    half: &HalfConnection,
    finding: &Finding,
    situation: &mut Situation,
    writes: impl FnOnce(u64) -> Vec<Bytes>,
) -> Result<Turns, RebuildError> {
    // The finding of a wait counts the waits that were long; that of the turns counts all.
    let counts = half.findings.iter().filter_map(|finding| number(finding, EvidenceKey::TurnCount).ok());
    let count = counts.fold(number(finding, EvidenceKey::TurnCount)?, f64::max).max(1.0);
    situation.assumptions.push(Assumption::Turns);
    let in_a_turn = |bytes: u64| ((bytes as f64 / count) as u64).max(1);
    let (mine, theirs) = (writes(in_a_turn(half.bytes)), vec![Bytes(in_a_turn(peer_bytes(connection, half)))]);
    let sender_asks = situation.opener == End::Sender;
    let (request, response) = if sender_asks { (mine, theirs) } else { (theirs, mine) };
    Ok(Turns {
        sender_asks,
        count: count as u32,
        ahead: 1,
        request,
        response,
        think: Nanos(0),
        every: None,
        service: Nanos(0),
        ending: None,
    })
}

/// A scenario needs one; whoever edits it knows better.
fn story(cause: Cause) -> Story {
    let words = |title: String| Words { title, text: String::new() };
    Story {
        en: words(format!("Rebuilt from a capture: {cause}")),
        zh_cn: words(format!("由抓包重建：{cause}")),
        source: "tcpwhy lab prove".to_owned(),
        ..Story::default()
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_analysis::Analyzer;
    use tcpwhy_kernel::KernelVersion;
    use tcpwhy_testkit::{Capture, ReceiveBuffer, Transfer, ms};

    use super::*;

    const HOST: Host = Host { version: KernelVersion::series(6, 18), wmem_max: 4_194_304, rmem_max: 4_194_304 };

    /// What a capture of `transfer` is rebuilt as.
    fn of(transfer: &Transfer) -> Result<Rebuilt, RebuildError> {
        let mut analyzer = Analyzer::new();
        for segment in transfer.run() {
            analyzer.observe(&segment);
        }
        let connections = analyzer.finish();
        let connection = &connections[0];
        let half = connection.halves.iter().max_by_key(|half| half.bytes).unwrap();
        rebuild(connection, half, &HOST)
    }

    fn small() -> Transfer {
        Transfer { send_buffer: Some(64_000), ..Transfer::default() }
    }

    #[test]
    fn a_send_buffer_comes_back() {
        for capture in [Capture::Sender, Capture::Receiver] {
            let rebuilt = of(&small().captured_at(capture)).unwrap();
            let asked = rebuilt.scenario.sender.sndbuf.expect("a send buffer").0;
            // 64,000 in flight are twice what has to be asked for, and some memory besides.
            assert!((20_000..60_000).contains(&asked), "{asked}");
            assert_eq!(rebuilt.scenario.receiver.rcvbuf, None);
            let Work::Stream(stream) = &rebuilt.scenario.work else { panic!("a stream") };
            assert_eq!(stream.bytes(), small().bytes);
            let is_at_receiver = matches!(capture, Capture::Receiver);
            assert_eq!(rebuilt.vantage, if is_at_receiver { End::Receiver } else { End::Sender });
            assert_eq!(rebuilt.assumptions.contains(&Assumption::Writes), is_at_receiver);
        }
    }

    #[test]
    fn the_round_trip_comes_back() {
        for rtt in [ms(10), ms(40)] {
            let rebuilt = of(&Transfer { rtt, ..small() }).unwrap();
            let error = rebuilt.scenario.link.rtt.0 as f64 / rtt as f64 - 1.0;
            assert!((0.0..0.1).contains(&error), "{rtt}: {error}");
        }
    }

    #[test]
    fn a_receive_buffer_comes_back() {
        let transfer =
            Transfer { receive_buffer: ReceiveBuffer::Fixed(64_000), window_scale: Some(2), ..Transfer::default() };
        let rebuilt = of(&transfer).unwrap();
        let asked = rebuilt.scenario.receiver.rcvbuf.expect("a receive buffer").0;
        // Of the doubled request 170/256 is window.
        assert!((40_000..60_000).contains(&asked), "{asked}");
        assert_eq!(rebuilt.scenario.sender.sndbuf, None);
        // Had it come to twice the window, half would be asked for.
        let (window, _) = rebuilt.window.unwrap();
        assert_eq!(rebuilt.corrected(window), None);
        assert_eq!(rebuilt.corrected(window / 2).unwrap().receiver.rcvbuf, Some(Bytes(asked * 2)));
        // … but for the window scale, which takes a buffer of some size.
        let scaled = Rebuilt { window: Some((window, asked)), ..rebuilt };
        assert_eq!(scaled.corrected(2 * window), None);
    }

    #[test]
    fn missing_window_scaling_comes_back() {
        let transfer =
            Transfer { receive_buffer: ReceiveBuffer::Fixed(65_535), window_scale: None, ..Transfer::default() };
        let rebuilt = of(&transfer).unwrap();
        assert_eq!(rebuilt.scenario.receiver.sysctl["net.ipv4.tcp_window_scaling"], "0");
    }

    #[test]
    fn a_policer_comes_back() {
        let transfer =
            Transfer { bytes: 12_000_000, policer: Some((tcpwhy_testkit::mbit(10), 200_000)), ..Transfer::default() };
        let rebuilt = of(&transfer).unwrap();
        let policer = rebuilt.scenario.link.forward.policer.expect("a policer");
        assert!((9_500_000..10_500_000).contains(&policer.rate.0), "{policer:?}");
        assert!((150_000..250_000).contains(&policer.burst.0), "{policer:?}");
    }

    #[test]
    fn slow_start_comes_back() {
        let rebuilt = of(&Transfer { bytes: 300_000, rtt: ms(100), ..Transfer::default() }).unwrap();
        let Work::Stream(stream) = &rebuilt.scenario.work else { panic!("a stream") };
        assert_eq!(stream.bytes(), 300_000);
    }

    /// All turns come back, and take as long as they did: a round trip each.
    #[test]
    fn request_and_response_come_back() {
        for (count, think) in [(100, 0), (40, ms(3)), (40, ms(85))] {
            let talk = tcpwhy_testkit::Turns { count, think, ..tcpwhy_testkit::Turns::default() };
            let mut analyzer = Analyzer::new();
            talk.run().iter().for_each(|segment| analyzer.observe(segment));
            let connections = analyzer.finish();
            let connection = &connections[0];
            let principal = connection.halves.iter().max_by_key(|half| half.bytes).unwrap();
            let half = subject(connection, principal);
            let rebuilt = rebuild(connection, half, &HOST).unwrap();
            let Work::Turns(turns) = &rebuilt.scenario.work else { panic!("turns") };
            assert!(turns.count.abs_diff(count) <= 1, "{} of {count}", turns.count);
            let each = turns.think.seconds() + turns.service.seconds() + rebuilt.scenario.link.rtt.seconds();
            let all = each * f64::from(turns.count);
            let error = all / half.span.seconds() - 1.0;
            assert!(error.abs() < 0.1, "{all} instead of {}", half.span.seconds());
        }
    }

    #[test]
    fn a_request_in_two_writes_is_as_long() {
        for (bytes, writes) in [(1, [1, 1]), (2, [1, 1]), (3, [1, 2]), (100, [25, 75])] {
            assert_eq!(in_two_writes(bytes), writes.map(Bytes));
        }
    }

    #[test]
    fn what_is_rebuilt_is_a_scenario() {
        let scenario = of(&small()).unwrap().scenario;
        let text = scenario.to_toml().unwrap();
        assert_eq!(Scenario::from_toml(&scenario.name, &text).unwrap(), scenario);
    }

    #[test]
    fn a_healthy_transfer_is_refused() {
        let refused = of(&Transfer { bytes: 1000, ..Transfer::default() }).unwrap_err();
        assert!(
            matches!(refused, RebuildError::Nothing | RebuildError::NoPrediction | RebuildError::Finding(_)),
            "{refused:?}"
        );
    }
}
