//! Connections that have something in common.

use tcpwhy_analysis::{Group, GroupBy, GroupKey, Groups};
use unicode_width::UnicodeWidthStr as _;

use super::Order;
use super::look::Look;
use super::page::Page;
use super::palette::{BOLD, DIM};
use super::table::saving;
use super::{Overview, Table};
use crate::names::Named;
use crate::{Args, Wording};

pub(super) fn write(page: &mut Page, wording: Wording<'_>, overview: &Overview, groups: &Groups) {
    let catalogue = wording.catalogue();
    let units = wording.units();
    let sorted = groups.ranked(overview.order);
    page.gap();
    let id = match groups.by() {
        GroupBy::Host => "groups-by-host",
        GroupBy::Port => "groups-by-port",
        GroupBy::Cause => "groups-by-cause",
    };
    let args = Args::new().number("count", sorted.len() as u64);
    page.wrapped(&catalogue.text(id, &args), 0, BOLD);
    let columns = ["group", "connections", "bytes", "retransmitted", "longest", "most-lost", "limit"];
    // If there is no room, the least important column is dropped first; the column of the order stays.
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
    let names: Vec<_> = sorted.iter().take(overview.top()).map(|(key, _)| name(wording, *key)).collect();
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
            // Names are cut before columns are dropped, as long as they can be recognized; addresses stay.
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
    if more > 0 || groups.others() > 0 {
        page.wrapped(&catalogue.text("groups-more", &Args::new().number("count", more)), 2, DIM);
    }
}

/// The name of a group.
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

    /// Width in which it can be recognized, columns.
    fn readable_width(&self) -> usize {
        match self {
            Self::Host(named) => named.width().min(named.address().width() + Named::READABLE),
            Self::Word(word) => word.width(),
        }
    }
}

fn name(wording: Wording<'_>, key: GroupKey) -> GroupName {
    GroupName::Word(match key {
        GroupKey::Host(address) => match wording.catalogue().names() {
            Some(names) => return GroupName::Host(names.host(address)),
            None => address.to_string(),
        },
        GroupKey::Port(port) => port.to_string(),
        GroupKey::Cause(None) => wording.catalogue().word("table-nothing"),
        GroupKey::Cause(Some(limit)) => wording.limit(limit),
    })
}

/// The limit that cost the group most.
fn held_back_by(wording: Wording<'_>, group: &Group) -> String {
    match group.main_limit() {
        Some(limit) => wording.limit(limit),
        None => wording.catalogue().word("table-nothing"),
    }
}
