//! One connection in detail.

use std::borrow::Cow;

use anstyle::Style;
use tcpwhy_analysis::answer::named_doubts;
use tcpwhy_analysis::{Connection, HalfConnection, Vantage};
use tcpwhy_model::{LimitTimeline, Severity, Span, WindowScale};

use super::kernel_word::limits_heading;
use super::page::Page;
use super::palette::{BOLD, DIM};
use super::{answer, bars, findings, kernel, strip};
use crate::Site;
use crate::ratio::ratio;
use crate::{Args, Wording, lost_nanos, principal_half};

/// The amount of detail about a connection.
#[derive(Clone, Copy)]
pub(super) struct Detail {
    /// Whether all intervals are listed.
    pub(super) with_timeline: bool,
    /// Stretch of time that the limits are shown for.
    pub(super) range: Option<Span>,
}

/// The timeline of `half` within `range`; owned if it is only a part of the whole timeline.
pub(crate) fn timeline_within(half: &HalfConnection, range: Option<Span>) -> Cow<'_, LimitTimeline> {
    let all = half.limits.span();
    let is_cut = |range: &Span| {
        let is_inside = range.start() < all.end() && range.end() > all.start();
        is_inside && (range.start() > all.start() || range.end() < all.end())
    };
    match range.filter(is_cut) {
        Some(range) => Cow::Owned(half.limits.within(range)),
        None => Cow::Borrowed(&half.limits),
    }
}

pub(super) fn write(page: &mut Page, wording: Wording<'_>, connection: &Connection, detail: Detail) {
    let principal = principal_half(connection);
    if let Some(half) = principal {
        write_half(page, wording, connection, half, detail);
    }
    for half in &connection.halves {
        if principal.is_some_and(|p| p.sender == half.sender) {
            continue;
        }
        page.heading(&answer::transfer(wording, connection, half));
        page.wrapped(&wording.verdict(half), 0, answer::verdict_style(half));
        let is_grave = half.findings.iter().any(|f| f.severity > Severity::Info);
        if is_grave || lost_nanos(half) > 0 || detail.with_timeline {
            write_half(page, wording, connection, half, detail);
        } else {
            findings::write_briefly(page, wording, &half.findings, half.span.seconds());
        }
    }
    connection_findings(page, wording, connection);
}

/// Findings about the connection as a whole.
pub(super) fn connection_findings(page: &mut Page, wording: Wording<'_>, connection: &Connection) {
    if !connection.findings.is_empty() {
        page.heading(&wording.catalogue().word("heading-connection"));
        let site = Site::of(connection, None);
        findings::write(page, wording, &connection.findings, Some(&site), |finding| connection.seconds_of(finding));
    }
}

fn write_half(page: &mut Page, wording: Wording<'_>, connection: &Connection, half: &HalfConnection, detail: Detail) {
    let catalogue = wording.catalogue();
    let timeline = timeline_within(half, detail.range);
    match &timeline {
        Cow::Borrowed(_) => page.heading(&limits_heading(wording, connection, half)),
        Cow::Owned(cut) => {
            let (zone, origin) = (catalogue.zone(), half.limits.span().start());
            let args = Args::new()
                .text("from", zone.date_and_time(cut.span().start()))
                .text("to", zone.time_of_day(cut.span().end()))
                .text("start", wording.units().nanos(cut.span().start().since(origin)))
                .text("end", wording.units().nanos(cut.span().end().since(origin)));
            page.heading(&catalogue.text("heading-limits-between", &args));
        }
    }
    let timeline = &*timeline;
    bars::write(page, wording, timeline);
    page.gap();
    strip::write(page, wording, timeline, half.limits.span().start());
    page.gap();
    let separator = catalogue.word("fact-separator");
    page.wrapped(&facts(wording, connection, half).join(&separator), 2, DIM);
    kernel::write(page, wording, connection, half);
    write_doubts(page, wording, half);
    if !half.findings.is_empty() {
        page.heading(&catalogue.word("heading-findings"));
        let site = Site::of(connection, Some(half.sender));
        findings::write(page, wording, &half.findings, Some(&site), |_| half.span.seconds());
        if let Some(together) = &half.together {
            findings::write_together(page, wording, together, half.span.seconds());
        }
    }
    if detail.with_timeline {
        write_intervals(page, wording, half, timeline);
    }
}

/// The known numbers of the transfer.
fn facts(wording: Wording<'_>, connection: &Connection, half: &HalfConnection) -> Vec<String> {
    let catalogue = wording.catalogue();
    let units = wording.units();
    let zone = catalogue.zone();
    let times =
        Args::new().text("from", zone.date_and_time(half.span.start())).text("to", zone.time_of_day(half.span.end()));
    let mut facts = vec![catalogue.text("fact-times", &times)];
    if let Some((rtt, basis)) = half.rtt {
        let args = Args::new()
            .text("low", units.nanos(rtt.min as i64))
            .text("median", units.nanos(rtt.median as i64))
            .text("high", units.nanos(rtt.p95 as i64))
            .text("basis", wording.basis(basis));
        facts.push(catalogue.text("fact-rtt", &args));
    }
    if let Some(flight) = half.flight {
        let args = Args::new().text("median", units.bytes(flight.median)).text("max", units.bytes(flight.max));
        // If the direction was idle for most of the time, the median is 0 and only the maximum is of use.
        let fact = if flight.median > 0 { "fact-flight" } else { "fact-flight-at-most" };
        facts.push(catalogue.text(fact, &args));
    }
    match half.receive_window {
        Some(window) => {
            let args = Args::new()
                .text("low", units.bytes(window.min))
                .text("median", units.bytes(window.median))
                .text("max", units.bytes(window.max));
            facts.push(catalogue.text("fact-window", &args));
        }
        None if half.window_scale == WindowScale::Unknown => facts.push(catalogue.word("fact-window-unknown")),
        None => {}
    }
    if half.window_scale == WindowScale::NotNegotiated {
        facts.push(catalogue.word("fact-no-scaling"));
    }
    if let Some(mss) = half.mss {
        facts.push(catalogue.text("fact-mss", &Args::new().text("value", units.count(mss))));
    }
    if half.retransmitted_bytes > 0 {
        let share = ratio(half.retransmitted_bytes as f64, (half.bytes + half.retransmitted_bytes) as f64);
        let args = Args::new().text("value", units.bytes(half.retransmitted_bytes)).text("share", units.share(share));
        facts.push(catalogue.text("number-retransmitted", &args));
    }
    facts.push(catalogue.word(match half.vantage {
        Vantage::Sender => "fact-vantage-sender",
        Vantage::Receiver => "fact-vantage-receiver",
        Vantage::Middle => "fact-vantage-middle",
        Vantage::Unknown => "fact-vantage-unknown",
    }));
    if connection.initiator.is_none() {
        facts.push(catalogue.word("fact-no-syn"));
    }
    facts
}

/// Writes the limits that could not be distinguished.
fn write_doubts(page: &mut Page, wording: Wording<'_>, half: &HalfConnection) {
    let doubts = doubts(wording, half);
    if doubts.is_empty() {
        return;
    }
    page.heading(&wording.catalogue().word("heading-doubts"));
    for doubt in doubts {
        page.wrapped(&doubt, 2, Style::new());
    }
}

/// Pairs of limits that cannot be distinguished, each with its time and the observation that would decide.
pub(crate) fn doubts(wording: Wording<'_>, half: &HalfConnection) -> Vec<String> {
    let total = half.limits.span().nanos() as f64;
    let sentences = named_doubts(&half.limits).into_iter().map(|(a, b, decider, nanos)| {
        let args = Args::new()
            .text("seconds", wording.units().nanos(nanos))
            .text("share", wording.units().share(ratio(nanos as f64, total)))
            .text("a", wording.limit(a))
            .text("b", wording.limit(b))
            .text("decider", wording.decider(decider));
        wording.catalogue().text("doubt", &args)
    });
    sentences.collect()
}

/// Writes all intervals, if they are asked for.
fn write_intervals(page: &mut Page, wording: Wording<'_>, half: &HalfConnection, timeline: &LimitTimeline) {
    page.heading(&wording.catalogue().word("heading-timeline"));
    let origin = half.limits.span().start();
    for i in timeline.intervals() {
        let seconds = |t: tcpwhy_model::Timestamp| t.since(origin) as f64 / 1e9;
        let cause = page.look().signs(&wording.cause(i.cause)).into_owned();
        let (start, end) = (seconds(i.span.start()), seconds(i.span.end()));
        let clock = wording.catalogue().zone().fine_time_of_day(i.span.start());
        let line = format!("  {start:>14.6} {end:>14.6}  {clock}  {cause}");
        page.raw(&line);
    }
    if half.limits.is_coarsened() {
        page.wrapped(&wording.catalogue().word("timeline-coarsened"), 2, BOLD);
    }
}
