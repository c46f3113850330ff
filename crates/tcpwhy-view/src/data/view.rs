use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;
use tcpwhy_analysis::{Connection, Failure};
use tcpwhy_model::{CaptureSummary, Decider, Program, Reason};
use tcpwhy_report::compare::Comparison;
use tcpwhy_report::dto::Tool;
use tcpwhy_report::palette::Swatch;
use tcpwhy_report::{Catalogue, Language, Names, shown_name};

use super::bins::{BINS, LEAST_S, PER_DECADE};
use super::by_language::ByLanguage;
use super::contract::{
    Bins, Cause, ChartAnswer, Compared, ConnectionChart, FORMAT, LimitLook, ReasonLook, Server, Spent, ViewData,
    Waiting,
};
use super::documents::{Together, documents};
use super::encode::{causes, reason_index};
use super::headline::{Headline, headlines};
use super::survey::{Entry, Survey};
use crate::chart::{Budget, MarkKind};

/// Path at which a server returns charts.
pub const CHART_PATH: &str = "api/chart";

/// The data of a page except the charts, which need a second pass over the packets.
pub struct View {
    survey: Survey,
    documents: ByLanguage<Value>,
    headlines: ByLanguage<Headline>,
    comparison: Option<Compared>,
    language: Language,
    /// Names of addresses, if they were asked for.
    names: Option<Arc<Names>>,
    has_server: bool,
    /// Size of everything but the charts, bytes.
    size: usize,
}

impl View {
    /// Largest size of a page, scripts included, bytes.
    const MOST: usize = 9_800_000;
    /// Estimated size of scripts and styles, bytes.
    const VIEWER: usize = 250_000;
    /// Smallest size of a chart that is worthwhile, bytes.
    const LEAST: usize = 60_000;
    /// Approximate size of an exact chart per packet, bytes.
    const PACKET: usize = 130;
    /// Size of the largest chart, bytes.
    const LARGEST: usize = 7_000_000;

    /// Most addresses whose names are resolved: those of the connections that lost the most time.
    const MOST_NAMES: usize = 256;

    /// A page about `survey`, initially in `language`, with `names` next to addresses.
    pub fn new(survey: Survey, language: Language, names: Option<Arc<Names>>, has_server: bool) -> Self {
        let mut survey = survey;
        survey.put_examples_first();
        survey.hide_folders();
        let entries: Vec<_> = survey.entries().iter().map(|e| (&e.connection, e.capture)).collect();
        let together = Together { summary: survey.summary(), problems: survey.problems() };
        let documents = documents(survey.captures(), &entries, Some(together), names.as_ref());
        let headlines = headlines(together, names.as_ref());
        let mut view = Self { survey, documents, headlines, comparison: None, language, names, has_server, size: 0 };
        view.size = view.to_json(&[]).len();
        view
    }

    /// A page about `comparison` of captures with these `summaries`. Connections of the second capture are
    /// numbered after those of the first.
    pub fn of_comparison(
        comparison: Comparison,
        summaries: [Vec<CaptureSummary>; 2],
        language: Language,
        has_server: bool,
    ) -> Self {
        let mut comparison = comparison;
        let after = comparison.pairs.iter().map(|pair| pair.connections[0].id).max().map_or(0, |last| last + 1);
        for pair in &mut comparison.pairs {
            pair.connections[1].id += after;
        }
        let mut survey = Survey::new();
        for (side, captures) in summaries.into_iter().enumerate() {
            for pair in &comparison.pairs {
                survey.add(pair.connections[side].clone());
            }
            survey.end_of_source(captures, &|connection| connection.id);
        }
        let mut view = Self::new(survey, language, None, has_server);
        let mut compared = Compared::new(&comparison, None);
        // The page shows captures without their folders.
        for (name, capture) in compared.captures.iter_mut().zip(view.survey.captures()) {
            name.clone_from(&capture.path);
        }
        view.comparison = Some(compared);
        view
    }

    /// The connections that get charts, and the size of each: as many as fit, those that lost the most time
    /// first.
    pub fn plan(&self) -> Vec<(&Entry, Budget)> {
        let mut left = Self::MOST.saturating_sub(Self::VIEWER + self.size).max(1_000_000);
        let mut plan = Vec::new();
        let entries: Vec<_> = self.survey.entries().iter().collect();
        for (i, &entry) in entries.iter().enumerate() {
            let connection = &entry.connection;
            // The first chart may be the largest, but leaves room for the others.
            let share = match entries.len() - i {
                1 => left,
                2..4 => left / 2,
                _ => left / 3,
            };
            let packets = usize::try_from(connection.packets.iter().sum::<u64>()).unwrap_or(usize::MAX);
            let exact = packets.saturating_mul(Self::PACKET).saturating_add(4000);
            let is_exact = packets <= Budget::LARGE.packets && exact <= share;
            let bytes = if is_exact { exact } else { share.min(Self::LARGEST) };
            if bytes < Self::LEAST && !is_exact {
                continue;
            }
            left = left.saturating_sub(bytes);
            plan.push((entry, budget(entry, bytes, is_exact)));
        }
        plan
    }

    /// The page's data as JSON. If it is too large, charts are left out from the last on, and counted.
    pub fn to_json(&self, charts: &[ConnectionChart]) -> String {
        let mut charts = charts;
        loop {
            let json = self.with_charts(charts);
            if json.len() + Self::VIEWER <= Self::MOST || charts.len() <= 1 || self.has_server {
                return json;
            }
            charts = &charts[..charts.len() - 1];
        }
    }

    /// The connections of the page.
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// Initial language of the page.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Names of addresses, if they were asked for.
    pub(crate) fn names(&self) -> Option<&Arc<Names>> {
        self.names.as_ref()
    }

    fn names_by_address(&self) -> BTreeMap<String, String> {
        let Some(names) = &self.names else { return BTreeMap::new() };
        let addresses = self.survey.addresses(Self::MOST_NAMES).into_iter();
        addresses
            .filter_map(|address| Some((address.to_string(), shown_name(&names.of(address)?)?.into_owned())))
            .collect()
    }

    /// Whether a server can send more.
    pub(crate) fn has_server(&self) -> bool {
        self.has_server
    }

    fn with_charts(&self, charts: &[ConnectionChart]) -> String {
        let is_drawn = |id| charts.iter().any(|c| c.connection == id);
        let is_told = |id| self.survey.entries().iter().any(|e| e.connection.id == id);
        let detail = |id| if is_drawn(id) { 1 } else { u64::from(is_told(id)) * 2 };
        // A connection without a chart needs no words, unless a server may draw it later.
        let reasons: BTreeSet<Reason> = if self.has_server {
            Reason::ALL.iter().copied().collect()
        } else {
            charts.iter().flat_map(ConnectionChart::reasons).collect()
        };
        let has_alternatives = self.has_server || charts.iter().any(ConnectionChart::has_alternatives);
        let has_kernel = self.has_server || self.survey.entries().iter().any(|e| e.connection.kernel.is_some());
        let (services, services_omitted) = self.survey.services();
        let time = self.survey.summary().time();
        let spent = time.nanos().iter().enumerate().filter(|(_, nanos)| **nanos > 0);
        let (waiting, waited) = time.waiting();
        let data = ViewData {
            format: FORMAT,
            tool: Tool::this(),
            language: self.language.tag(),
            messages: messages(&reasons, has_alternatives, has_kernel),
            limits: looks(),
            causes: causes().map(cause).collect(),
            reasons: reasons.iter().map(|&reason| (reason_index(reason) as usize, look(reason))).collect(),
            deciders: Decider::ALL.iter().map(|d| d.id()).collect(),
            mark_kinds: MarkKind::ALL.to_vec(),
            names: self.names_by_address(),
            server_names: self.survey.server_names(),
            overview: self.survey.overview(&services, detail),
            headlines: self.headlines.clone(),
            services,
            services_omitted,
            bins: Bins { count: BINS, per_decade: PER_DECADE, least_s: LEAST_S },
            spent: spent.map(|(limit, &nanos)| Spent { limit, seconds: nanos as f64 / 1e9 }).collect(),
            waiting: Waiting {
                connections: waiting,
                seconds: waited as f64 / 1e9,
                person_s: time.waiting_for_person() as f64 / 1e9,
            },
            wrong_clock: time.wrong_clock().0,
            programs: Program::ALL.iter().map(|program| (program.id(), program.name())).collect(),
            failures: Failure::ALL.map(Failure::id).to_vec(),
            documents: self.documents.clone(),
            comparison: self.comparison.as_ref(),
            charts,
            server: self.has_server.then_some(Server { chart: CHART_PATH }),
        };
        to_json(&data)
    }
}

/// The response of a server about one connection of the capture with index `capture`.
pub fn answer(survey: &Survey, connection: &Connection, capture: Option<usize>, chart: ConnectionChart) -> String {
    let documents = documents(survey.captures(), &[(connection, capture)], None, None);
    to_json(&ChartAnswer { format: FORMAT, documents, chart })
}

/// Cannot fail: the value has only strings, numbers and maps with string keys.
fn to_json(value: &impl serde::Serialize) -> String {
    tcpwhy_report::json::to_string(value).unwrap_or_default()
}

fn budget(entry: &Entry, bytes: usize, is_exact: bool) -> Budget {
    let mut segments: Vec<u64> = entry.connection.halves.iter().map(|h| h.segments).collect();
    segments.sort_unstable();
    let is_mutual = matches!(segments[..], [less, more] if less > more / 10);
    let halves = if is_mutual { 2 } else { 1 };
    if is_exact {
        return Budget { packets: Budget::LARGE.packets, rows: Budget::LARGE.rows, marks: Budget::LARGE.marks };
    }
    Budget {
        // Forces binned tables, even if the estimate of the size was too high.
        packets: 1,
        rows: (bytes / 250 / halves).clamp(64, Budget::LARGE.rows),
        marks: (bytes / 125 / halves).clamp(200, Budget::LARGE.marks),
    }
}

fn cause(cause: tcpwhy_model::Cause) -> Cause {
    let limit = Swatch::of(cause) as usize;
    Cause { limit, detail: cause.detail.map(tcpwhy_model::Detail::id) }
}

fn look(reason: Reason) -> ReasonLook {
    ReasonLook { id: reason.id(), measures: reason.measures().iter().map(|m| m.id()).collect() }
}

fn looks() -> Vec<LimitLook> {
    Swatch::ALL
        .into_iter()
        .map(|swatch| {
            let look = swatch.look();
            LimitLook {
                id: swatch.id(),
                limit: swatch.limit().id(),
                letter: look.letter,
                light: look.light,
                dark: look.dark,
                ink_light: look.ink_light,
                ink_dark: look.ink_dark,
                pattern: look.pattern,
            }
        })
        .collect()
}

/// The words from which the page makes its own texts.
fn messages(
    reasons: &BTreeSet<Reason>,
    has_alternatives: bool,
    has_kernel: bool,
) -> ByLanguage<BTreeMap<String, String>> {
    const PREFIXES: [&str; 7] = ["viewer-", "limit-", "detail-", "basis-", "severity-", "unit-", "fact-vantage-"];
    const OF_ALTERNATIVES: [&str; 3] = ["alternative-", "decider-", "verdict-alternative"];
    const OF_KERNEL: [&str; 2] = ["kernel-", "heading-kernel"];
    const WORDS: [&str; 8] = [
        "unknown",
        "yes",
        "no",
        "list-separator",
        "fact-separator",
        "sentence-separator",
        "moment-label-value",
        "saving-upper-bound",
    ];
    let message = |family: &str, id: &str| format!("{family}-{}", id.replace('_', "-"));
    let sentences = reasons.iter().map(|reason| message("why", reason.id()));
    let measures = reasons.iter().flat_map(|reason| reason.measures()).map(|m| message("evidence", m.id()));
    let of_reasons: BTreeSet<String> = sentences.chain(measures).collect();
    let is_wanted = |id: &str| {
        let begins = |prefixes: &[&str]| prefixes.iter().any(|p| id.starts_with(p));
        begins(&PREFIXES)
            || has_alternatives && begins(&OF_ALTERNATIVES)
            || has_kernel && begins(&OF_KERNEL)
            || WORDS.contains(&id)
            || of_reasons.contains(id)
    };
    Language::ALL.into_iter().map(|l| (l.tag(), Catalogue::new(l).templates(is_wanted))).collect()
}
