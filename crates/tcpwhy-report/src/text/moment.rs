//! Limits of connections at one moment, with their reasons.

use std::fmt;

use anstyle::Style;
use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_model::{Flip, Interval, Limit, Timestamp};

use super::page::Page;
use super::palette::{BOLD, DIM, foreground};
use super::{Look, Overview, answer};
use crate::{Args, Wording, principal_half, why};

/// The answer to `--why` about one source, ready to be displayed.
pub struct MomentReport<'a> {
    /// Catalogue and units of the words.
    pub wording: Wording<'a>,
    /// Capabilities of the terminal.
    pub look: Look,
    /// Results, renumbered.
    pub overview: &'a Overview,
    /// Moment, in nanoseconds from the first packet of each connection.
    pub moment: i64,
    /// Number of connections with data at other times than the moment, which `overview` does not have.
    pub outside: u64,
    /// Name of the source as a heading, if other sources follow.
    pub heading: Option<&'a str>,
    /// Whether only transfer, limit and reason are written.
    pub is_brief: bool,
    /// Number of connections that the filter left out, which `overview` does not have.
    pub excluded: u64,
}

/// The limit of one connection at the moment, in sentences.
pub(crate) struct MomentSentences {
    /// Ends, bytes and rate.
    pub(crate) transfer: String,
    pub(crate) limit: Limit,
    /// The limit, its interval, and its confidence.
    pub(crate) at: String,
    pub(crate) why: Option<String>,
    pub(crate) values: Option<String>,
    /// Another limit that is possible.
    pub(crate) doubt: Option<String>,
    /// Verdicts on the whole direction for other values of a threshold; empty if none were tried.
    pub(crate) flips: Vec<String>,
    /// The limits before and after the interval.
    pub(crate) around: Vec<String>,
}

impl MomentReport<'_> {
    /// Whether `connection` carried data, but not at `moment`. It is then not in `overview` but counted in
    /// `outside`.
    pub fn is_outside(connection: &Connection, moment: i64) -> bool {
        is_outside(connection, moment)
    }
}

impl fmt::Display for MomentReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::of_sentences(self.look, self.is_brief);
        self.write(&mut page);
        f.write_str(&page.into_text())
    }
}

impl MomentReport<'_> {
    fn write(&self, page: &mut Page) {
        if let Some(heading) = self.heading {
            page.wrapped(&format!("== {}", self.wording.capture_name(heading)), 0, BOLD);
        }
        if self.overview.with_data() + self.outside == 0 {
            let context = answer::Context { excluded: self.excluded, ..answer::Context::of(self.overview.services()) };
            answer::write(page, self.wording, &self.overview.answer(), context);
            return;
        }
        for (i, connection) in self.overview.ranked().enumerate() {
            if i > 0 {
                page.gap();
            }
            self.write_connection(page, connection);
        }
    }

    fn write_connection(&self, page: &mut Page, connection: &Connection) {
        let Some(sentences) = self.sentences(connection) else { return };
        page.wrapped(&sentences.transfer, 0, BOLD);
        page.wrapped(&sentences.at, 0, foreground(sentences.limit).bold());
        if let Some(why) = &sentences.why {
            page.wrapped(why, 2, Style::new());
        }
        if self.is_brief {
            return;
        }
        if let Some(values) = &sentences.values {
            page.wrapped(values, 2, DIM);
        }
        if let Some(doubt) = &sentences.doubt {
            page.wrapped(doubt, 2, Style::new());
        }
        for line in &sentences.around {
            page.wrapped(line, 0, DIM);
        }
        for line in &sentences.flips {
            page.wrapped(line, 0, Style::new());
        }
    }

    /// The limit of `connection` then; `None` if nothing is known about that moment.
    pub(crate) fn sentences(&self, connection: &Connection) -> Option<MomentSentences> {
        let (wording, start) = (self.wording, connection.span.start());
        let catalogue = wording.catalogue();
        let half = principal_half(connection)?;
        let time = start.plus(self.moment);
        let index = half.limits.index_at(time)?;
        let intervals = half.limits.intervals();
        let interval = &intervals[index];
        let mut transfer = answer::transfer(wording, connection, half);
        if self.overview.with_data() + self.outside > 1 {
            let args = Args::new().text("n", connection.id.to_string()).text("transfer", transfer);
            transfer = catalogue.text("moment-number", &args);
        }
        let args = self
            .stretch(interval, start)
            .text("time", instant(wording, self.moment))
            .text("clock", catalogue.zone().time_of_day(time))
            .text("confidence", wording.units().share(f64::from(interval.confidence)));
        let doubt = interval.alternative.map(|(other, decider)| {
            let args = Args::new().text("other", wording.limit(other)).text("decider", wording.decider(decider));
            let doubt = [catalogue.text("verdict-alternative", &args), wording.alternative(other)];
            doubt.join(&catalogue.word("sentence-separator"))
        });
        let before = index.checked_sub(1).map(|i| ("moment-before", &intervals[i]));
        let after = intervals.get(index + 1).map(|i| ("moment-after", i));
        let neighbours = [before, after].into_iter().flatten();
        let around = neighbours.map(|(id, neighbour)| catalogue.text(id, &self.stretch(neighbour, start)));
        let coarsened = half.limits.is_coarsened().then(|| catalogue.word("timeline-coarsened"));
        Some(MomentSentences {
            transfer,
            limit: interval.cause.limit,
            at: catalogue.text("moment-at", &args),
            why: wording.why(interval),
            values: self.values(half, interval),
            doubt,
            flips: self.flips(half),
            around: around.chain(coarsened).collect(),
        })
    }

    /// Changes of thresholds that lead to another cause of the whole direction.
    fn flips(&self, half: &HalfConnection) -> Vec<String> {
        let (wording, catalogue) = (self.wording, self.wording.catalogue());
        let Some(flips) = &half.verdict.flips else { return Vec::new() };
        if flips.is_empty() {
            return vec![catalogue.word("moment-no-flip")];
        }
        let sentence = |flip: &Flip| {
            let limit = flip.cause.map_or_else(|| catalogue.word("moment-flip-none"), |cause| wording.cause(cause));
            let args = Args::new()
                .text("name", flip.threshold)
                .text("value", flip.value)
                .text("unit", flip.unit)
                .text("way", flip.way.id())
                .text("limit", limit);
            catalogue.text("moment-flip", &args)
        };
        flips.iter().map(sentence).collect()
    }

    /// The numbers that decided.
    fn values(&self, half: &HalfConnection, interval: &Interval) -> Option<String> {
        let wording = self.wording;
        let values = interval.why.iter().flat_map(|why| why::values(half, why));
        let texts: Vec<_> = values
            .map(|evidence| {
                let args = Args::new()
                    .text("label", wording.evidence_label(&evidence))
                    .text("value", wording.evidence_value(&evidence));
                wording.catalogue().text("moment-label-value", &args)
            })
            .collect();
        (!texts.is_empty()).then(|| texts.join(&wording.catalogue().word("fact-separator")))
    }

    /// Arguments of an interval: its limit, ends and length.
    fn stretch(&self, interval: &Interval, start: Timestamp) -> Args {
        let wording = self.wording;
        Args::new()
            .text("limit", wording.cause(interval.cause))
            .text("from", instant(wording, interval.span.start().since(start)))
            .text("to", instant(wording, interval.span.end().since(start)))
            .text("length", wording.units().nanos(interval.span.nanos()))
    }
}

/// Whether the timeline of the principal direction does not include `moment`, in nanoseconds after the first
/// packet.
fn is_outside(connection: &Connection, moment: i64) -> bool {
    let time = connection.span.start().plus(moment);
    principal_half(connection).is_some_and(|half| half.limits.index_at(time).is_none())
}

/// A time relative to the connection's start, to the microsecond: `0.0513 s`.
fn instant(wording: Wording<'_>, nanos: i64) -> String {
    let text = format!("{:.6}", nanos as f64 / 1e9);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    wording.catalogue().text("unit-seconds", &Args::new().text("n", text))
}

/// Checks that the timeline of at least one connection includes a moment, for an error message otherwise.
pub struct MomentCheck {
    moment: i64,
    is_held: bool,
    /// Number of connections with data whose timeline does not include it.
    outside: u64,
    /// Message if there is only one such connection.
    said: Option<String>,
}

impl MomentCheck {
    /// A check of the moment this many nanoseconds from the first packet of each connection.
    pub const fn new(moment: i64) -> Self {
        Self { moment, is_held: false, outside: 0, said: None }
    }

    /// Adds a connection.
    pub fn observe(&mut self, connection: &Connection, wording: Wording<'_>) {
        let Some(half) = principal_half(connection) else { return };
        if !is_outside(connection, self.moment) {
            self.is_held = true;
            return;
        }
        self.outside += 1;
        if self.said.is_none() {
            let (start, span) = (connection.span.start(), half.limits.span());
            let [from, to] = crate::wording::ends(connection, half);
            let args = Args::new()
                .text("from", from.to_string())
                .text("to", to.to_string())
                .text("first", instant(wording, span.start().since(start)))
                .text("last", instant(wording, span.end().since(start)))
                .text("time", instant(wording, self.moment));
            self.said = Some(wording.catalogue().text("moment-outside", &args));
        }
    }

    /// The error message if no timeline includes the moment, although there are connections.
    pub fn complaint(self, wording: Wording<'_>) -> Option<String> {
        match (self.is_held, self.outside) {
            (true, _) | (_, 0) => None,
            (false, 1) => self.said,
            (false, _) => {
                let args = Args::new().text("time", instant(wording, self.moment));
                Some(wording.catalogue().text("moment-outside-all", &args))
            }
        }
    }
}
