//! Activity of the two programs, as phases of the stream.

use tcpwhy_analysis::Vantage;
use tcpwhy_model::{Cause, Detail, Limit, Span, Timestamp};
use tcpwhy_scenario::{BitRate, Bytes, Nanos, Phase, Reader, Writer};

use crate::draw::Draw;
use crate::shown::Shown;

/// Smallest share of the time for a limit of a program.
pub(crate) const LEAST_SHARE: f64 = 0.03;
/// Maximum number of separate pauses or stalls; more are represented by their mean.
const MOST_APART: usize = 40;
/// Minimum length of a separate pause, as a share of the total time.
const REST_SHARE: f64 = 0.004;

/// Share of the time, or of its pauses, above which it represents all of it.
const MOST_OF: f64 = 0.7;
/// Share of the time in small portions above which the program always wrote so.
const NEARLY_ALL: f64 = 0.8;
/// Number of spans over most of the time above which they count as everywhere.
const LEAST_EVERYWHERE: usize = 3;
/// Spans closer than this share of the time are merged.
const SHORT_SHARE: f64 = 0.1;
/// Spans shorter than this share of the time are dropped.
const STRETCH_SHARE: f64 = 0.02;

/// A pause of a program.
#[derive(Clone, Copy, Debug)]
struct Pause {
    /// Bytes of the stream before it.
    at: f64,
    /// Seconds of the writer's pause.
    write: f64,
    /// Seconds of the reader's pause.
    read: f64,
}

/// A range of the stream, bytes.
type Range = (f64, f64);

impl Shown<'_> {
    /// Bytes sent by `time`.
    fn sent_by(&self, time: Timestamp) -> f64 {
        let span = self.half.limits.span();
        let until = Span::new(span.start(), time.max(span.start()));
        let share = match &self.half.progress {
            Some(progress) => progress.within(&[until]) / progress.total().max(1) as f64,
            None => until.nanos() as f64 / span.nanos().max(1) as f64,
        };
        self.half.bytes as f64 * share.clamp(0.0, 1.0)
    }

    /// Time spans of causes that `is_mine` selects; adjacent ones are merged.
    fn stretches(&self, is_mine: impl Fn(Cause) -> bool) -> Vec<Span> {
        let mut all: Vec<Span> = Vec::new();
        for interval in self.half.limits.intervals().iter().filter(|interval| is_mine(interval.cause)) {
            match all.last_mut() {
                Some(last) if last.end() >= interval.span.start() => {
                    *last = Span::new(last.start(), interval.span.end());
                }
                _ => all.push(interval.span),
            }
        }
        all
    }

    /// Long pauses in which the application had nothing to send.
    fn rests(&self) -> Vec<Span> {
        let is_rest = |cause: Cause| {
            cause.limit == Limit::Application && !matches!(cause.detail, Some(Detail::PacedWrites | Detail::PeerWindow))
        };
        let least = (REST_SHARE * self.seconds()).max(self.rtt / 2.0);
        let mut all = self.stretches(is_rest);
        all.retain(|span| span.seconds() >= least);
        all
    }

    fn stalls(&self) -> Vec<Span> {
        let mut all = self.stretches(|cause| cause.detail == Some(Detail::ZeroWindow));
        all.retain(|span| span.seconds() >= (REST_SHARE * self.seconds()).max(self.rtt));
        all
    }

    fn total(spans: &[Span]) -> f64 {
        spans.iter().map(|span| span.seconds()).sum()
    }

    /// Whether the sender's application paused.
    pub(crate) fn has_rests(&self) -> bool {
        // In a capture not at the sender, a writer blocked by a full buffer looks idle.
        let is_buffer = self.half.vantage != Vantage::Sender
            && self.half.verdict.cause.is_some_and(|cause| cause.limit == Limit::SendBuffer);
        !is_buffer
            && self.under_detail(Detail::PacedWrites) + self.under_detail(Detail::Idle) >= LEAST_SHARE * self.seconds()
    }

    /// Whether the receiver's application is slow.
    pub(crate) fn has_slow_reader(&self) -> bool {
        let slow = self.under_detail(Detail::SlowReader) + self.under_detail(Detail::ZeroWindow);
        slow >= LEAST_SHARE * self.seconds()
    }

    /// Steady rate of the reader between stalls.
    fn steady_reader(&self, times: f64, stalled: f64) -> Reader {
        /// Interval between portions of the reader.
        const PACE: Nanos = Nanos(10_000_000);
        let slow = self.under_detail(Detail::SlowReader) + self.under_detail(Detail::ZeroWindow) - stalled;
        if slow < LEAST_SHARE * self.seconds() || slow < stalled / 4.0 {
            return Reader::default();
        }
        let bytes = self.facts.bytes_under[Limit::ReceiveWindow as usize];
        let seconds = self.under(Limit::ReceiveWindow) - stalled;
        let rate = (bytes * 8.0 / seconds.max(1e-6) * times).clamp(8e3, 100e9);
        Reader { rate: Some(BitRate(rate as u64)), every: Some(PACE), ..Reader::default() }
    }

    /// Steady writes in small portions, at the observed frequency.
    fn steady_writer(&self, draw: &Draw) -> Option<Writer> {
        let written = self.facts.written;
        if written.bursts < 1.0 || written.bytes <= 0.0 {
            return None;
        }
        let portion = (written.bytes / written.bursts).max(1.0) as u64;
        let rest = written.silence.max(1e-6) / written.bursts * draw.settled.rests;
        Some(portions(portion, rest, draw.write()))
    }

    /// Phases of the stream.
    pub(crate) fn phases(&self, draw: &Draw) -> Vec<Phase> {
        let all = self.half.bytes as f64;
        let (rests, stalls) = (self.rests(), self.stalls());
        let mut pauses: Vec<Pause> = Vec::new();
        let mut everywhere = Writer { size: Bytes(draw.write()), ..Writer::default() };
        let idle = self.under_detail(Detail::Idle);
        let count = rests.len().max(self.facts.pauses.saturating_sub(1) as usize);
        if !self.has_rests() {
            // The apparent pauses have another reason.
        } else if count <= MOST_APART && Self::total(&rests) >= MOST_OF * idle {
            let pause = |span: &Span| Pause {
                at: self.sent_by(span.end()),
                write: span.seconds() * draw.settled.rests,
                read: 0.0,
            };
            // A pause after the last byte does not count.
            pauses.extend(rests.iter().map(pause).filter(|pause| pause.at < all * 0.9999));
        } else {
            let portion = (all / (count + 1) as f64).max(1.0) as u64;
            everywhere = portions(portion, idle / count.max(1) as f64 * draw.settled.rests, draw.write());
        }
        let mut read = self.steady_reader(draw.settled.reader, Self::total(&stalls));
        if stalls.len() <= MOST_APART {
            let held = self.facts.windows[1] as f64;
            let fill = held / self.rate.likely;
            let pause = |span: &Span| Pause {
                at: (self.sent_by(span.start()) - held).max(1.0),
                write: 0.0,
                read: (span.seconds() + fill) / draw.settled.reader,
            };
            pauses.extend(stalls.iter().map(pause));
        } else {
            let portion = (all / (stalls.len() + 1) as f64).max(1.0) as u64;
            let every = Self::total(&stalls) / stalls.len() as f64 / draw.settled.reader;
            read = Reader { portion: Some(Bytes(portion)), every: Some(nanos(every)), ..Reader::default() };
        }
        let paced = self.paced();
        let writer = self.steady_writer(draw).filter(|_| self.has_rests());
        let mut cuts: Vec<f64> = pauses.iter().map(|pause| pause.at).collect();
        if writer.is_some() {
            cuts.extend(paced.iter().flat_map(|&(from, to)| [from, to]));
        }
        cuts.retain(|&cut| cut >= 1.0 && cut < all);
        cuts.extend([0.0, all]);
        cuts.sort_by(f64::total_cmp);
        cuts.dedup_by(|a, b| (*a as u64) == (*b as u64));
        let phase = |pair: &[f64]| {
            let &[from, to] = pair else { return None };
            let bytes = (to as u64).saturating_sub(from as u64);
            let mut write = everywhere;
            let middle = f64::midpoint(from, to);
            if let Some(writer) = writer
                && paced.iter().any(|&(start, end)| start <= middle && middle < end)
            {
                write = writer;
            }
            let before = |of: fn(&Pause) -> f64| {
                pauses.iter().filter(|pause| pause.at.max(0.0) as u64 == from as u64).map(of).sum::<f64>()
            };
            write.delay = nanos(before(|pause| pause.write));
            let mut read = read;
            read.delay = nanos(before(|pause| pause.read));
            (bytes > 0).then_some(Phase { bytes: Bytes(bytes), write, read, imposes: None })
        };
        cuts.windows(2).filter_map(phase).collect()
    }

    /// Ranges of the stream that the program wrote in small portions.
    fn paced(&self) -> Vec<Range> {
        let mut spans = self.stretches(|cause| cause.detail == Some(Detail::PacedWrites));
        if Self::total(&spans) < LEAST_SHARE * self.seconds() {
            return Vec::new();
        }
        let count = spans.len();
        let spans_hull = spans.first().zip(spans.last()).map(|(first, last)| Span::new(first.start(), last.end()));
        // A short gap between two spans belongs to them.
        let mut merged: Vec<Span> = Vec::new();
        for span in spans.drain(..) {
            match merged.last_mut() {
                Some(last) if span.start().since(last.end()) as f64 / 1e9 <= SHORT_SHARE * self.seconds() => {
                    *last = Span::new(last.start(), span.end());
                }
                _ => merged.push(span),
            }
        }
        merged.retain(|span| span.seconds() >= STRETCH_SHARE * self.seconds());
        let range = |span: &Span| (self.sent_by(span.start()), self.sent_by(span.end()));
        let mut ranges: Vec<Range> = merged.iter().map(range).collect();
        let hull = spans_hull.map_or(0.0, Span::seconds);
        let is_everywhere = count >= LEAST_EVERYWHERE && hull > MOST_OF * self.seconds();
        if is_everywhere || merged.len() > MOST_APART || Self::total(&merged) > NEARLY_ALL * self.seconds() {
            ranges = vec![(0.0, self.half.bytes as f64)];
        }
        ranges
    }
}

fn nanos(seconds: f64) -> Nanos {
    Nanos((seconds.max(0.0) * 1e9) as u64)
}

/// A writer of `portion` bytes with a pause of `rest` seconds after each.
fn portions(portion: u64, rest: f64, size: u64) -> Writer {
    Writer {
        size: Bytes(portion.clamp(1, size)),
        portion: Some(Bytes(portion)),
        every: Some(nanos(rest).max(Nanos(1))),
        ..Writer::default()
    }
}
