//! The report of `tcpwhy buffers`: the answer in three lines, then the numbers.

use anstyle::Style;
use tcpwhy_kernel::{BufferKind, Figure, ForeignBuffer, Point, When, WindowsRates};
use unicode_width::UnicodeWidthStr as _;

use super::Look;
use super::bars::bar;
use super::look::{pad, pad_left};
use super::page::Page;
use super::palette::{BOLD, CODE, DIM, FIX, foreground};
use crate::buffers::{BufferSide, BufferWords, Buffers, WindowAnswer};
use crate::{Args, Wording};

/// The amount of detail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuffersDetail {
    /// Whether only the first three lines are written.
    pub is_brief: bool,
    /// Whether every step of the derivation is written.
    pub with_steps: bool,
}

/// The report on `buffers`.
pub fn buffers_page(wording: Wording<'_>, look: Look, buffers: &Buffers<'_>, detail: BuffersDetail) -> String {
    let mut page = Page::of_sentences(look, detail.is_brief);
    let words = BufferWords { wording, buffers };
    headline(&mut page, words);
    if detail.is_brief {
        return page.into_text();
    }
    if let Some(answer) = &buffers.window {
        window_rows(&mut page, words, answer);
    }
    for (kind, foreign) in &buffers.foreign {
        foreign_rows(&mut page, words, *kind, foreign);
    }
    for side in &buffers.sides {
        rows(&mut page, words, side);
        writers(&mut page, words, side);
    }
    if let Some(rates) = &buffers.windows_rates {
        windows_rates(&mut page, words, rates);
    }
    remedies(&mut page, words);
    notes(&mut page, words);
    for side in &buffers.sides {
        charts(&mut page, words, side);
        if detail.with_steps {
            steps(&mut page, words, side);
        }
    }
    if !buffers.sides.is_empty() || buffers.window.is_some() {
        page.gap();
        page.wrapped(&words.premises(), 0, DIM);
    }
    page.into_text()
}

fn headline(page: &mut Page, words: BufferWords<'_>) {
    if let Some(answer) = &words.buffers.window {
        page.wrapped(&words.window(answer), 0, BOLD);
        page.wrapped(&words.window_rate(answer), 0, foreground(limit_of(BufferKind::Receive)).bold());
        page.wrapped(&words.window_settings(answer), 0, FIX);
        return;
    }
    let Some(side) = words.buffers.narrowest() else {
        for (kind, foreign) in &words.buffers.foreign {
            let args = Args::new()
                .text("system", words.buffers.system.title().to_owned())
                .text("option", BufferWords::option(*kind, foreign.request));
            page.wrapped(&words.wording.catalogue().text("buffers-head-foreign", &args), 0, BOLD);
        }
        return;
    };
    page.wrapped(&words.grant(side), 0, BOLD);
    let rate = words.rate(side);
    if !rate.is_empty() {
        page.wrapped(&rate, 0, foreground(limit_of(side.kind)).bold());
    }
    page.wrapped(&words.advice(side), 0, FIX);
}

/// The limit that a buffer causes, for its colour.
const fn limit_of(kind: BufferKind) -> tcpwhy_model::Limit {
    match kind {
        BufferKind::Send => tcpwhy_model::Limit::SendBuffer,
        BufferKind::Receive => tcpwhy_model::Limit::ReceiveWindow,
    }
}

/// Labels and values in two columns.
struct Rows<'a> {
    words: BufferWords<'a>,
    rows: Vec<(String, String)>,
}

impl Rows<'_> {
    fn add(&mut self, label: &str, value: String) {
        self.rows.push((self.words.word(label), value));
    }

    fn add_with(&mut self, label: &str, args: &Args, value: String) {
        self.rows.push((self.words.wording.catalogue().text(label, args), value));
    }

    fn write(self, page: &mut Page) {
        let look = page.look();
        let cell = |text: &str| look.signs(text).into_owned();
        let width = self.rows.iter().map(|(label, _)| cell(label).width()).max().unwrap_or_default();
        for (label, value) in &self.rows {
            let label = format!("{}  ", pad(&cell(label), width));
            page.hanging((&label, DIM), value, 2, Style::new());
        }
    }
}

fn rows(page: &mut Page, words: BufferWords<'_>, side: &BufferSide) {
    let catalogue = words.wording.catalogue();
    let request = side.granted.map(|granted| granted.request);
    let args = Args::new().text("name", words.name(side.kind)).text("option", BufferWords::option(side.kind, request));
    page.heading(&catalogue.text("buffers-heading-what", &args));
    let mut rows = Rows { words, rows: Vec::new() };
    if let Some(granted) = side.granted {
        rows.add("buffers-row-asked", words.asked(granted.request));
        rows.add("buffers-row-when", words.when(granted.request.when));
        if let Some((sysctl, cap)) = granted.cap {
            let args = Args::new()
                .text("sysctl", sysctl.name())
                .text("cap", words.exact(cap.value))
                .text("clamped", words.exact(granted.clamped));
            let (label, value) = if granted.is_clamped() {
                ("buffers-row-clamped", "buffers-value-clamped")
            } else {
                ("buffers-row-not-clamped", "buffers-value-not-clamped")
            };
            rows.add_with(label, &args, catalogue.text(value, &args));
        }
        rows.add("buffers-row-reported", words.digits(&side.initial_buffer));
    } else {
        rows.add("buffers-row-first", words.digits(&side.initial_buffer));
        rows.add("buffers-row-most", words.figure(&side.largest_buffer));
        if let Some(round_trips) = side.growth_round_trips {
            let args = Args::new().number("n", round_trips);
            rows.add("buffers-row-growth", catalogue.text("buffers-value-growth", &args));
        }
    }
    if let Some(windows) = side.windows {
        let args = Args::new().text("scale", windows.scale.to_string()).text("cap", words.exact(windows.cap));
        rows.add("buffers-row-scale", catalogue.text("buffers-value-scale", &args));
        // A buffer set on a listener affects no SYN; one set before connect() affects no SYN-ACK.
        let when = request.map(|request| request.when);
        if when != Some(When::OnListener) {
            rows.add("buffers-row-syn", words.figure(&windows.syn));
        }
        if when != Some(When::BeforeConnect) {
            rows.add("buffers-row-syn-ack", words.figure(&windows.syn_ack));
        }
        rows.add("buffers-row-initial-window", words.figure(&windows.initial));
        rows.add("buffers-row-window", words.figure(&windows.largest));
        if side.flight.value < windows.largest.value / 8 * 7 {
            rows.add("buffers-row-usable", words.figure(&side.flight));
        }
    } else {
        if side.initial_flight != side.flight {
            rows.add("buffers-row-initial-flight", words.figure(&side.initial_flight));
        }
        rows.add("buffers-row-flight", words.figure(&side.flight));
        if let Some(unsent) = side.unsent {
            rows.add("buffers-row-unsent", words.figure(&unsent));
        }
    }
    if let Some(seconds) = words.buffers.question.round_trip_seconds {
        let args = Args::new().text("rtt", words.wording.units().seconds(seconds));
        rows.add_with("buffers-row-rate", &args, rate_range(words, &side.flight));
    }
    if let Some(path) = words.buffers.path() {
        rows.add("buffers-row-product", words.exact(path.bandwidth_delay_product()));
    }
    if let Some((seconds, bytes)) = side.transfer.zip(words.buffers.question.transfer_bytes) {
        let args = Args::new().text("bytes", words.rough(bytes));
        rows.add_with("buffers-row-transfer", &args, words.seconds(&seconds));
    }
    if let Some((buffer, flight)) = side.autotuned {
        let args = Args::new().text("buffer", words.in_flight(&buffer)).text("flight", words.most(&flight));
        rows.add("buffers-row-autotuned", catalogue.text("buffers-value-autotuned", &args));
    }
    rows.write(page);
}

/// Writes the settings that give a window.
fn window_rows(page: &mut Page, words: BufferWords<'_>, answer: &WindowAnswer) {
    let settings = answer.settings;
    page.heading(&words.word("buffers-heading-window"));
    let mut rows = Rows { words, rows: Vec::new() };
    rows.add("buffers-row-window-given", words.exact(settings.window));
    rows.add("buffers-row-usable", words.exact(answer.flight.value));
    rows.add("buffers-row-scale-least", settings.scale.to_string());
    let options = [
        ("SO_RCVBUF", settings.rcvbuf),
        ("tcp_rmem[2]", settings.rmem_third),
        ("SO_SNDBUF", settings.sndbuf),
        ("tcp_wmem[2]", settings.wmem_third),
    ];
    for (option, bytes) in options {
        if let Some(bytes) = bytes {
            let args = Args::new().text("option", option);
            rows.add_with("buffers-row-least", &args, words.exact(bytes));
        }
    }
    if let Some(seconds) = words.buffers.question.round_trip_seconds {
        let args = Args::new().text("rtt", words.wording.units().seconds(seconds));
        rows.add_with("buffers-row-rate", &args, words.rates(&answer.flight, seconds));
    }
    if let Some((seconds, bytes)) = answer.transfer.zip(words.buffers.question.transfer_bytes) {
        let args = Args::new().text("bytes", words.rough(bytes));
        rows.add_with("buffers-row-transfer", &args, words.seconds(&seconds));
    }
    rows.write(page);
}

/// Writes a table of the same buffer by size of the writes.
fn writers(page: &mut Page, words: BufferWords<'_>, side: &BufferSide) {
    if side.writers.is_empty() {
        return;
    }
    let catalogue = words.wording.catalogue();
    let question = &words.buffers.question;
    let is_linux = words.buffers.system.linux().is_some();
    page.heading(&words.word(if is_linux { "buffers-heading-writers-nodelay" } else { "buffers-heading-writers" }));
    let value = |flight: &Figure| {
        let mut parts = vec![match question.round_trip_seconds {
            Some(seconds) => words.rates(flight, seconds),
            None => words.in_flight(flight),
        }];
        parts.extend(question.transfer(flight, BufferKind::Send).map(|seconds| words.seconds(&seconds)));
        parts.join(&words.word("fact-separator"))
    };
    let mut rows = Rows { words, rows: Vec::new() };
    for row in &side.writers {
        let text = if row.polling == row.blocking {
            value(&row.blocking)
        } else {
            let args = Args::new().text("value", value(&row.blocking)).text("polling", value(&row.polling));
            catalogue.text("buffers-value-writer", &args)
        };
        rows.rows.push((words.exact(row.bytes), text));
    }
    rows.write(page);
}

/// Writes rates of Windows, one row per buffer and, if the width allows, one column per round-trip time.
fn windows_rates(page: &mut Page, words: BufferWords<'_>, rates: &WindowsRates) {
    let units = words.wording.units();
    let args = Args::new().text("write", words.exact(rates.write));
    page.heading(&words.wording.catalogue().text("buffers-heading-windows-rates", &args));
    let look = page.look();
    let mut lines = vec![vec![BufferWords::option(BufferKind::Send, None).to_owned()]];
    lines[0].extend(rates.rows.first().into_iter().flat_map(|row| &row.1).map(|point| units.seconds(point.at)));
    for (buffer, points) in &rates.rows {
        let mut line = vec![BufferWords::binary(*buffer as f64)];
        line.extend(points.iter().map(|point| units.bits_per_second(point.rate.bits_per_sec())));
        lines.push(line);
    }
    let columns = lines[0].len();
    let widths: Vec<usize> = (0..columns)
        .map(|i| lines.iter().filter_map(|line| line.get(i)).map(|cell| look.signs(cell).width()).max().unwrap_or(0))
        .collect();
    if widths.iter().map(|width| width + 2).sum::<usize>() <= look.width {
        for line in &lines {
            let cells = line.iter().zip(&widths).map(|(cell, width)| pad_left(&look.signs(cell), *width));
            page.raw(&format!("  {}", cells.collect::<Vec<_>>().join("  ")));
        }
        return;
    }
    for line in &lines {
        let label = format!("{}  ", look.signs(&line[0]));
        page.hanging((&label, DIM), &line[1..].join(&words.word("fact-separator")), 2, Style::new());
    }
}

fn rate_range(words: BufferWords<'_>, flight: &Figure) -> String {
    let rate = |bytes| {
        let rate = words.buffers.rate(bytes).unwrap_or_default();
        words.wording.units().bits_per_second(rate.bits_per_sec())
    };
    let args = Args::new().text("value", rate(flight.value)).text("low", rate(flight.low));
    let catalogue = words.wording.catalogue();
    match flight.high {
        Some(high) if high == flight.low => rate(flight.value),
        Some(high) => catalogue.text("buffers-value-range", &args.text("high", rate(high))),
        None => catalogue.text("buffers-value-from", &args),
    }
}

fn foreign_rows(page: &mut Page, words: BufferWords<'_>, kind: BufferKind, foreign: &ForeignBuffer) {
    let catalogue = words.wording.catalogue();
    let args = Args::new().text("name", words.name(kind)).text("option", BufferWords::option(kind, foreign.request));
    page.heading(&catalogue.text("buffers-heading-what", &args));
    let figure = |figure: Option<Figure>| figure.map_or_else(|| words.word("unknown"), |figure| words.figure(&figure));
    let mut rows = Rows { words, rows: Vec::new() };
    if let Some(request) = foreign.request {
        rows.add("buffers-row-asked", words.asked(request));
        rows.add("buffers-row-reported", figure(foreign.reported));
        let yes = foreign.ends_autotuning.map_or("unknown", |ends| if ends { "yes" } else { "no" });
        rows.add("buffers-row-ends-autotuning", words.word(yes));
    } else {
        rows.add("buffers-row-first", figure(foreign.initial_buffer));
    }
    rows.add("buffers-row-autotuned", figure(foreign.largest_buffer));
    rows.write(page);
}

fn remedies(page: &mut Page, words: BufferWords<'_>) {
    let all: Vec<_> = words.buffers.sides.iter().flat_map(|side| &side.remedies).collect();
    if all.is_empty() {
        return;
    }
    page.heading(&words.word("buffers-heading-changes"));
    for side in &words.buffers.sides {
        for (i, remedy) in side.remedies.iter().enumerate() {
            let label = if i == 0 { words.name(side.kind) } else { words.word("buffers-or") };
            let label = words.wording.catalogue().text("buffers-label", &Args::new().text("name", label));
            page.hanging((&label, FIX), &words.remedy(remedy), 2, Style::new());
            let lines: Vec<_> = words.lines(remedy).into_iter().map(Into::into).collect();
            page.code(&lines, 6);
        }
    }
}

fn notes(page: &mut Page, words: BufferWords<'_>) {
    let sides = &words.buffers.sides;
    if sides.iter().all(|side| side.notes.is_empty()) {
        return;
    }
    page.heading(&words.word("buffers-heading-notes"));
    for side in sides {
        for note in &side.notes {
            page.hanging(("- ", DIM), &words.note(side, *note), 2, Style::new());
        }
    }
}

fn charts(page: &mut Page, words: BufferWords<'_>, side: &BufferSide) {
    let units = words.wording.units();
    let catalogue = words.wording.catalogue();
    let args = Args::new()
        .text("name", words.name(side.kind))
        .text("option", BufferWords::option(side.kind, None))
        .text("rtt", units.seconds(words.buffers.question.round_trip_seconds.unwrap_or_default()));
    page.heading(&catalogue.text("buffers-heading-by-rtt", &args));
    let here = words.buffers.question.round_trip_seconds;
    let label = |point: &Point| (units.seconds(point.at), here.is_some_and(|rtt| (rtt / point.at - 1.0).abs() < 0.01));
    bars(page, words, side, &side.by_round_trip.0, label);
    if !side.by_request.is_empty() {
        page.heading(&catalogue.text("buffers-heading-by-request", &args));
        let asked = side.granted.map(|granted| f64::from(granted.request.bytes));
        let label = |point: &Point| {
            (BufferWords::binary(point.at), asked.is_some_and(|asked| (asked / point.at - 1.0).abs() < 0.01))
        };
        bars(page, words, side, &side.by_request, label);
    }
}

/// Orders of magnitude that the longest bar spans if no bandwidth is given.
const MAGNITUDES: f64 = 5.0;

/// Writes one bar per point: linear up to the bandwidth if it is given, otherwise logarithmic.
fn bars(
    page: &mut Page,
    words: BufferWords<'_>,
    side: &BufferSide,
    points: &[Point],
    label: impl Fn(&Point) -> (String, bool),
) {
    let look = page.look();
    let units = words.wording.units();
    let rate_text = |point: &Point| units.bits_per_second(point.rate.bits_per_sec());
    let cells: Vec<_> =
        points.iter().map(|point| (label(point), rate_text(point), point.rate.bits_per_sec())).collect();
    let label_width = cells.iter().map(|cell| look.signs(&cell.0.0).width()).max().unwrap_or_default();
    let rate_width = cells.iter().map(|cell| cell.1.width()).max().unwrap_or_default();
    let room = look.width.saturating_sub(2 + label_width + 2 + rate_width + 2).clamp(5, 50);
    let most = words.buffers.question.bandwidth.map(tcpwhy_model::Rate::bits_per_sec);
    let largest = cells.iter().map(|cell| cell.2).fold(0.0, f64::max);
    if most.is_none() {
        // On a logarithmic scale, a bar of twice the length is not twice the rate, so a line explains the
        // scale.
        let columns = (room as f64 / MAGNITUDES).round() as u64;
        page.wrapped(
            &words.wording.catalogue().text("buffers-bars-logarithmic", &Args::new().number("n", columns)),
            2,
            DIM,
        );
    }
    let share = |rate: f64| match most {
        Some(most) => rate / most.max(1.0),
        None => 1.0 + (rate / largest.max(1.0)).log10() / MAGNITUDES,
    };
    for ((label, is_here), rate, value) in cells {
        let style = if is_here { foreground(limit_of(side.kind)).bold() } else { foreground(limit_of(side.kind)) };
        let lead = pad_left(&look.signs(&label), label_width);
        let lead = if is_here { page.styled(&format!("> {lead}"), BOLD) } else { format!("  {lead}") };
        let bar = page.styled(&bar(share(value), room, look.has_unicode), style);
        page.raw(&format!("{lead}  {}  {bar}", pad_left(&rate, rate_width)));
    }
}

fn steps(page: &mut Page, words: BufferWords<'_>, side: &BufferSide) {
    let catalogue = words.wording.catalogue();
    page.heading(&catalogue.text("buffers-heading-why", &Args::new().text("name", words.name(side.kind))));
    for (i, step) in side.steps.iter().enumerate() {
        let label = format!("{:>2}. ", i + 1);
        page.hanging((&label, DIM), &words.rule(step), 2, Style::new());
        page.wrapped(&step.formula, 8, CODE);
        let source = format!("{}: {} ({})", step.rule.id(), step.rule.source(), words.ground(step.ground));
        page.wrapped(&source, 8, DIM);
    }
}
