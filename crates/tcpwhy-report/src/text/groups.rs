//! Connections that have something in common.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::net::IpAddr;

use tcpwhy_analysis::Connection;
use tcpwhy_model::{Cause, Endpoint, Limit};
use unicode_width::UnicodeWidthStr as _;

use super::Order;
use super::look::Look;
use super::page::Page;
use super::palette::{BOLD, DIM};
use super::table::saving;
use super::{Overview, Table};
use crate::names::Named;
use crate::{Args, Wording, is_saving_predicted, principal_half};

/// Groups that are told apart; the lowest in order are kept, so that it does not matter in which order connections come.
const MOST_GROUPS: usize = 10_000;

/// What connections of a group have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupBy {
    /// The server's address.
    Host,
    /// The server's port.
    Port,
    /// The limit that held them back.
    Cause,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Host(IpAddr),
    Port(u16),
    /// Index into [`Limit::ALL`]; `None`: nothing held them back.
    Cause(Option<usize>),
}

/// What the connections of a group come to.
#[derive(Clone, Debug, Default)]
struct Group {
    connections: u64,
    bytes: u64,
    retransmitted: u64,
    /// The longest connection.
    nanos: i64,
    /// Of the connection that lost most: what connections lose at the same time does not add up.
    most_lost: i64,
    /// Whether that is predicted rather than an upper bound.
    is_predicted: bool,
    /// Time lost by limit, to name the one with most.
    by_limit: [i128; Limit::ALL.len()],
}

/// Connections with data, by what they have in common.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    by: GroupBy,
    found: BTreeMap<Key, Group>,
    /// Connections of groups beyond those told apart.
    others: u64,
}

impl Groups {
    pub(super) const fn new(by: GroupBy) -> Self {
        Self { by, found: BTreeMap::new(), others: 0 }
    }

    pub(super) fn add(&mut self, connection: &Connection, bytes: u64, lost: i64) {
        let cause: Option<Cause> = principal_half(connection).and_then(|half| half.verdict.cause);
        let key = match self.by {
            GroupBy::Host => Key::Host(server(connection).address),
            GroupBy::Port => Key::Port(server(connection).port),
            GroupBy::Cause => Key::Cause(cause.map(|c| c.limit as usize)),
        };
        let group = self.found.entry(key).or_default();
        group.connections += 1;
        group.bytes += bytes;
        group.retransmitted += connection.retransmitted_bytes();
        group.nanos = group.nanos.max(principal_half(connection).map_or(0, |half| half.span.nanos()));
        // Of two that lose as much: in whatever order they come.
        let is_predicted = principal_half(connection).is_some_and(is_saving_predicted);
        (group.most_lost, group.is_predicted) = (group.most_lost, group.is_predicted).max((lost, is_predicted));
        if let Some(cause) = cause {
            group.by_limit[cause.limit as usize] += i128::from(lost);
        }
        if self.found.len() > MOST_GROUPS
            && let Some((_, last)) = self.found.pop_last()
        {
            // Lower ones stay, so it never comes back among them: the groups that are left are counted in full.
            self.others += last.connections;
        }
    }

    pub(super) fn write(&self, page: &mut Page, wording: Wording<'_>, overview: &Overview) {
        let catalogue = wording.catalogue();
        let units = wording.units();
        let mut sorted: Vec<_> = self.found.iter().collect();
        sorted.sort_by_key(|(key, group)| {
            let first = match overview.order {
                Order::Saving => group.most_lost.unsigned_abs(),
                Order::Bytes => group.bytes,
                Order::Time => group.nanos.unsigned_abs(),
                Order::Retransmissions => group.retransmitted,
            };
            (Reverse(first), Reverse(group.bytes), **key)
        });
        page.gap();
        let id = match self.by {
            GroupBy::Host => "groups-by-host",
            GroupBy::Port => "groups-by-port",
            GroupBy::Cause => "groups-by-cause",
        };
        let args = Args::new().number("count", self.found.len() as u64);
        page.wrapped(&catalogue.text(id, &args), 0, BOLD);
        let columns = ["group", "connections", "bytes", "retransmitted", "longest", "most-lost", "limit"];
        // Where there is no room the column that matters least goes first; that of the order stays.
        let ordering = match overview.order {
            Order::Saving => "most-lost",
            Order::Bytes => "bytes",
            Order::Time => "longest",
            Order::Retransmissions => "retransmitted",
        };
        let expendable = ["longest", "retransmitted", "bytes", "limit", "most-lost", "connections"]
            .into_iter()
            .filter(|&c| c != ordering);
        let expendable: Vec<_> = expendable.collect();
        let names: Vec<_> = sorted.iter().take(overview.top()).map(|(key, _)| name(wording, **key)).collect();
        for dropped in 0..=expendable.len() {
            let is_last = dropped == expendable.len();
            let is_shown = |column: usize| !expendable[..dropped].contains(&columns[column]);
            let titles = columns.iter().enumerate().filter(|&(i, _)| is_shown(i));
            let titles: Vec<_> = titles.map(|(_, c)| catalogue.word(&format!("column-{c}"))).collect();
            let groups: Vec<_> = sorted.iter().take(overview.top()).collect();
            let made = |first: &dyn Fn(&GroupName) -> String| {
                let mut table = Table::new(titles.clone());
                for ((_, group), name) in groups.iter().zip(&names) {
                    let cells = [
                        first(name),
                        units.count(group.connections),
                        units.bytes(group.bytes),
                        units.bytes(group.retransmitted),
                        units.nanos(group.nanos),
                        saving(units, group.most_lost, group.is_predicted),
                        held_back_by(wording, group),
                    ];
                    let shown = cells.into_iter().enumerate().filter(|&(i, _)| is_shown(i));
                    table.push(shown.map(|(_, cell)| cell).collect());
                }
                let lines: Vec<_> = table.lines().map(|line| page.look().signs(&line).into_owned()).collect();
                let widest = lines.iter().map(|line| line.width()).max().unwrap_or_default();
                (lines, widest)
            };
            let (mut lines, widest) = made(&GroupName::whole);
            let excess = widest.saturating_sub(page.look().width);
            if excess > 0 {
                // Names are cut before columns go, as long as they can be recognised; addresses stay.
                let widest_name = names.iter().map(GroupName::width).max().unwrap_or_default();
                let room = widest_name.saturating_sub(excess);
                let is_readable = names.iter().all(|name| name.readable_width() <= room);
                if !is_last && !is_readable {
                    continue;
                }
                (lines, _) = made(&|name| name.within(page.look(), room));
            }
            for (row, line) in lines.iter().enumerate() {
                let line = if row == 0 { page.styled(line, DIM) } else { line.clone() };
                page.raw(&line);
            }
            let is_bound = |group: &Group| group.most_lost > 0 && !group.is_predicted;
            if !expendable[..dropped].contains(&"most-lost")
                && sorted.iter().take(overview.top()).any(|(_, group)| is_bound(group))
            {
                page.wrapped(&catalogue.word("saving-upper-bound"), 2, DIM);
            }
            break;
        }
        let more = sorted.len().saturating_sub(overview.top()) as u64;
        if more > 0 || self.others > 0 {
            page.wrapped(&catalogue.text("groups-more", &Args::new().number("count", more)), 2, DIM);
        }
    }
}

/// The end that was asked; where the handshake was not captured, the one of the lower port.
fn server(connection: &Connection) -> Endpoint {
    let [a, b] = connection.endpoints;
    match connection.initiator {
        Some(client) => connection.endpoints[client.peer().index()],
        None if b.port < a.port => b,
        None => a,
    }
}

/// What a group is called.
enum GroupName {
    Host(Named),
    Word(String),
}

impl GroupName {
    fn whole(&self) -> String {
        match self {
            Self::Host(named) => named.to_string(),
            Self::Word(word) => word.clone(),
        }
    }

    fn within(&self, look: Look, width: usize) -> String {
        match self {
            Self::Host(named) => named.within(look, width),
            Self::Word(word) => word.clone(),
        }
    }

    fn width(&self) -> usize {
        match self {
            Self::Host(named) => named.width(),
            Self::Word(word) => word.width(),
        }
    }

    /// Columns in which it can be recognised.
    fn readable_width(&self) -> usize {
        match self {
            Self::Host(named) => named.width().min(named.address().width() + Named::READABLE),
            Self::Word(word) => word.width(),
        }
    }
}

fn name(wording: Wording<'_>, key: Key) -> GroupName {
    GroupName::Word(match key {
        Key::Host(address) => match wording.catalogue().names() {
            Some(names) => return GroupName::Host(names.host(address)),
            None => address.to_string(),
        },
        Key::Port(port) => port.to_string(),
        Key::Cause(None) => wording.catalogue().word("table-nothing"),
        Key::Cause(Some(limit)) => wording.limit(Limit::ALL[limit]),
    })
}

/// The limit that cost the group most.
fn held_back_by(wording: Wording<'_>, group: &Group) -> String {
    let most = Limit::ALL.into_iter().max_by_key(|&l| group.by_limit[l as usize]);
    match most.filter(|&l| group.by_limit[l as usize] > 0) {
        Some(limit) => wording.limit(limit),
        None => wording.catalogue().word("table-nothing"),
    }
}
