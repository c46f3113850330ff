//! Tests of the words of every conclusion about captures and live sockets, generated from the enums. A new
//! limit, detail or rule fails a test until each language has words for it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

mod fixtures;

use std::collections::BTreeSet;

use tcpwhy_analysis::{Connection, Meanwhile, RULES, Role, Verdict};
use tcpwhy_audit::checks;
use tcpwhy_model::host::SocketSample;
use tcpwhy_model::live::HeldBy;
use tcpwhy_model::{
    AnomalyKind, Basis, Cause, Decider, Detail, Finding, FixPlace, Limit, LimitGroup, Severity, TimelineBuilder,
    VerdictReason,
};
use tcpwhy_report::palette::Swatch;
use tcpwhy_report::text::{Overview, answer_lines};
use tcpwhy_report::{Catalogue, Language, Wording};

use fixtures::send_buffer;

const ROLES: [Role; 3] = [Role::Client, Role::Server, Role::Unknown];

/// Each limit without a detail, and each detail.
fn causes() -> impl Iterator<Item = Cause> {
    Limit::ALL.map(Cause::plain).into_iter().chain(Detail::ALL.map(Cause::from))
}

fn severities() -> impl Iterator<Item = Option<Severity>> {
    [None].into_iter().chain(Severity::ALL.map(Some))
}

fn reasons() -> impl Iterator<Item = Option<VerdictReason>> {
    [None].into_iter().chain(VerdictReason::ALL.map(Some))
}

/// Checks that no message is missing, which shows as `⟨id⟩`, and no argument, which shows as `{$name}`.
#[track_caller]
fn is_whole(text: &str, of: &dyn std::fmt::Debug) {
    let is_whole = !text.is_empty() && !text.contains(['⟨', '⟩']) && !text.contains("{$") && !text.contains("{ $");
    assert!(is_whole, "{of:?}: {text}");
}

/// A connection that was under `cause` for most of its time, with this verdict.
fn under(verdict: &Verdict, role: Role, exchange_role: Role) -> Connection {
    let mut connection = send_buffer();
    let mut timeline = TimelineBuilder::new(connection.span.start());
    if let Some(cause) = verdict.cause {
        timeline.push(connection.span.end(), cause, 0.9, verdict.alternative);
    }
    let half = &mut connection.halves[0];
    (half.role, half.exchange_role) = (role, exchange_role);
    half.limits = timeline.finish();
    half.verdict = verdict.clone();
    half.findings.clear();
    connection
}

fn verdict(cause: Option<Cause>, severity: Option<Severity>, reason: Option<VerdictReason>) -> Verdict {
    Verdict {
        cause,
        confidence: 0.9,
        seconds: 5.0,
        severity,
        alternative: None,
        reason,
        meanwhile: Meanwhile { flight: Some(16_384), window: Some(184_320), rtt: Some(20_100_000) },
        flips: None,
    }
}

/// Every sentence of a verdict, for captures and live sockets, by limit, detail, severity, role and reason.
#[test]
fn every_verdict_has_words() {
    let mut sentences = 0;
    for language in Language::ALL {
        let catalogue = Catalogue::new(language);
        let wording = Wording::new(&catalogue);
        for cause in [None].into_iter().chain(causes().map(Some)) {
            for (severity, reason) in severities().flat_map(|severity| reasons().map(move |reason| (severity, reason)))
            {
                for (role, exchange_role) in ROLES.into_iter().flat_map(|role| ROLES.map(|other| (role, other))) {
                    let of = (language, cause, severity, reason, role, exchange_role);
                    let connection = under(&verdict(cause, severity, reason), role, exchange_role);
                    is_whole(&wording.verdict(&connection.halves[0]), &of);
                    let mut overview = Overview::new(1);
                    overview.add(connection);
                    overview.renumber(&|_| 0);
                    for line in answer_lines(wording, &overview) {
                        is_whole(&line.text, &of);
                    }
                    sentences += 1;
                }
            }
        }
    }
    assert!(sentences > 10_000, "{sentences}");
}

/// Every name in a verdict, and every other name with the id of an enum.
#[test]
fn every_name_has_words() {
    for language in Language::ALL {
        let catalogue = Catalogue::new(language);
        let wording = Wording::new(&catalogue);
        for cause in causes().chain(HeldBy::ALL.map(HeldBy::cause)) {
            is_whole(&wording.cause(cause), &cause);
            is_whole(&wording.live_cause(cause), &cause);
        }
        for (limit, decider) in Limit::ALL.into_iter().flat_map(|limit| Decider::ALL.map(|decider| (limit, decider))) {
            let verdict =
                Verdict { alternative: Some((limit, decider)), ..verdict(Some(Detail::Other.into()), None, None) };
            let connection = under(&verdict, Role::Server, Role::Server);
            is_whole(&wording.verdict(&connection.halves[0]), &(limit, decider));
        }
        for swatch in Swatch::ALL {
            is_whole(&wording.swatch(swatch), &swatch);
        }
        for group in LimitGroup::ALL {
            is_whole(&wording.limit_group(group), &group);
        }
        for severity in Severity::ALL {
            is_whole(&wording.severity(severity), &severity);
        }
        for place in FixPlace::ALL {
            is_whole(&wording.place(place), &place);
        }
        for basis in Basis::ALL {
            is_whole(&wording.basis(basis), &basis);
        }
        for kind in AnomalyKind::ALL {
            assert!(catalogue.has(&format!("anomaly-{}", kind.id())), "{language:?}: {kind:?}");
        }
    }
}

/// A socket with almost no data from the kernel, and one with all data.
fn sockets() -> [SocketSample; 2] {
    let mut known = SocketSample { receive_queue: 60_000, send_queue: 80_000, ..SocketSample::default() };
    known.memory.send_buffer = Some(87_040);
    for name in known.info.fields().map(|(name, _)| name).collect::<Vec<_>>() {
        *known.info.field_mut(name).unwrap() = Some(20_000);
    }
    [SocketSample::default(), known]
}

/// A finding of `live` has a sentence with the kernel's data, not only the title of the rule.
#[test]
fn every_finding_of_live_has_a_sentence() {
    let mut rules = BTreeSet::new();
    for language in Language::ALL {
        let catalogue = Catalogue::new(language);
        let wording = Wording::new(&catalogue);
        for (cause, socket) in causes().flat_map(|cause| sockets().map(move |socket| (cause, socket))) {
            let known = verdict(Some(cause), Some(Severity::Critical), None);
            let unknown = Verdict { meanwhile: Meanwhile::default(), ..known.clone() };
            for finding in [known, unknown].iter().filter_map(|verdict| tcpwhy_watch::explain(verdict, &socket)) {
                rules.insert(finding.rule);
                has_sentence(wording, &finding, 9.0);
                for fix in &finding.fixes {
                    is_whole(&wording.fix(fix), &(cause, fix.id));
                    wording.fix_lines(fix, None).iter().for_each(|line| is_whole(line, &(cause, fix.id)));
                }
            }
        }
    }
    assert!(rules.len() > 18, "{rules:?}");
}

#[track_caller]
fn has_sentence(wording: Wording<'_>, finding: &Finding, total: f64) {
    let (sentence, title) = (wording.finding(finding, total), wording.rule_title(finding.rule));
    is_whole(&sentence, finding);
    assert_ne!(sentence, title, "{finding:?}");
    let ends = sentence.ends_with(['.', '。']);
    assert!(ends && sentence != format!("{title}.") && sentence != format!("{title}。"), "{finding:?}: {sentence}");
}

/// A rule for captures or hosts has all its texts, which differ from each other. Tests of rules and checks,
/// which have fixtures, check that the evidence suffices for the sentence.
#[test]
fn every_rule_has_words() {
    for language in Language::ALL {
        let catalogue = Catalogue::new(language);
        for rule in RULES.iter().map(|rule| rule.id).chain(checks().map(|check| check.id)) {
            let texts = ["title", "sentence", "doc"].map(|part| catalogue.word(&format!("rule-{rule}-{part}")));
            assert!(texts.iter().all(|text| !text.is_empty() && !text.contains('⟨')), "{rule}: {texts:?}");
            let [title, sentence, doc] = texts;
            assert!(title != sentence && title != doc && sentence != doc, "{language:?}: {rule}");
        }
    }
}
