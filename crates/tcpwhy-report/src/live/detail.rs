//! One live connection: the answer, its time by limit, and the last minute as bars.

use tcpwhy_analysis::{Connection, HalfConnection, Role, Side, leading_finding};
use tcpwhy_model::{Claim, Finding, Prediction, Timestamp};
use tcpwhy_watch::{LiveConnection, Point, share_range};

use super::{Line, Piece, Tone, about_outcome, after_outcome, healthy_sentence, process_name, strip};
use crate::is_gain;
use crate::prediction_args::has_paths;
use crate::text::look::pad;
use crate::text::{AnswerText, Look};
use crate::{Args, Site, Wording};

/// Width of the labels on the left, columns.
const LABEL: usize = 10;
/// Most fixes that are shown; more belong in a report.
const FIXES: usize = 2;
/// Below this width, charts share the line with a figure of `FIGURES` columns.
const NARROW: usize = 46;
const FIGURES: usize = 23;
/// Limits with a smaller share of the time are left out.
const LEAST_SHARE: f64 = 0.005;

/// The value of one second that a chart shows.
type Value = fn(&Point) -> f64;

/// A connection in detail.
pub struct LiveDetail<'a> {
    /// The connection.
    pub connection: &'a LiveConnection,
    /// Its state some seconds ago, with predictions that have been simulated since.
    pub foreseen: Option<&'a Connection>,
    /// End of the time shown.
    pub until: Timestamp,
    /// Length of the strip, nanoseconds.
    pub nanos: i64,
    /// Catalogue and units of the words.
    pub wording: Wording<'a>,
    /// Capabilities of the terminal.
    pub look: Look,
}

impl LiveDetail<'_> {
    /// The lines, each within the width of the terminal.
    pub fn lines(&self) -> Vec<Line> {
        let (connection, wording, look) = (self.connection, self.wording, self.look);
        let words = wording.catalogue();
        let name = process_name(connection, wording);
        let title = format!("{name}  {} → {}", connection.local(), connection.peer());
        let mut lines = self.wrapped(&title, Tone::Bold);
        if connection.has_ended() {
            lines.push(self.text(&words.word("live-detail-gone"), Tone::Warning));
        }
        if let Some(outcome) = connection.outcome() {
            lines.extend(self.wrapped(&about_outcome(connection, &outcome, wording), Tone::Warning));
            lines.extend(self.wrapped(&after_outcome(connection, &outcome, wording), Tone::Bold));
        }
        let whole = connection.conclude();
        // The list of connections shows the same direction.
        let half = if connection.is_receiver() { whole.halves.last() } else { whole.halves.first() };
        let Some(half) = half else { return lines };
        let tone = half.verdict.cause.map_or(Tone::Plain, |cause| Tone::Limit(cause.limit));
        let why = healthy_sentence(half, wording).unwrap_or_else(|| AnswerText::of_half(&whole, half, wording).why);
        lines.extend(self.wrapped(&why, tone));
        let site = Site::of(&whole, Some(half.sender));
        if let Some(finding) = leading_finding(half) {
            for (index, fix) in finding.fixes.iter().take(FIXES).enumerate() {
                let id = if index == 0 { "live-detail-fix" } else { "live-detail-fix-or" };
                let args = Args::new()
                    .text("fix", wording.fix_headline(fix, Some(&site)))
                    .text("place", wording.place(fix.place));
                lines.extend(self.wrapped(&words.text(id, &args), Tone::Bold));
            }
            let (half, finding) = self.foreseen(half, finding).unwrap_or((half, finding));
            lines.extend(self.wrapped(&self.prediction(half, finding.prediction.as_ref()), Tone::Plain));
        }
        lines.push(Line::new());
        let room = look.width.saturating_sub(LABEL + 1);
        let mut limit = self.label("live-detail-limit");
        limit.extend(strip::pieces(&connection.strip(self.until, self.nanos, room.min(120)), look));
        lines.push(limit);
        self.charts(&mut lines, room);
        lines.push(Line::new());
        let units = wording.units();
        let all = half.limits.span().nanos().max(1) as f64;
        for (index, total) in half.limits.totals().iter().enumerate() {
            let share = total.nanos as f64 / all;
            if share < LEAST_SHARE {
                break;
            }
            let (low, high) = share_range(share, connection.samples());
            let args = Args::new()
                .text("limit", format!("{:>8}  {}", units.nanos(total.nanos), wording.live_cause(total.cause)))
                .text("share", units.share(share))
                .text("low", units.share(low))
                .text("high", units.share(high));
            let mut line = if index == 0 { self.label("live-detail-limits") } else { self.blank() };
            let form = |id: &str| look.signs(&words.text(id, &args)).into_owned();
            let exact = form("live-share-exact");
            let ranged = if connection.is_accounted() { exact.clone() } else { form("live-share") };
            let text = if look.columns(&ranged) <= room { ranged } else { look.shorten(&exact, room) };
            line.push(Piece { text, tone: Tone::Limit(total.cause.limit) });
            lines.push(line);
        }
        let [first, last] = connection.seen();
        let args = Args::new().number("count", connection.samples()).text("time", units.nanos(last.since(first)));
        let watched = if connection.is_accounted() { "live-detail-accounted" } else { "live-detail-samples" };
        lines.push(self.text(&words.text(watched, &args), Tone::Dim));
        if let Some(blocked) = connection.blocked().filter(|&blocked| blocked > 0) {
            let args = Args::new().text("time", units.nanos(blocked));
            lines.push(self.text(&words.text("live-detail-blocked", &args), Tone::Plain));
        }
        lines.extend(self.turns());
        lines
    }

    /// Response times of this end, by its role; `None` if they are not measured.
    fn turns(&self) -> Option<Line> {
        let words = self.wording.catalogue();
        let [own, peers] = self.connection.turns()?;
        let (id, turns) = match self.connection.role() {
            Role::Server => ("live-detail-server-time", own),
            _ => ("live-detail-response-time", peers),
        };
        let at_most = |share| {
            let (from, to) = turns.quantile(share)?;
            let (id, nanos) = to.map_or(("live-detail-over", from), |to| ("live-detail-at-most", to));
            Some(words.text(id, &Args::new().text("time", self.wording.units().nanos(nanos))))
        };
        let args = Args::new().number("count", turns.count).text("median", at_most(0.5)?).text("p95", at_most(0.95)?);
        Some(self.text(&words.text(id, &args), Tone::Plain))
    }

    /// The same finding about the same direction, with a simulated prediction.
    fn foreseen(&self, half: &HalfConnection, finding: &Finding) -> Option<(&HalfConnection, &Finding)> {
        let then = self.foreseen?.halves.iter().find(|then| then.sender == half.sender)?;
        Some((then, leading_finding(then).filter(|then| then.rule == finding.rule)?))
    }

    /// The rate after the change, or that it is unknown.
    fn prediction(&self, half: &HalfConnection, prediction: Option<&Prediction>) -> String {
        let (wording, words) = (self.wording, self.wording.catalogue());
        let Some(prediction) = prediction else {
            let is_ours = half.sender == Side::A;
            return words.word(if is_ours { "live-detail-then-unknown" } else { "live-detail-then-at-peer" });
        };
        let units = wording.units();
        // A live connection has no end, so the predicted time for its bytes is shown as a rate.
        let rate = |seconds: f64| half.bytes as f64 * 8.0 / seconds.max(f64::MIN_POSITIVE);
        let (seconds, now) = (prediction.seconds, half.span.seconds());
        let args = Args::new()
            .text("now", units.bits_per_second(rate(now)))
            .text("then", units.rough_bits_per_second(rate(seconds.value)))
            .text("low", units.rough_bits_per_second(rate(seconds.high)))
            .text("high", units.rough_bits_per_second(rate(seconds.low)))
            .text("next", wording.limit(prediction.next_limit))
            .text("why", wording.ceiling(prediction.ceiling));
        let mut args = args.text("times", units.times(prediction.times_at_most(now)));
        if let [fast, .., slow] = prediction.paths.as_slice() {
            for (name, path) in [("fast", fast), ("slow", slow)] {
                args = args
                    .text(name, units.rough_bits_per_second(rate(path.seconds)))
                    .text(format!("{name}-path"), units.rough_bits_per_second(path.rate.bits_per_sec()));
            }
        }
        let id = match (is_gain(prediction, now), prediction.claim) {
            (false, _) => "live-detail-then-little",
            (true, _) if has_paths(prediction) => "live-detail-then-by-path",
            (true, Claim::Range) => "live-detail-then",
            (true, Claim::AtBest | Claim::AtBestUntried) => "live-detail-then-at-best",
        };
        words.text(id, &args)
    }

    /// Charts of the last minute, one column per second, each with its current value.
    fn charts(&self, lines: &mut Vec<Line>, room: usize) {
        let (connection, units) = (self.connection, self.wording.units());
        let words = self.wording.catalogue();
        let columns = if room < NARROW { room.saturating_sub(FIGURES) } else { (room / 2).min(60) };
        let mut points: Vec<Option<&Point>> = vec![None; columns];
        for point in connection.points() {
            let back = self.until.since(point.time).max(0) / 1_000_000_000;
            if let Some(at) = columns.checked_sub(1 + back as usize) {
                points[at] = Some(point);
            }
        }
        let socket = connection.socket();
        let info = &socket.info;
        let now = |text: String| words.text("live-detail-now", &Args::new().text("value", text));
        let [sent, received] = connection.rates().map(|rate| now(units.bits_per_second(rate.bits_per_sec())));
        let micros = |us: u64| units.seconds(us as f64 / 1e6);
        let rtt = Args::new()
            .text("value", info.rtt.map_or_else(|| "-".into(), micros))
            .text("least", info.min_rtt.map_or_else(|| "-".into(), micros));
        let bytes = |bytes: Option<u64>| bytes.map_or_else(|| "-".to_owned(), |bytes| units.bytes(bytes));
        let queued = Args::new()
            .text("value", bytes(socket.memory.send_queued))
            .text("buffer", bytes(socket.memory.send_buffer));
        let windows = Args::new()
            .text("cwnd", bytes(info.snd_cwnd.zip(info.snd_mss).map(|(cwnd, mss)| cwnd * mss)))
            .text("window", bytes(info.snd_wnd));
        let mut flight = bytes(connection.flight());
        if room >= NARROW {
            flight = format!("{flight}  {}", words.text("live-detail-windows", &windows));
        }
        let charts: [(&str, Value, String); 5] = [
            ("live-detail-sent", |p| p.sent, sent),
            ("live-detail-received", |p| p.received, received),
            ("live-detail-rtt", |p| p.rtt as f64, words.text("live-detail-rtt-now", &rtt)),
            ("live-detail-queued", |p| p.queued as f64, words.text("live-detail-of-buffer", &queued)),
            ("live-detail-flight", |p| p.flight as f64, flight),
        ];
        for (label, value, text) in charts {
            let values: Vec<Option<f64>> = points.iter().map(|point| point.map(value)).collect();
            let most = values.iter().flatten().copied().fold(0.0, f64::max);
            let mut line = self.label(label);
            line.push(Piece { text: strip::bars(&values, most, self.look), tone: Tone::Plain });
            let text = self.look.shorten(&self.look.signs(&text), room.saturating_sub(columns + 2));
            line.push(Piece { text: format!("  {text}"), tone: Tone::Dim });
            lines.push(line);
        }
    }

    fn label(&self, id: &str) -> Line {
        let text = self.look.shorten(&self.look.signs(&self.wording.catalogue().word(id)), LABEL);
        vec![Piece { text: pad(&text, LABEL + 1), tone: Tone::Dim }]
    }

    fn blank(&self) -> Line {
        vec![Piece::new(self.look, &" ".repeat(LABEL + 1), Tone::Plain)]
    }

    fn text(&self, text: &str, tone: Tone) -> Line {
        let text = self.look.signs(text);
        vec![Piece { text: self.look.shorten(&text, self.look.width), tone }]
    }

    fn wrapped(&self, text: &str, tone: Tone) -> Vec<Line> {
        self.look.wrap(text).into_iter().map(|text| vec![Piece { text, tone }]).collect()
    }
}
