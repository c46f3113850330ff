//! The scenario that the packets show without a supposed cause: path, ends, window, losses, and turns.
//!
//! Every rebuilt transfer begins with it. A supposed cause that packets do not show (a send buffer, a
//! program's pace) is added on top (`impose`). The supposed cause is unnecessary if the transfer resembles
//! the capture without it.

use tcpwhy_analysis::{HalfConnection, Vantage};
use tcpwhy_model::{Cause, Detail, EvidenceKey, Finding, Limit};
use tcpwhy_scenario::{
    BitRate, Bytes, CaptureSpec, Credit, End, EndSpec, Expectation, LinkSpec, Nanos, Phase, Policer, Reader, Scenario,
    Share, Story, Stream, Turns, Words, Work, Writer,
};

use super::conversation;
use super::distance::BuiltFrom;
use super::replay::Replay;
use super::shown::{LONGEST_WAIT, Shown};
use super::situation::{Assumption, LARGEST_RATE, RebuildError, Situation, number};
use tcpwhy_fit::Setting;

pub(super) const WMEM: &str = "net.ipv4.tcp_wmem";
const RMEM: &str = "net.ipv4.tcp_rmem";
const SACK: &str = "net.ipv4.tcp_sack";
const TIMESTAMPS: &str = "net.ipv4.tcp_timestamps";
const SCALING: &str = "net.ipv4.tcp_window_scaling";
/// Share of time with a full window below which the window was not the limit.
pub(super) const BINDING: f64 = 0.1;
/// Share of time with a zero window from which a reader stalls.
const STALLING: f64 = 0.05;
/// Share of time with less than half of the window from which a reader is slow rather than a buffer small.
const SHRUNK: f64 = 0.3;
/// Share of time on a busy path from which its queue causes the losses.
const QUEUE_LOSSES: f64 = 0.3;
/// Share of time on a busy path from which the delivered rate is the path's rate. Without it, trains of
/// segments may pass faster.
const SATURATED: f64 = 0.5;
/// Share of time under a pacing sender from which the scenario has one.
const PACING: f64 = 0.2;
/// Share of retransmitted segments from which losses are a cause, and the scenario has them.
pub(super) const LEAST_LOSS: f64 = 0.000_1;
/// A sender that halves its window for losses sends at most MSS / RTT · √(3/2p) (Mathis et al. 1997, §2). A
/// sender that exceeds this by the given factor does not halve it.
const BEYOND_MATHIS: f64 = 3.0;
/// Fewest losses from which a rate can be computed.
const LEAST_LOSSES: usize = 20;
/// Linux's initial window since 2.6.39, segments.
const INITIAL_SEGMENTS: u64 = 10;

/// All parts of a scenario, as far as they are decided.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub(super) situation: Situation,
    pub(super) sender: EndSpec,
    pub(super) receiver: EndSpec,
    pub(super) write: Writer,
    pub(super) read: Reader,
    pub(super) credit: Option<Credit>,
    pub(super) phases: Vec<Phase>,
    pub(super) turns: Option<Turns>,
    pub(super) link: LinkSpec,
    /// The window that a requested buffer must offer, and the smallest buffer with a sufficient window scale.
    pub(super) window: Option<(u64, u64)>,
    /// Whether a send buffer, whose size packets do not show, sets the pace.
    pub(super) is_paced_by_buffer: bool,
    pub(super) built_from: BuiltFrom,
    /// The setting that determined the limiting buffer.
    pub(super) setting: Option<Setting>,
}

impl Shown<'_> {
    /// The transfer without any cause that packets do not show.
    pub(super) fn base(&self) -> Result<Parts, RebuildError> {
        let mut situation = Situation::of(self.connection, self.half)?;
        if self.observed.share(Limit::Path) >= SATURATED
            && let Some(delivered) = self.observed.facts.delivered
        {
            // If the rate changed in between, the mean rate transfers the same bytes in the same time.
            let mean = self.half.bytes as f64 / self.half.span.seconds().max(f64::MIN_POSITIVE);
            situation.saturate(mean.max(delivered as f64) * 8.0);
        }
        let mut parts = Parts {
            sender: EndSpec::default(),
            receiver: EndSpec::default(),
            write: Writer::default(),
            read: Reader::default(),
            credit: None,
            phases: Vec::new(),
            turns: None,
            link: LinkSpec::default(),
            window: None,
            is_paced_by_buffer: false,
            built_from: BuiltFrom::Packets,
            setting: None,
            situation,
        };
        self.set_initial_window(&mut parts);
        self.lose_syns(&mut parts);
        self.leave_out_options(&mut parts);
        self.set_receiver(&mut parts)?;
        self.set_losses(&mut parts);
        if self.share_of(Detail::Paced) >= PACING {
            "bbr".clone_into(&mut parts.sender.congestion_control);
        }
        if conversation::is_one(self) {
            parts.turns = Some(conversation::turns(self, &mut parts.situation, |bytes| vec![Bytes(bytes)])?);
        }
        Ok(parts)
    }

    /// Sets the sender's initial window, which the first flight shows.
    fn set_initial_window(&self, parts: &mut Parts) {
        let segments = self.observed.facts.first_flight / parts.situation.mss.max(1);
        if segments > INITIAL_SEGMENTS {
            parts.sender.initcwnd = u32::try_from(segments).ok().map(|segments| segments.min(1000));
        }
    }

    /// Removes an option that a SYN lacks. Both SYNs must have it, so one end without it suffices.
    fn leave_out_options(&self, parts: &mut Parts) {
        let facts = &self.observed.facts;
        for (is_lacking, name) in [(facts.lacks_sack, SACK), (facts.lacks_timestamps, TIMESTAMPS)] {
            if is_lacking {
                parts.receiver.sysctl.insert(name.to_owned(), "0".to_owned());
            }
        }
    }

    /// Loses the SYNs that were retransmitted.
    fn lose_syns(&self, parts: &mut Parts) {
        let facts = &self.observed.facts;
        let repeats = |end: End| u64::from(facts.syns[end.index()].saturating_sub(1));
        parts.link.forward.lose_syns = Some(repeats(End::Sender)).filter(|&count| count > 0);
        parts.link.back.lose_syns = Some(repeats(End::Receiver)).filter(|&count| count > 0);
    }

    /// Sets the receiver's buffer, whose windows are in the packets, if they ever were full.
    fn set_receiver(&self, parts: &mut Parts) -> Result<(), RebuildError> {
        let facts = &self.observed.facts;
        if facts.has_receiver_syn && facts.scales[1].is_none() {
            parts.receiver.sysctl.insert(SCALING.to_owned(), "0".to_owned());
        } else if self.observed.full >= BINDING {
            let closed = facts.closed.1 / self.half.span.seconds().max(f64::MIN_POSITIVE);
            if closed >= STALLING {
                self.stall(parts)?;
            } else if self.observed.shrunk >= SHRUNK {
                self.read_slowly(parts)?;
            } else {
                self.offer(parts, self.shown_setting());
            }
        }
        Ok(())
    }

    /// The setting that determined the window, by its scale in the SYN.
    pub(super) fn shown_setting(&self) -> Setting {
        let situation = Situation::of(self.connection, self.half).ok();
        let opener = situation.as_ref().map_or(End::Receiver, |situation| situation.opener);
        let mtu = situation.map_or(1500, |situation| situation.mtu);
        let facts = &self.observed.facts;
        self.host.receive_setting(facts.largest_window, facts.scales[1], mtu, opener)
    }

    /// Offers a constant window: the largest one in the capture.
    pub(super) fn offer(&self, parts: &mut Parts, setting: Setting) {
        let window = self.observed.facts.largest_window;
        let situation = &parts.situation;
        let asked = self.host.rcvbuf_for(window, situation.mtu, situation.opener);
        parts.read = Reader::default();
        parts.receiver.sysctl.remove(RMEM);
        parts.receiver.rcvbuf = None;
        parts.window = None;
        parts.setting = Some(if asked.is_some() { setting } else { Setting::Sysctl });
        match asked.filter(|_| setting == Setting::Socket) {
            Some((asked, least)) => {
                parts.receiver.rcvbuf = Some(Bytes(asked));
                parts.window = Some((window, least));
            }
            None => set_third(&mut parts.receiver, RMEM, 131_072, window * 256 / 170),
        }
    }

    /// Makes the reader take data at the pace of the window's right edge.
    pub(super) fn read_slowly(&self, parts: &mut Parts) -> Result<(), RebuildError> {
        /// Interval at which the reader takes a portion.
        const PACE: Nanos = Nanos(10_000_000);
        let rate = self.observed.facts.edge_rate.ok_or(RebuildError::Absent(super::Trace::FullWindow))?;
        parts.read = Reader { rate: Some(BitRate((rate * 8.0) as u64)), every: Some(PACE), ..Reader::default() };
        self.cap_window(parts);
        Ok(())
    }

    /// Makes the reader pause as often and as long as the window was zero.
    pub(super) fn stall(&self, parts: &mut Parts) -> Result<(), RebuildError> {
        let (count, closed) = self.observed.facts.closed;
        if count == 0 {
            return Err(RebuildError::Absent(super::Trace::ClosedWindow));
        }
        // While the reader pauses, its buffer fills at the path's rate. Then the window is zero until the
        // next read.
        let stalls = f64::from(count);
        let fill = self.observed.facts.largest_window as f64 * 8.0 / parts.situation.rate;
        let stall = closed / stalls + fill;
        if stall > LONGEST_WAIT {
            return Err(RebuildError::TooLong);
        }
        parts.situation.assumptions.push(Assumption::Stalls);
        let portion = (self.half.bytes as f64 / (stalls + 1.0)).ceil() as u64;
        let every = Some(Nanos((stall * 1e9) as u64));
        parts.read = Reader { portion: Some(Bytes(portion)), every, ..Reader::default() };
        self.cap_window(parts);
        Ok(())
    }

    /// Limits the window, because its size determines how often it becomes zero.
    fn cap_window(&self, parts: &mut Parts) {
        let read = parts.read;
        self.offer(parts, self.shown_setting());
        parts.read = read;
        // The reader is the limit, not the buffer.
        parts.setting = None;
        parts.situation.assumptions.push(Assumption::Buffer);
    }

    /// Adds losses that no queue of the path explains: the same frames, or their share. A policer drops by
    /// itself.
    fn set_losses(&self, parts: &mut Parts) {
        if let Some(policer) = self.finding("policer").and_then(|finding| policed(finding, &mut parts.situation).ok()) {
            parts.link.forward.policer = Some(policer);
            return;
        }
        if self.observed.share(Limit::Path) >= QUEUE_LOSSES {
            parts.situation.measure_queue(self.half);
            return;
        }
        if self.observed.retransmitted < LEAST_LOSS {
            return;
        }
        let frames = &self.observed.facts.lost_frames;
        if frames.is_empty() {
            let all = self.half.bytes + self.half.retransmitted_bytes;
            let lost = self.half.retransmitted_bytes as f64 / all.max(1) as f64;
            parts.link.forward.loss = Some(Share(lost.clamp(0.0, 0.9)));
            parts.situation.assumptions.push(Assumption::Loss);
        } else {
            parts.link.forward.lose_data.clone_from(frames);
            parts.situation.assumptions.push(Assumption::SameLosses);
        }
        let frames_sent = self.half.bytes as f64 / parts.situation.mss.max(1) as f64;
        let lost = frames.len() as f64 / frames_sent.max(1.0);
        let mathis = parts.situation.mss as f64 / parts.situation.rtt * (1.5 / lost.max(1e-9)).sqrt();
        let goodput = self.half.bytes as f64 / self.half.span.seconds().max(f64::MIN_POSITIVE);
        if frames.len() >= LEAST_LOSSES && goodput > BEYOND_MATHIS * mathis {
            "bbr".clone_into(&mut parts.sender.congestion_control);
            parts.situation.assumptions.push(Assumption::Bbr);
        }
    }
}

/// Sets autotuning with a limit of `most`.
pub(super) fn set_third(end: &mut EndSpec, name: &str, start: u64, most: u64) {
    end.sysctl.insert(name.to_owned(), format!("4096 {} {most}", start.min(most)));
}

/// The policer that the losses fit. If its depth is unknown, it holds the path's data of one round trip.
pub(super) fn policed(finding: &Finding, situation: &mut Situation) -> Result<Policer, RebuildError> {
    // Other connections that share the policer do not exist in the lab.
    let rate = number(finding, EvidenceKey::ShareBitsPerS).or_else(|_| number(finding, EvidenceKey::RateBitsPerS))?;
    let least = 2.0 * f64::from(situation.mtu);
    let burst = number(finding, EvidenceKey::BurstBytes).unwrap_or_else(|_| {
        situation.assumptions.push(Assumption::Burst);
        situation.rate / 8.0 * situation.rtt
    });
    // Traffic that is faster than the policer's rate shows the rate of the path after it.
    if let Ok(peak) = number(finding, EvidenceKey::PeakRateBitsPerS) {
        situation.rate = situation.rate.max(peak.min(LARGEST_RATE));
    }
    Ok(Policer { rate: BitRate(rate as u64), burst: Bytes(burst.max(least) as u64) })
}

/// A transfer that the lab can run.
#[derive(Clone, Debug)]
pub(super) struct Rebuilt {
    pub(super) scenario: Scenario,
    pub(super) vantage: Vantage,
    pub(super) assumptions: Vec<Assumption>,
    pub(super) built_from: BuiltFrom,
    /// The times of the capture that it repeats, because of which it resembles the capture for any cause.
    pub(super) replays: Option<Replay>,
    /// The setting that determined the limiting buffer.
    pub(super) setting: Option<Setting>,
    window: Option<(u64, u64)>,
    is_paced_by_buffer: bool,
}

/// Largest value of a socket option or sysctl in bytes.
const MOST_BUFFER: u64 = i32::MAX.unsigned_abs() as u64;
/// Deviation of a window or pace from which another run is worthwhile.
const LEVEL_TOLERANCE: f64 = 0.05;

impl Rebuilt {
    /// Returns `run` with better buffers: it had `window`, and `pace` times the captured pace. The share of
    /// data in a buffer depends on the arrival of frames, and on the size and times of writes. `None` if it
    /// is close enough.
    pub(super) fn corrected(&self, run: &Scenario, window: u64, pace: f64) -> Option<Scenario> {
        let mut scenario = run.clone();
        let mut is_changed = false;
        let nearer = |asked: u64, wanted: u64, got: f64| {
            let nearer = asked as f64 * wanted as f64 / got.max(1.0);
            ((nearer / asked.max(1) as f64 - 1.0).abs() > LEVEL_TOLERANCE).then_some(nearer as u64)
        };
        if let (Some((wanted, least)), Some(asked)) = (self.window, scenario.receiver.rcvbuf) {
            let found = nearer(asked.0, wanted, window as f64).map(|asked| asked.max(least));
            if let Some(found) = found.filter(|&found| found != asked.0) {
                scenario.receiver.rcvbuf = Some(Bytes(found));
                is_changed = true;
            }
        }
        if self.is_paced_by_buffer && (pace - 1.0).abs() > LEVEL_TOLERANCE {
            let nearer = |bytes: u64| ((bytes as f64 / pace.max(f64::MIN_POSITIVE)) as u64).clamp(1, MOST_BUFFER);
            let third = scenario.sender.sysctl.get(WMEM).and_then(|value| value.rsplit(' ').next()?.parse().ok());
            if let Some(asked) = &mut scenario.sender.sndbuf {
                asked.0 = nearer(asked.0);
                is_changed = true;
            } else if let Some(third) = third {
                set_third(&mut scenario.sender, WMEM, 16_384, nearer(third));
                is_changed = true;
            }
        }
        is_changed.then_some(scenario)
    }
}

impl Parts {
    /// Builds the scenario of the transfer `half` with the supposed `cause`.
    pub(super) fn scenario(self, half: &HalfConnection, cause: Option<Cause>) -> Rebuilt {
        let Self { situation, sender, receiver, write, read, credit, phases, turns, mut link, .. } = self;
        let (window, is_paced_by_buffer) = (self.window, self.is_paced_by_buffer);
        let (built_from, setting) = (self.built_from, self.setting);
        let work = turns.map_or_else(
            || {
                let whole = Phase { bytes: Bytes(half.bytes), write, read, imposes: None };
                let phases = if phases.is_empty() { vec![whole] } else { phases };
                Work::Stream(Stream { opener: situation.opener, phases, credit, ending: None })
            },
            Work::Turns,
        );
        link.rtt = Nanos((situation.rtt * 1e9) as u64);
        link.rate = Some(BitRate(situation.rate as u64));
        link.queue = Some(Bytes(situation.queue as u64));
        let scenario = Scenario {
            name: "rebuilt".to_owned(),
            story: story(cause),
            expect: Expectation::default(),
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
        Rebuilt {
            replays: Replay::of(&scenario, half.span.seconds()),
            scenario,
            vantage: situation.vantage,
            assumptions: situation.assumptions,
            built_from,
            setting,
            window,
            is_paced_by_buffer,
        }
    }
}

/// A scenario needs a story; a user who edits the file can write a better one.
fn story(cause: Option<Cause>) -> Story {
    let cause = cause.map_or_else(String::new, |cause| format!(": {cause}"));
    let words = |title: String| Words { title, text: String::new() };
    Story {
        en: words(format!("Rebuilt from a capture{cause}")),
        zh_cn: words(format!("由抓包重建{cause}")),
        source: "tcpwhy lab prove".to_owned(),
        ..Story::default()
    }
}
