//! Title, limits, panels and axis of one picture.

use tcpwhy_report::Args;
use tcpwhy_report::markup::{Element, MARK};
use tcpwhy_report::palette::Swatch;
use tcpwhy_report::text::Look;

use super::areas::{area, letter};
use super::panels::{self, Frame, Panel};
use super::plot::{Scale, num, text_width, wrapped};
use super::requests;
use super::shapes::text;
use super::subject::{LEFT, RIGHT, Subject, WIDTH};
use super::theme;

const STRIP: f64 = 26.0;
/// Width of bold text as a multiple of plain text.
const BOLD: f64 = 1.1;
/// Font size of the text that names the cause, pixels.
const TITLE: f64 = 15.0;

/// The panels that best show the cause, and the sentence above the first of them.
pub(super) struct Lead {
    pub(super) panels: &'static [Panel],
    pub(super) sentence: String,
}

/// The picture of `subject` with these panels below its limits.
pub(super) fn draw(subject: &Subject<'_>, panels: &[Panel], lead: Option<Lead>) -> String {
    let (from, to) = subject.stretch();
    let time = Scale::new(from, to, LEFT, WIDTH - RIGHT);
    let mut swatches = swatches(subject, time);
    let mut body = String::new();
    let mut y = heading(&mut body, subject);
    let of_strip = swatches.clone();
    // The bar has sums over the whole connection, so it is only in the picture of all charts over the whole
    // time.
    if is_whole(subject, panels) {
        y = requests::draw(&mut body, subject, y);
        let more: Vec<_> = requests::swatches(subject).into_iter().filter(|one| !of_strip.contains(one)).collect();
        swatches.extend(more);
    }
    y = strip(&mut body, subject, time, y);
    y = legend(&mut body, subject, &of_strip, y);
    let mut lead = lead;
    for &panel in panels {
        let height = panels::height(subject, panel, time);
        if height <= 0.0 {
            continue;
        }
        if let Some(Lead { sentence, .. }) = lead.take_if(|lead| lead.panels.contains(&panel)) {
            for line in wrapped(&sentence, WIDTH - LEFT - RIGHT, 13.0) {
                text(&mut body, LEFT, y + 10.0, "v f-ink", &line);
                y += 20.0;
            }
        }
        let frame = Frame { time, top: y, bottom: y + height };
        panels::draw(&mut body, subject, panel, frame);
        y += height + if panel == Panel::Lanes { 6.0 } else { 16.0 };
    }
    y = axis(&mut body, subject, time, y);
    let direction = subject.wording.direction(subject.connection, subject.half);
    let verdict = subject.wording.verdict(subject.half);
    let description = subject
        .wording
        .catalogue()
        .text("chart-description", &Args::new().text("direction", direction.clone()).text("verdict", verdict));
    let height = num(y.ceil());
    let mut out = String::new();
    let picture = Element::new(&mut out, "svg").with("xmlns", "http://www.w3.org/2000/svg").with("width", WIDTH);
    let picture = picture.with("height", &height).with("viewBox", format_args!("0 0 {WIDTH} {height}"));
    let named = [("role", "img"), ("aria-labelledby", "title desc"), ("xml:lang", subject.style.language.tag())];
    picture.with_all(&named).holding(|out| {
        out.push('\n');
        out.push_str(MARK);
        for (name, words) in [("title", direction), ("desc", description)] {
            out.push('\n');
            Element::new(out, name).with("id", name).text(words);
        }
        out.push('\n');
        out.push_str(&theme::style(subject.style.theme, &swatches));
        out.push_str(&theme::patterns(&swatches));
        Element::new(out, "rect").with("width", "100%").with("height", "100%").with("class", "f-ground").end();
        out.push('\n');
        out.push_str(&body);
    });
    out.push('\n');
    out
}

/// Whether all charts over the whole time are shown.
fn is_whole(subject: &Subject<'_>, panels: &[Panel]) -> bool {
    subject.style.stretch.is_none() && panels.contains(&Panel::Sequence) && panels.contains(&Panel::Throughput)
}

/// The limits that are visible, longest time first.
fn swatches(subject: &Subject<'_>, time: Scale) -> Vec<Swatch> {
    let start = subject.connection.span.start();
    let mut nanos = [0.0_f64; Swatch::ALL.len()];
    for i in subject.half.limits.intervals() {
        let from = (i.span.start().since(start) as f64).max(time.from());
        let to = (i.span.end().since(start) as f64).min(time.to());
        nanos[Swatch::of(i.cause) as usize] += (to - from).max(0.0);
    }
    let mut swatches: Vec<_> = Swatch::ALL.into_iter().filter(|&one| nanos[one as usize] > 0.0).collect();
    swatches.sort_by(|&a, &b| nanos[b as usize].total_cmp(&nanos[a as usize]));
    swatches
}

fn heading(out: &mut String, subject: &Subject<'_>) -> f64 {
    let units = subject.wording.units();
    let half = subject.half;
    let amounts = format!("{} · {}", units.bytes(half.bytes), units.seconds(half.span.seconds()));
    let rate = half.goodput.map(|g| format!(" · {}", units.bits_per_second(g.bits_per_sec()))).unwrap_or_default();
    // Names are cut if they would overlap the amounts; digits are the widest characters of the names.
    let digit = text_width("0");
    let room = WIDTH - RIGHT - 16.0 - 24.0 - text_width(&format!("{amounts}{rate}"));
    let look = Look { width: usize::MAX, has_color: false, has_unicode: true };
    let direction =
        subject.wording.direction_within(subject.connection, half.sender, look, (room / digit).max(0.0) as usize);
    text(out, 16.0, 26.0, "f-soft", &direction);
    text(out, WIDTH - RIGHT, 26.0, "e f-soft", &format!("{amounts}{rate}"));
    let mut y = 30.0;
    for line in wrapped(&subject.wording.verdict(half), WIDTH - 32.0, TITLE * BOLD).iter().take(3) {
        y += 20.0;
        text(out, 16.0, y, "t f-ink", line);
    }
    y + 14.0
}

/// Draws the time by limit. A column of pixels shows the limit with the most time in it.
fn strip(out: &mut String, subject: &Subject<'_>, time: Scale, top: f64) -> f64 {
    let start = subject.connection.span.start();
    let intervals = subject.half.limits.intervals();
    text(out, LEFT - 8.0, top + 17.0, "e s f-ink", &subject.word("chart-limits"));
    // One cell per pixel; runs of cells become rectangles.
    let cells = (time.at(time.to()) - time.at(time.from())) as usize;
    let nanos = (time.to() - time.from()) / cells.max(1) as f64;
    let mut first = 0;
    let mut runs: Vec<(Option<Swatch>, usize)> = Vec::new();
    for cell in 0..cells {
        let (from, to) = (time.from() + nanos * cell as f64, time.from() + nanos * (cell + 1) as f64);
        while intervals.get(first).is_some_and(|i| i.span.end().since(start) as f64 <= from) {
            first += 1;
        }
        let mut share = [0.0_f64; Swatch::ALL.len()];
        for i in intervals[first..].iter().take_while(|i| (i.span.start().since(start) as f64) < to) {
            let overlap = (i.span.end().since(start) as f64).min(to) - (i.span.start().since(start) as f64).max(from);
            share[Swatch::of(i.cause) as usize] += overlap.max(0.0);
        }
        let most = Swatch::ALL.into_iter().max_by(|&a, &b| share[a as usize].total_cmp(&share[b as usize]));
        let limit = most.filter(|&l| share[l as usize] > 0.0);
        match runs.last_mut() {
            Some((last, count)) if *last == limit => *count += 1,
            _ => runs.push((limit, 1)),
        }
    }
    let mut x = time.at(time.from());
    for (limit, width) in runs {
        let width = width as f64;
        if let Some(limit) = limit {
            area(out, limit, [x, top, width, STRIP]);
            if width >= 14.0 {
                letter(out, limit, x + width / 2.0, top + STRIP / 2.0);
            }
        }
        x += width;
    }
    top + STRIP
}

fn legend(out: &mut String, subject: &Subject<'_>, swatches: &[Swatch], top: f64) -> f64 {
    let units = subject.wording.units();
    let span = subject.half.span.nanos().max(1) as f64;
    let (mut x, mut y) = (LEFT, top + 20.0);
    for &limit in swatches {
        let (nanos, _) = subject.half.limits.sum(|cause| Swatch::of(cause) == limit);
        let words =
            format!("{} {} ({})", subject.wording.swatch(limit), units.nanos(nanos), units.share(nanos as f64 / span));
        let width = text_width(&words) + 36.0;
        if x + width > WIDTH - RIGHT && x > LEFT {
            x = LEFT;
            y += 20.0;
        }
        area(out, limit, [x, y - 11.0, 16.0, 14.0]);
        letter(out, limit, x + 8.0, y - 4.0);
        text(out, x + 22.0, y, "f-ink", &words);
        x += width;
    }
    y + 18.0
}

/// Draws the time axis below the panels.
fn axis(out: &mut String, subject: &Subject<'_>, time: Scale, y: f64) -> f64 {
    let seconds = Scale::new(time.from() / 1e9, time.to() / 1e9, LEFT, WIDTH - RIGHT);
    let ticks = seconds.ticks(10);
    let step = if let [a, b, ..] = ticks[..] { b - a } else { 1.0 };
    let digits = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    for tick in ticks {
        let x = seconds.at(tick);
        let (class, x) = if x > WIDTH - RIGHT - 16.0 { ("e", WIDTH - 4.0) } else { ("m", x) };
        text(out, x, y, &format!("{class} f-soft"), &format!("{tick:.digits$}"));
    }
    text(out, WIDTH - RIGHT, y + 18.0, "e s f-soft", &subject.word("chart-axis-time"));
    y + 28.0
}
