//! The answer: who sent what how fast, what held it back, what to change.

use anstyle::Style;
use tcpwhy_analysis::{Connection, HalfConnection, Role};
use tcpwhy_model::{Cause, Detail, Finding, Limit, Prediction, Severity};

use super::page::Page;
use super::palette::{BOLD, FIX, foreground};
use super::{Overview, failures};
use crate::{Args, Wording, principal_half};

pub(super) fn write(page: &mut Page, wording: Wording<'_>, overview: &Overview, excluded: u64, has_range: bool) {
    let catalogue = wording.catalogue();
    let first = overview.worst().and_then(|c| principal_half(c).map(|h| (c, h)));
    let Some((connection, half)) = first else {
        let (id, count) = match (overview.connections, excluded) {
            (0, 0) => ("head-no-connections", 0),
            (0, _) if has_range => ("head-none-in-range", excluded),
            (0, _) => ("head-all-excluded", excluded),
            (count, _) => ("head-no-data", count),
        };
        page.wrapped(&catalogue.text(id, &Args::new().number("count", count)), 0, BOLD);
        failures::headline(page, wording, overview);
        return;
    };
    if overview.with_data == 1 {
        page.wrapped(&transfer(wording, connection, half), 0, BOLD);
        page.wrapped(&wording.verdict(half), 0, verdict_style(half));
    } else {
        page.wrapped(&totals(wording, overview), 0, BOLD);
        let id = if half.verdict.severity.is_some_and(|s| s > Severity::Info) { "head-worst" } else { "head-largest" };
        let args = Args::new()
            .text("n", connection.id.to_string())
            .text("direction", wording.direction(connection, half))
            .text("sentence", wording.verdict(half));
        page.wrapped(&catalogue.text(id, &args), 0, verdict_style(half));
    }
    page.wrapped(&remedy(wording, half), 0, FIX);
}

/// `10.0.0.1:80 → 10.0.0.2:4711: 22.0 MB in 25.0 s, 7.03 Mbit/s`
pub(super) fn transfer(wording: Wording<'_>, connection: &Connection, half: &HalfConnection) -> String {
    let units = wording.units();
    let end = |side| wording.end(connection, side);
    let args = Args::new()
        .text("from", with_role(wording, end(half.sender), half.role))
        .text("to", with_role(wording, end(half.sender.peer()), half.role.peer()))
        .text("bytes", units.bytes(half.bytes))
        .text("time", units.seconds(half.span.seconds()));
    match half.goodput {
        Some(rate) => {
            let args = args.text("rate", units.bits_per_second(rate.bits_per_sec()));
            wording.catalogue().text("head-transfer", &args)
        }
        None => wording.catalogue().text("head-transfer-no-rate", &args),
    }
}

/// `10.0.0.1:80 (server)`
fn with_role(wording: Wording<'_>, end: String, role: Role) -> String {
    let id = match role {
        Role::Client => "end-client",
        Role::Server => "end-server",
        Role::Unknown => return end,
    };
    wording.catalogue().text(id, &Args::new().text("end", end))
}

fn totals(wording: Wording<'_>, overview: &Overview) -> String {
    let units = wording.units();
    let nanos = match (overview.start, overview.end) {
        (Some(start), Some(end)) => end.since(start),
        _ => 0,
    };
    let args = Args::new()
        .number("count", overview.with_data)
        .number("lossy", overview.with_loss)
        .text("bytes", units.bytes(overview.bytes))
        .text("time", units.nanos(nanos));
    wording.catalogue().text("head-totals", &args)
}

/// What to change and what that would bring.
fn remedy(wording: Wording<'_>, half: &HalfConnection) -> String {
    let catalogue = wording.catalogue();
    let finding = leading_finding(half);
    let fix = finding.and_then(|f| f.fixes.first());
    let (Some(finding), Some(fix)) = (finding, fix) else {
        let id = match half.verdict.cause.filter(|_| half.verdict.severity.is_some()) {
            None => "head-healthy",
            Some(Cause { limit: Limit::Unobserved, .. }) => "head-cannot-tell",
            Some(Cause { detail: Some(Detail::PeerTurn), .. }) => "head-other-direction",
            Some(_) if is_rest(half) => "head-meant",
            Some(_) => "head-no-fix",
        };
        return catalogue.word(id);
    };
    let args = Args::new().text("fix", wording.fix_headline(fix)).text("place", wording.place(fix.place));
    match &finding.prediction {
        None => catalogue.text("head-fix", &args),
        Some(prediction) => {
            let now = half.span.seconds();
            let id = if is_gain(prediction, now) { "head-fix-predicted" } else { "head-fix-little" };
            catalogue.text(id, &prediction_args(wording, args, prediction, now))
        }
    }
}

/// Whether the sender had nothing to send for most of the time and that is nobody's fault, as far as packets tell.
fn is_rest(half: &HalfConnection) -> bool {
    let is_application = half.verdict.cause.is_some_and(|c| c.limit == Limit::Application);
    is_application && half.verdict.severity == Some(Severity::Info)
}

/// The finding that explains the verdict: the first one, or the first that says what to change. Of a connection that mostly
/// rested only what would make it faster all the same: the rest is for those who know that the rests are not meant.
pub(crate) fn leading_finding(half: &HalfConnection) -> Option<&Finding> {
    half.verdict.severity?;
    if is_rest(half) {
        let now = half.span.seconds();
        let saves = |f: &&Finding| f.prediction.as_ref().is_some_and(|p| is_gain(p, now));
        return half.findings.iter().filter(|f| f.severity > Severity::Info && !f.fixes.is_empty()).find(saves);
    }
    half.findings.first().filter(|f| !f.fixes.is_empty()).or_else(|| half.findings.iter().find(|f| !f.fixes.is_empty()))
}

/// Whether a fix brings enough to be told as a gain.
pub(crate) fn is_gain(prediction: &Prediction, now: f64) -> bool {
    prediction.seconds.value < 0.95 * now
}

/// `args` with the durations of `prediction`.
pub(super) fn prediction_args(wording: Wording<'_>, args: Args, prediction: &Prediction, now: f64) -> Args {
    let units = wording.units();
    let seconds = prediction.seconds;
    args.text("now", units.seconds(now))
        .text("then", units.rough_seconds(seconds.value))
        .text("low", units.rough_seconds(seconds.low))
        .text("high", units.rough_seconds(seconds.high))
}

pub(super) fn verdict_style(half: &HalfConnection) -> Style {
    half.verdict.cause.map_or(Style::new(), |c| foreground(c.limit).bold())
}
