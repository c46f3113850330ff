//! The answer: who sent what how fast, what held it back, what to change.

use anstyle::Style;
use tcpwhy_analysis::{Connection, HalfConnection, Role};
use tcpwhy_model::{Cause, Claim, Detail, Finding, Fix, Limit, Prediction, Severity};

use super::failed::Told;
use super::lead::waited;
use super::overview::lost;
use super::page::Page;
use super::palette::{BOLD, FIX, WARNING, foreground};
use super::{Overview, failures};
use crate::{Args, Wording, principal_half};

/// What the first three lines speak of.
#[derive(Clone, Copy, Debug)]
pub struct Headline<'a> {
    /// The connection.
    pub connection: &'a Connection,
    /// Its direction.
    pub half: &'a HalfConnection,
    /// The fix that they propose.
    pub fix: Option<&'a Fix>,
    /// The fix beside it, where the packets do not show which of the two removes the cause.
    pub rival: Option<&'a Fix>,
}

impl Overview {
    /// What the first three lines speak of; `None` if nothing was sent.
    pub fn headline(&self) -> Option<Headline<'_>> {
        let (connection, half, finding) = if let Some(told) = self.told().filter(|told| told.is_all) {
            (told.connection, told.half, Some(told.finding))
        } else {
            let connection = self.lead()?;
            let half = principal_half(connection)?;
            (connection, half, leading_finding(half))
        };
        let fix = finding.and_then(|finding| finding.fixes.first());
        Some(Headline { connection, half, fix, rival: finding.and_then(rival) })
    }

    /// The failure that the second line reports.
    fn told(&self) -> Option<Told<'_>> {
        let connection = self.lead()?;
        let half = principal_half(connection)?;
        if self.with_data == 1 {
            return Told::of_only(connection, half);
        }
        Told::of_many(&self.failed, self.pairs.findings().0, (connection, half), lost(connection) as f64 / 1e9)
    }
}

pub(super) fn write(page: &mut Page, wording: Wording<'_>, overview: &Overview, excluded: u64, has_range: bool) {
    let catalogue = wording.catalogue();
    let worst = overview.lead().and_then(|connection| Some((connection, principal_half(connection)?)));
    let Some((connection, half)) = worst else {
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
    let told = overview.told();
    let shown = told.as_ref().map_or(half, |told| told.half);
    let first = if overview.with_data == 1 { transfer(wording, connection, shown) } else { totals(wording, overview) };
    page.wrapped(&first, 0, BOLD);
    let clock = (overview.contradicted > 0).then(|| {
        let args = Args::new().number("count", overview.contradicted).number("all", overview.with_data);
        catalogue.text("head-clock-contradicted", &args)
    });
    if let Some(clock) = clock.as_ref().filter(|_| is_clock_useless(overview)) {
        // All connections have the clock of the same capture.
        page.wrapped(clock, 0, WARNING);
        return;
    }
    if let Some(told) = told.as_ref().filter(|told| told.is_all) {
        page.wrapped(&told.sentence(wording), 0, told.style());
        let fix = told.reported().fixes.first().map(|fix| simple_remedy(wording, fix));
        let fix = fix.map(|fix| with_rival(wording, fix, told.reported()));
        page.wrapped(&fix.unwrap_or_else(|| remedy(wording, told.half)), 0, FIX);
        return;
    }
    let mut second = if overview.with_data == 1 {
        wording.verdict(half)
    } else {
        let is_worst = |severity| severity > Severity::Warning || severity > Severity::Info && waited(connection) > 0;
        let id = match half.verdict.severity {
            Some(severity) if is_worst(severity) => "head-worst",
            _ if overview.is_largest(connection) => "head-largest",
            _ => "head-busiest",
        };
        let args = Args::new()
            .text("n", connection.id.to_string())
            .text("direction", wording.direction(connection, half))
            .text("sentence", wording.verdict(half));
        catalogue.text(id, &args)
    };
    if let Some(told) = &told {
        second = [told.sentence(wording), second].join(&catalogue.word("sentence-separator"));
    }
    page.wrapped(&second, 0, told.map_or_else(|| verdict_style(half), |told| told.style()));
    page.wrapped(&remedy(wording, half), 0, FIX);
    if let Some(clock) = clock {
        page.wrapped(&clock, 0, WARNING);
    }
}

/// Where one of so many connections contradicts the capture's clock, the others only have too few packets to
/// show it. Chosen: most connections of a capture are short.
const CLOCK_DOUBTED: u64 = 4;

/// Whether times in the capture mean nothing, whatever the connection.
fn is_clock_useless(overview: &Overview) -> bool {
    overview.contradicted.saturating_mul(CLOCK_DOUBTED) >= overview.with_data
}

/// A fix without what it would bring.
fn simple_remedy(wording: Wording<'_>, fix: &Fix) -> String {
    let args = Args::new().text("fix", wording.fix_headline(fix)).text("place", wording.place(fix.place));
    wording.catalogue().text("head-fix", &args)
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
    let Some((finding, fix)) = leading_fix(half) else {
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
    let text = match &finding.prediction {
        None => catalogue.text("head-fix", &args),
        Some(prediction) => {
            let now = half.span.seconds();
            let id = match (is_gain(prediction, now), prediction.claim) {
                (false, _) => "head-fix-little",
                (true, Claim::Range) => "head-fix-predicted",
                (true, Claim::AtBest) => "head-fix-at-best",
                (true, Claim::AtBestUntried) => "head-fix-untried",
            };
            catalogue.text(id, &prediction_args(wording, args, prediction, now))
        }
    };
    with_rival(wording, text, finding)
}

/// The fix beside the first one of `finding`.
fn rival(finding: &Finding) -> Option<&Fix> {
    finding.fixes.get(1).filter(|fix| fix.is_rival)
}

/// `text`, which is about the first fix of `finding`, and its rival.
fn with_rival(wording: Wording<'_>, text: String, finding: &Finding) -> String {
    let Some(rival) = rival(finding) else { return text };
    let catalogue = wording.catalogue();
    let args = Args::new().text("fix", wording.fix_headline(rival)).text("place", wording.place(rival.place));
    [text, catalogue.text("head-fix-rival", &args)].join(&catalogue.word("sentence-separator"))
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
    // What is worth a note only would not make up for what the capture does not show.
    let is_known = half.verdict.cause != Some(Cause::plain(Limit::Unobserved));
    let says_what = |f: &&Finding| !f.fixes.is_empty() && (is_known || f.severity > Severity::Info);
    half.findings.first().filter(says_what).or_else(|| half.findings.iter().find(says_what))
}

/// The fix that is proposed first, with the finding that proposes it.
fn leading_fix(half: &HalfConnection) -> Option<(&Finding, &Fix)> {
    let finding = leading_finding(half)?;
    Some((finding, finding.fixes.first()?))
}

/// Whether a fix brings enough to be told as a gain.
pub(crate) fn is_gain(prediction: &Prediction, now: f64) -> bool {
    prediction.least_claimed() < 0.95 * now
}

/// `args` with the durations of `prediction`.
pub(super) fn prediction_args(wording: Wording<'_>, args: Args, prediction: &Prediction, now: f64) -> Args {
    let units = wording.units();
    let seconds = prediction.seconds;
    args.text("now", units.seconds(now))
        .text("times", units.times(prediction.times_at_most(now)))
        .text("then", units.rough_seconds(seconds.value))
        .text("low", units.rough_seconds(seconds.low))
        .text("high", units.rough_seconds(seconds.high))
}

pub(super) fn verdict_style(half: &HalfConnection) -> Style {
    half.verdict.cause.map_or(Style::new(), |c| foreground(c.limit).bold())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{finding, half};

    /// Which finding leads: the first that says what to change; of a rest only one that saves time.
    #[test]
    fn the_first_finding_that_says_what_to_change_leads() {
        use Severity::{Critical, Info, Warning};
        let (buffer, idle) = (Cause::plain(Limit::SendBuffer), Cause::from(Detail::Idle));
        let note = |rule| finding(rule, Info, 1, Some(1.0));
        let found = |rule, fixes, seconds| finding(rule, Warning, fixes, seconds);
        for (what, cause, severity, findings, expected) in [
            ("the first", buffer, Some(Critical), vec![found("a", 1, None), found("b", 1, None)], Some("a")),
            ("the first has no fix", buffer, Some(Critical), vec![found("a", 0, None), found("b", 1, None)], Some("b")),
            ("none has a fix", buffer, Some(Critical), vec![found("a", 0, None)], None),
            ("a note counts", buffer, Some(Info), vec![note("a")], Some("a")),
            ("nothing held it back", buffer, None, vec![found("a", 1, None)], None),
            ("a rest, and a gain", idle, Some(Info), vec![found("a", 1, None), found("b", 1, Some(9.4))], Some("b")),
            ("a rest, and little gain", idle, Some(Info), vec![found("a", 1, Some(9.5))], None),
            ("a rest, and a gain without a fix", idle, Some(Info), vec![found("a", 0, Some(1.0))], None),
            ("a rest, and a note", idle, Some(Info), vec![note("a")], None),
            ("pauses that matter", idle, Some(Warning), vec![found("a", 1, None)], Some("a")),
        ] {
            let half = half(Role::Server, severity, &[(10, cause)], findings);
            assert_eq!(leading_finding(&half).map(|finding| finding.rule), expected, "{what}");
        }
    }

    /// A gain is more than a twentieth of the time.
    #[test]
    fn a_gain_is_more_than_a_twentieth() {
        for (seconds, expected) in [(9.499, true), (9.5, false), (10.0, false), (12.0, false)] {
            let found = finding("a", Severity::Warning, 1, Some(seconds));
            assert_eq!(is_gain(&found.prediction.unwrap(), 10.0), expected, "{seconds} of 10 s");
        }
    }

    /// Which line stands for a fix where there is none, and how much a fix is said to bring.
    #[test]
    fn the_last_line_says_what_to_change_or_why_nothing() {
        use Severity::{Info, Warning};
        let catalogue = crate::Catalogue::new(crate::Language::English);
        let wording = Wording::new(&catalogue);
        let (buffer, idle) = (Cause::plain(Limit::SendBuffer), Cause::from(Detail::Idle));
        for (what, cause, severity, id) in [
            ("nothing held it back", buffer, None, "head-healthy"),
            ("nothing is known", Cause::plain(Limit::Unobserved), Some(Info), "head-cannot-tell"),
            ("the peer's turn", Detail::PeerTurn.into(), Some(Info), "head-other-direction"),
            ("a rest", idle, Some(Info), "head-meant"),
            ("a rest that matters", idle, Some(Warning), "head-no-fix"),
            ("a limit", buffer, Some(Info), "head-no-fix"),
        ] {
            let half = half(Role::Server, severity, &[(10, cause)], Vec::new());
            assert_eq!(remedy(wording, &half), catalogue.word(id), "{what}");
        }
        for (what, seconds, expected) in [
            ("no prediction", None, "head-fix"),
            ("a gain", Some(9.4), "head-fix-predicted"),
            ("little", Some(9.5), "head-fix-little"),
        ] {
            let found = finding("a", Warning, 1, seconds);
            let half = half(Role::Server, Some(Warning), &[(10, buffer)], vec![found.clone()]);
            let fix = &found.fixes[0];
            let args = Args::new().text("fix", wording.fix_headline(fix)).text("place", wording.place(fix.place));
            let args = match &found.prediction {
                Some(prediction) => prediction_args(wording, args, prediction, 10.0),
                None => args,
            };
            assert_eq!(remedy(wording, &half), catalogue.text(expected, &args), "{what}");
        }
    }
}
