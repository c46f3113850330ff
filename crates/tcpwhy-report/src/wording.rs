//! Sentences about domain values, in the language of a catalogue.

use std::borrow::Cow;

use tcpwhy_analysis::answer::{NamedCause, is_queue_named};
use tcpwhy_analysis::{Connection, HalfConnection, Role, Side, Verdict};
use tcpwhy_model::{
    Anomaly, Basis, Cause, Claim, Decider, Detail, Endpoint, Evidence, Finding, Fix, FixLine, FixPlace, Limit,
    LimitGroup, Prediction, Severity, VerdictReason,
};

use unicode_width::UnicodeWidthStr as _;

use crate::code::ShownLines;
use crate::kebab::kebab;
use crate::names::Named;
use crate::palette::Swatch;
use crate::prediction_args::{has_paths, prediction_args};
use crate::ratio::ratio;
use crate::site::{PlaceForm, Site};
use crate::text::Look;
use crate::{Args, Catalogue, Units, evidence, is_gain};

/// Puts results of the analysis into words.
#[derive(Clone, Copy)]
pub struct Wording<'a> {
    catalogue: &'a Catalogue,
}

impl<'a> Wording<'a> {
    /// Uses words from `catalogue`.
    pub const fn new(catalogue: &'a Catalogue) -> Self {
        Self { catalogue }
    }

    /// The catalogue of the words.
    pub const fn catalogue(self) -> &'a Catalogue {
        self.catalogue
    }

    /// Quantities in the language of the catalogue.
    pub const fn units(self) -> Units<'a> {
        Units::new(self.catalogue)
    }

    /// Name of a limit: `send buffer`.
    pub fn limit(self, limit: Limit) -> String {
        self.catalogue.word(&format!("limit-{}", kebab(limit.id())))
    }

    /// Name of a group of limits: `receive window`.
    pub fn limit_group(self, group: LimitGroup) -> String {
        self.catalogue.word(&format!("score-group-{}", kebab(group.id())))
    }

    /// Name of an entry of the palette: `receive window`, `application: idle`.
    pub fn swatch(self, swatch: Swatch) -> String {
        swatch.detail().map_or_else(|| self.limit(swatch.limit()), |detail| self.cause(detail.into()))
    }

    /// Name of a detail of a limit: `slow reader`.
    pub(crate) fn detail(self, detail: Detail) -> String {
        self.catalogue.word(&format!("detail-{}", kebab(detail.id())))
    }

    /// Name of a limit with its detail: `receive window: slow reader`.
    pub fn cause(self, cause: Cause) -> String {
        match cause.detail {
            None => self.limit(cause.limit),
            Some(detail) => {
                let args = Args::new().text("limit", self.limit(cause.limit)).text("detail", self.detail(detail));
                self.catalogue.text("limit-with-detail", &args)
            }
        }
    }

    /// The observation that would decide: `a capture at the sender`.
    pub fn decider(self, decider: Decider) -> String {
        self.catalogue.word(&format!("decider-{}", decider.id()))
    }

    /// The source of a number: `read off the wire`.
    pub fn basis(self, basis: Basis) -> String {
        self.catalogue.word(&format!("basis-{}", kebab(basis.id())))
    }

    /// Name of a severity: `critical`, `warning`, `note`.
    pub fn severity(self, severity: Severity) -> String {
        self.catalogue.word(&format!("severity-{}", severity.id()))
    }

    /// The place of a change: `sending application`.
    pub fn place(self, place: FixPlace) -> String {
        self.catalogue.word(&format!("place-{}", place.id()))
    }

    /// The description of a fix.
    pub fn fix(self, fix: &Fix) -> String {
        self.catalogue.word(&format!("fix-{}", fix.id))
    }

    /// The lines of `fix` that are printed, and a hint about others: `(code for Java, Go: --code java |
    /// all)`.
    pub(crate) fn shown_lines(self, fix: &Fix, site: Option<&Site>) -> (Vec<String>, Option<String>) {
        let shown = ShownLines::of(fix, self.catalogue.code(), site.and_then(|site| site.server));
        let names: Vec<_> = shown.others.iter().map(|program| program.name()).collect();
        let hint = shown.others.first().map(|first| {
            let names = names.join(&self.catalogue.word("help-separator"));
            self.catalogue.text("fix-other-code", &Args::new().text("names", names).text("first", first.id()))
        });
        (shown.lines.into_iter().map(|line| self.fix_line(line, fix.place, site)).collect(), hint)
    }

    /// All lines of a fix to copy, with the values of the connection and remarks in the reader's language.
    pub fn fix_lines(self, fix: &Fix, site: Option<&Site>) -> Vec<String> {
        fix.lines.iter().map(|line| self.fix_line(line, fix.place, site)).collect()
    }

    fn fix_line(self, line: &FixLine, place: FixPlace, site: Option<&Site>) -> String {
        let remark = line.remark.as_ref().map(|remark| {
            let args = remark.values.iter().fold(Args::new(), |args, (name, value)| args.text(*name, value));
            self.catalogue.text(&format!("remark-{}", remark.id), &args)
        });
        let code = line.code.filled(site.map(|site| &site.ends), place);
        format!("{code}{}{}", remark.unwrap_or_default(), line.comment_end())
    }

    /// The fix in a few words, for the third line of the report: an action with its place, if the connection
    /// is known.
    pub(crate) fn fix_headline(self, fix: &Fix, site: Option<&Site>) -> String {
        self.fix_headlines(fix, site).into_iter().next().unwrap_or_else(|| self.fix(fix))
    }

    /// The fix in wordings of the same meaning, fullest first: the place becomes shorter, then it is left
    /// out.
    pub(crate) fn fix_headlines(self, fix: &Fix, site: Option<&Site>) -> Vec<String> {
        let (short, brief) = (format!("fix-{}-short", fix.id), format!("fix-{}-brief", fix.id));
        let placed = match site {
            Some(site) => [PlaceForm::Full, PlaceForm::Port].map(|form| site.args(fix, form)).into(),
            None => vec![Args::new()],
        };
        let mut names: Vec<_> = placed.iter().filter_map(|args| self.catalogue.complete_text(&short, args)).collect();
        names.extend(self.catalogue.has(&brief).then(|| self.catalogue.word(&brief)));
        names.dedup();
        if names.is_empty() {
            names.push(self.fix(fix));
        }
        names
    }

    /// The reason why the predicted rate does not rise further.
    pub fn ceiling(self, ceiling: &str) -> String {
        self.catalogue.word(&format!("ceiling-{ceiling}"))
    }

    /// Title of a rule.
    pub fn rule_title(self, rule: &str) -> String {
        self.catalogue.word(&format!("rule-{rule}-title"))
    }

    /// The meaning of a rule, its detection and the fix.
    pub fn rule_doc(self, rule: &str) -> String {
        self.catalogue.word(&format!("rule-{rule}-doc"))
    }

    /// Name of a piece of evidence.
    pub fn evidence_label(self, evidence: &Evidence) -> String {
        evidence::label(self.catalogue, evidence)
    }

    /// Value of a piece of evidence, with its unit.
    pub fn evidence_value(self, evidence: &Evidence) -> String {
        evidence::value_text(self.catalogue, evidence)
    }

    /// Description of an anomaly of a capture.
    pub fn anomaly(self, anomaly: &Anomaly) -> String {
        let args = Args::new()
            .number("count", anomaly.count)
            .number("packet", anomaly.first_packet)
            .text("detail", anomaly.detail.to_string());
        self.catalogue.text(&format!("anomaly-{}", anomaly.kind.id()), &args)
    }

    /// A warning about a capture, for standard error.
    pub fn capture_warning(self, path: &str, anomaly: &Anomaly) -> String {
        let args = Args::new().text("path", self.capture_name(path)).text("text", self.anomaly(anomaly));
        self.catalogue.text("capture-warning", &args)
    }

    /// Name of a capture: its path, or words for `-`.
    pub fn capture_name(self, path: &str) -> Cow<'_, str> {
        if path == "-" { Cow::Owned(self.catalogue.word("standard-input")) } else { Cow::Borrowed(path) }
    }

    /// One end, with its names if they were asked for: `10.0.186.140:3306 [db.example]`.
    pub fn end(self, connection: &Connection, side: Side) -> String {
        self.named(connection, side).to_string()
    }

    fn named(self, connection: &Connection, side: Side) -> Named {
        let end = connection.endpoints[side.index()];
        let resolved = self.catalogue.names().and_then(|names| names.of(end.address));
        Named::new(&end, connection.name_of(side), resolved.as_deref())
    }

    /// The ends with their names: `sender`, then its peer.
    pub(crate) fn named_ends(self, connection: &Connection, sender: Side) -> [Named; 2] {
        [sender, sender.peer()].map(|side| self.named(connection, side))
    }

    /// The ends of a direction: `10.0.186.140:3306 → 10.0.186.70:26494`.
    pub fn direction(self, connection: &Connection, half: &HalfConnection) -> String {
        self.direction_of(connection, half.sender)
    }

    /// The ends of the direction that `sender` sends.
    pub(crate) fn direction_of(self, connection: &Connection, sender: Side) -> String {
        let [from, to] = self.named_ends(connection, sender).map(|end| end.to_string());
        self.catalogue.text("direction", &Args::new().text("from", from).text("to", to))
    }

    /// The ends of the direction that `sender` sends, in at most `width` columns. Names are cut, then left
    /// out; addresses stay.
    pub fn direction_within(self, connection: &Connection, sender: Side, look: Look, width: usize) -> String {
        let ends = self.named_ends(connection, sender);
        let direction =
            |from: &str, to: &str| self.catalogue.text("direction", &Args::new().text("from", from).text("to", to));
        let room = width.saturating_sub(look.signs(&direction("", "")).width());
        let spare = room.saturating_sub(ends.iter().map(|end| end.address().width()).sum());
        let [first, second] = &ends;
        let wanted = second.width() - second.address().width();
        // Each end gets half of the room, and the room that the other end does not need.
        let share = (spare / 2).max(spare.saturating_sub(wanted));
        let from = first.within(look, first.address().width() + share);
        let to = second.within(look, room.saturating_sub(from.width()));
        direction(&from, &to)
    }

    /// The sentence of a finding with its evidence. Findings whose resource is shared have sentences of their
    /// own. If evidence is missing, a briefer sentence is used. The briefest one needs only the time, because
    /// the kernel reports less about a live socket than packets show. A test finds rules without such a
    /// sentence; for these, the title would be printed twice.
    pub fn finding(self, finding: &Finding, total_seconds: f64) -> String {
        let args = Args::new().text("total", self.units().seconds(total_seconds));
        let args = match finding.seconds {
            Some(seconds) => args
                .text("seconds", self.units().seconds(seconds))
                .text("share", self.units().share(ratio(seconds, total_seconds))),
            None => args,
        };
        let args = evidence::add_to(self.catalogue, args, &finding.evidence);
        ["sentence-together", "sentence-shared", "sentence", "sentence-brief", "sentence-least"]
            .into_iter()
            .find_map(|part| self.catalogue.complete_text(&format!("rule-{}-{part}", finding.rule), &args))
            .unwrap_or_else(|| self.rule_title(finding.rule))
    }

    /// The expected gain of a finding's first fix: `about 0.7 s instead of 5.1 s, …`. `total_seconds` is the
    /// duration of the direction, the span of its [`HalfConnection`].
    pub fn prediction(self, prediction: &Prediction, total_seconds: f64) -> String {
        let args =
            Args::new().text("next", self.limit(prediction.next_limit)).text("why", self.ceiling(prediction.ceiling));
        let args = prediction_args(self.units(), args, prediction, total_seconds);
        let id = match (is_gain(prediction, total_seconds), prediction.claim) {
            (false, _) => "prediction-little",
            (true, Claim::Range) => "prediction-gain",
            (true, Claim::AtBest | Claim::AtBestUntried) if has_paths(prediction) => "prediction-by-path",
            (true, Claim::AtBest | Claim::AtBestUntried) => "prediction-at-best",
        };
        self.catalogue.text(id, &args)
    }

    /// The verdict in sentences, with its share of the time and its most important numbers.
    pub fn verdict(self, half: &HalfConnection) -> String {
        let (seconds, total) = (half.verdict.seconds, half.span.seconds());
        let args = Args::new()
            .text("seconds", self.units().seconds(seconds))
            .text("total", self.units().seconds(total))
            .text("share", self.units().share(ratio(seconds, total)));
        let text = self.catalogue.text(&verdict_id(half), &args);
        // The first sentence must be clear on its own, so numbers are in a sentence of their own.
        let first = self.catalogue.text("sentence", &Args::new().text("text", text));
        let mut sentences = vec![first];
        sentences.extend(self.verdict_details(half));
        sentences.join(&self.catalogue.word("sentence-separator"))
    }

    /// Details of the verdict, in sentences: its numbers, other limits that the same change affects, its
    /// reason, and the observation that would decide.
    pub(crate) fn verdict_details(self, half: &HalfConnection) -> Vec<String> {
        let Verdict { alternative, reason, .. } = &half.verdict;
        let mut sentences = Vec::new();
        let numbers = self.numbers(half);
        if !numbers.is_empty() {
            let text = capitalized(&numbers.join(&self.catalogue.word("list-separator")));
            sentences.push(self.catalogue.text("sentence", &Args::new().text("text", text)));
        }
        sentences.extend(self.related(half));
        if let Some(reason) = reason {
            sentences.push(self.catalogue.word(&format!("reason-{}", reason.id())));
        }
        if let Some((other, decider)) = alternative {
            let args = Args::new().text("other", self.limit(*other)).text("decider", self.decider(*decider));
            sentences.push(self.catalogue.text("verdict-alternative", &args));
        }
        sentences
    }

    /// Other limits that the verdict's change affects, and the total time; `None` if they add little.
    fn related(self, half: &HalfConnection) -> Option<String> {
        /// Most names in the sentence: more of them would be a list.
        const NAMED: usize = 2;
        let total = half.span.seconds();
        let cause = NamedCause::of(half).filter(|cause| cause.is_related_worth_telling(total))?;
        let related: Vec<_> = half.related_to_verdict().collect();
        // Several details of one limit share its name.
        let mut named: Vec<(Limit, Vec<String>)> = Vec::new();
        for total in related.iter().take(NAMED) {
            let detail = total.cause.detail.map(|detail| self.detail(detail));
            match named.last_mut().filter(|(limit, _)| *limit == total.cause.limit) {
                Some((_, details)) => details.extend(detail),
                None => named.push((total.cause.limit, detail.into_iter().collect())),
            }
        }
        let separator = self.catalogue.word("list-separator");
        let name = |(limit, details): (Limit, Vec<String>)| {
            if details.is_empty() {
                return self.limit(limit);
            }
            let args = Args::new().text("limit", self.limit(limit)).text("details", details.join(&separator));
            self.catalogue.text("cause-details", &args)
        };
        let names: Vec<_> = named.into_iter().map(name).collect();
        let seconds = cause.own + cause.related;
        let args = Args::new()
            .text("others", names.join(&separator))
            .text("seconds", self.units().seconds(seconds))
            .text("share", self.units().share(ratio(seconds, total)));
        Some(self.catalogue.text("verdict-related", &args))
    }

    /// The most important numbers of the verdict.
    fn numbers(self, half: &HalfConnection) -> Vec<String> {
        let cause = half.verdict.cause;
        let units = self.units();
        let one = |id: &str, value: String| self.catalogue.text(id, &Args::new().text("value", value));
        let seen = half.verdict.meanwhile;
        let flight = || seen.flight.map(|bytes| one("number-flight", units.bytes(bytes)));
        let window = || seen.window.map(|bytes| one("number-window", units.bytes(bytes)));
        let rtt = || seen.rtt.map(|nanos| one("number-rtt", units.nanos(nanos as i64)));
        let rtt_queued = || {
            seen.rtt.zip(half.rtt).map(|(nanos, (whole, _))| {
                if !is_queue_named(nanos, whole.min) {
                    return one("number-rtt", units.nanos(nanos as i64));
                }
                let args =
                    Args::new().text("value", units.nanos(nanos as i64)).text("least", units.nanos(whole.min as i64));
                self.catalogue.text("number-rtt-queued", &args)
            })
        };
        let resent = || {
            (half.retransmitted_bytes > 0).then(|| {
                let share = ratio(half.retransmitted_bytes as f64, (half.bytes + half.retransmitted_bytes) as f64);
                let args =
                    Args::new().text("value", units.bytes(half.retransmitted_bytes)).text("share", units.share(share));
                self.catalogue.text("number-retransmitted", &args)
            })
        };
        let numbers = match cause.map(|c| c.limit) {
            _ if cause == Some(Detail::PeerWindow.into()) => vec![flight(), window(), rtt()],
            None | Some(Limit::Unobserved | Limit::Handshake) => vec![],
            Some(Limit::SendBuffer) => vec![flight(), window(), rtt()],
            Some(Limit::ReceiveWindow) => vec![window(), flight(), rtt()],
            Some(Limit::LossRecovery) => vec![resent(), rtt()],
            Some(Limit::Path) => vec![rtt_queued(), flight(), resent()],
            Some(Limit::CongestionWindow | Limit::SlowStart) => vec![flight(), window(), rtt(), resent()],
            Some(Limit::AckDelay | Limit::Application | Limit::TailRtt) => vec![rtt()],
        };
        numbers.into_iter().flatten().collect()
    }
}

/// The message id of a verdict. `report/tests/words.rs` covers all of them.
fn verdict_id(half: &HalfConnection) -> String {
    let Verdict { cause, severity, reason, .. } = &half.verdict;
    let Some(cause) = *cause else { return "verdict-none".to_owned() };
    // Only an activity of the application can leave a direction without a limit.
    let is_neutral = cause.limit == Limit::Application && severity.is_none();
    let kind = if is_neutral { "verdict-neutral" } else { "verdict" };
    let is_client = half.exchange_role == Role::Client;
    match (cause.limit, cause.detail) {
        (Limit::Unobserved, _) => format!("verdict-{}", unobserved_id(*reason)),
        // Nobody waits for a server that is polled, pushes, or echoes typed characters.
        (_, Some(Detail::Think)) if is_client && half.role == Role::Server => {
            format!("{kind}-application-think-unasked")
        }
        // The end that starts the exchanges does not keep anybody waiting.
        (_, Some(Detail::Think)) if is_client && !is_neutral => "verdict-application-think-client".to_owned(),
        (limit, None) => format!("verdict-{}", kebab(limit.id())),
        (limit, Some(detail)) => format!("{kind}-{}-{}", kebab(limit.id()), kebab(detail.id())),
    }
}

/// The end of the message id for unobserved time, by the observer that could not see it.
pub(crate) const fn unobserved_id(reason: Option<VerdictReason>) -> &'static str {
    match reason {
        Some(VerdictReason::SeenFromReceiver) => "unobserved-receiver",
        Some(VerdictReason::NotReported) => "unobserved-kernel",
        Some(VerdictReason::WindowHeldByQueue | VerdictReason::WindowNext | VerdictReason::ProtocolWindowNext)
        | None => "unobserved",
    }
}

/// Sender and receiver of a half-connection.
pub(crate) fn ends(connection: &Connection, half: &HalfConnection) -> [Endpoint; 2] {
    let from = half.sender.index();
    [connection.endpoints[from], connection.endpoints[1 - from]]
}

/// `text` with a capital first letter.
fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{EvidenceKey, Value};

    use super::*;
    use crate::Language;

    fn finding(evidence: Vec<Evidence>) -> Finding {
        Finding {
            rule: "send-buffer-plateau",
            severity: Severity::Critical,
            confidence: 1.0,
            seconds: Some(1.0),
            evidence,
            fixes: vec![],
            prediction: None,
        }
    }

    #[test]
    fn sentences_get_by_with_the_evidence_there_is() {
        let catalogue = Catalogue::new(Language::English);
        let say = |evidence: &[(EvidenceKey, u64)]| {
            let evidence = evidence
                .iter()
                .map(|&(key, value)| Evidence { key, value: Value::from(value), basis: Basis::WireExact })
                .collect();
            Wording::new(&catalogue).finding(&finding(evidence), 2.0)
        };
        let all = say(&[
            (EvidenceKey::PlateauBytes, 16_384),
            (EvidenceKey::WindowBytes, 184_320),
            (EvidenceKey::RttUs, 20_100),
        ]);
        assert!(all.contains("16.4 kB") && all.contains("184 kB") && all.contains("20.1 ms"), "{all}");
        let some = say(&[(EvidenceKey::PlateauBytes, 16_384)]);
        assert!(some.contains("16.4 kB") && !some.contains("window"), "{some}");
        assert_eq!(say(&[]), "The send buffer limited the sender for 1.00 s of 2.00 s.");
    }
}
