//! Connections with data that failed: cut off, or without what they waited for until the end.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::net::IpAddr;

use anstyle::Style;
use tcpwhy_analysis::{Connection, HalfConnection, Side, are_cut_alike};
use tcpwhy_model::{Cause, Endpoint, Finding, Limit, Severity};

use super::palette;
use crate::{Args, Wording, principal_half};

/// Groups that are kept; the lowest in order are kept, so that it does not matter in which order connections
/// come.
const MOST_GROUPS: usize = 1000;

/// The wait of failed connections is among the first lines from this share of what a change could save
/// elsewhere.
const LEAST_WAIT: f64 = 0.5;

/// Who failed to whom, and how.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    rule: &'static str,
    client: IpAddr,
    server: Endpoint,
}

/// Connections that failed alike.
#[derive(Clone, Debug)]
struct Group {
    count: u64,
    /// Bytes that one of them carried.
    least: u64,
    most: u64,
    /// Their waits for what never came, seconds.
    seconds: f64,
    /// The first of them.
    first: Connection,
    finding: Finding,
}

/// The connections of a source that failed.
#[derive(Clone, Debug, Default)]
pub(super) struct Failed {
    groups: BTreeMap<Key, Group>,
}

impl Failed {
    pub(super) fn add(&mut self, connection: &Connection) {
        let Some(finding) = connection.failure() else { return };
        let client = connection.initiator.unwrap_or(Side::A);
        let [client, server] = [client, client.peer()].map(|side| connection.endpoints[side.index()]);
        let key = Key { rule: finding.rule, client: client.address, server };
        let seconds = finding.seconds.unwrap_or(0.0);
        let first = || connection.clone();
        let group = self.groups.entry(key).or_insert_with(|| Group {
            count: 0,
            least: u64::MAX,
            most: 0,
            seconds: 0.0,
            first: first(),
            finding: finding.clone(),
        });
        let bytes = connection.halves.iter().map(|half| half.bytes).fold(0, u64::saturating_add);
        group.count += 1;
        (group.least, group.most) = (group.least.min(bytes), group.most.max(bytes));
        group.seconds += seconds;
        if connection.first_packet < group.first.first_packet {
            (group.first, group.finding) = (first(), finding.clone());
        }
        if self.groups.len() > MOST_GROUPS {
            self.groups.pop_last();
        }
    }

    pub(super) fn renumber(&mut self, number: &dyn Fn(&Connection) -> u64) {
        for group in self.groups.values_mut() {
            group.first.id = number(&group.first);
        }
    }

    /// The group that matters most: the gravest, then where most was waited, then the largest.
    fn gravest(&self) -> Option<&Group> {
        let nanos = |group: &Group| (group.seconds * 1e9) as i64;
        let rank =
            |group: &&Group| (group.finding.severity, nanos(group), group.count, Reverse(group.first.first_packet));
        self.groups.values().max_by_key(rank)
    }
}

/// Whether the time under the verdict of `half` is that of the failure that `finding` reports, or nothing
/// worth acting on.
fn explains(finding: &Finding, half: &HalfConnection) -> bool {
    let is_rest = |cause: Cause| cause.limit == Limit::Application;
    let is_same = |cause: Cause| match finding.rule {
        "wrong-checksum" => cause.limit == Limit::Handshake,
        "request-unanswered" | "idle-timeout" => is_rest(cause),
        "zero-window-death" => cause.limit == Limit::ReceiveWindow,
        "hole-left-open" | "pmtu-black-hole" | "peer-silent" => cause.limit == Limit::LossRecovery || is_rest(cause),
        _ => false,
    };
    half.verdict.severity.is_none_or(|severity| severity <= Severity::Info) || half.verdict.cause.is_some_and(is_same)
}

/// What the second line reports of a failure.
pub(super) struct Told<'a> {
    pub(super) connection: &'a Connection,
    pub(super) half: &'a HalfConnection,
    pub(super) finding: &'a Finding,
    /// What lies behind it across connections.
    reason: Option<Finding>,
    /// There is nothing to add about slowness.
    pub(super) is_all: bool,
    /// How many more failed alike.
    more: u64,
    is_only: bool,
}

impl<'a> Told<'a> {
    /// How the only connection with data failed; `slow` is the direction that lost most time. Where the
    /// failure is all
    /// there is to say, the direction is the one with most data.
    pub(super) fn of_only(connection: &'a Connection, slow: &'a HalfConnection) -> Option<Self> {
        let finding = connection.failure()?;
        let is_all = explains(finding, slow);
        let bulk = connection.halves.iter().max_by_key(|half| half.bytes);
        let half = bulk.filter(|_| is_all).unwrap_or(slow);
        Some(Self { connection, half, finding, reason: None, is_all, more: 0, is_only: true })
    }

    /// The failures that matter most of many connections, if they are critical, repeated, or cost time beside
    /// what a change could save of `worst`: `lost` seconds.
    /// Where segments bypassed a NAT, that is the reason.
    pub(super) fn of_many(
        failed: &'a Failed,
        across: Vec<Finding>,
        worst: (&Connection, &HalfConnection),
        lost: f64,
    ) -> Option<Self> {
        let reason = across.into_iter().find(|finding| finding.rule == "nat-bypassed");
        let group = failed.gravest()?;
        let is_repeated = group.count > 1 && are_cut_alike(group.least, group.most);
        let is_told = reason.is_some()
            || group.finding.severity == Severity::Critical
            || is_repeated
            || group.seconds > 0.0 && group.seconds >= LEAST_WAIT * lost;
        let half = principal_half(&group.first).filter(|_| is_told)?;
        let is_worst = group.first.id == worst.0.id && explains(&group.finding, worst.1);
        Some(Self {
            connection: &group.first,
            half,
            finding: &group.finding,
            is_all: is_worst || group.seconds >= lost || reason.is_some(),
            reason,
            more: group.count - 1,
            is_only: false,
        })
    }

    /// What is reported of it.
    pub(super) fn reported(&self) -> &Finding {
        self.reason.as_ref().unwrap_or(self.finding)
    }

    pub(super) fn sentence(&self, wording: Wording<'_>) -> String {
        let catalogue = wording.catalogue();
        let sentence = wording.finding(self.reported(), self.connection.span.seconds());
        if self.is_only {
            return sentence;
        }
        let args = Args::new()
            .text("n", self.connection.id.to_string())
            .text("direction", wording.direction(self.connection, self.half))
            .text("sentence", sentence);
        let text = catalogue.text("head-failed", &args);
        if self.more == 0 {
            return text;
        }
        catalogue.text("head-failed-alike", &Args::new().text("text", text).number("count", self.more))
    }

    pub(super) fn style(&self) -> Style {
        palette::severity(self.reported().severity)
    }
}
