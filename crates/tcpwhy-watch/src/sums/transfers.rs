//! Which sockets are the two ends of one connection.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::net::IpAddr;

use tcpwhy_model::Limit;
use tcpwhy_model::host::SocketAddress;

use super::end::End;
use crate::thresholds::SEEN_TOGETHER;

/// A connection by the places of its ends in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transfer {
    /// The end whose seconds count. It lost most time, or has seen most where nothing was lost.
    pub speaker: usize,
    /// The other end, where it is in the list too.
    pub other: Option<usize>,
}

/// Address and port in one form, whatever socket they come from.
type Place = (IpAddr, u16);

/// Both ends of a connection have the same pair of places.
fn place(end: &SocketAddress) -> Option<Place> {
    Some((end.address?.to_canonical(), end.port?))
}

/// The connections of `ends`. Two sockets are the ends of one if each one's address is the other's peer, and
/// both were there at the same time. A loopback address never leaves its network namespace; others may
/// connect two namespaces of this host. The order of `ends` changes only the places.
pub fn transfers(ends: &[End]) -> Vec<Transfer> {
    let mut alone: Vec<usize> = Vec::new();
    let mut mirrored: BTreeMap<[Place; 2], [Vec<usize>; 2]> = BTreeMap::new();
    for (index, end) in ends.iter().enumerate() {
        match (place(&end.local), place(&end.peer)) {
            (Some(local), Some(peer)) if local < peer => mirrored.entry([local, peer]).or_default()[0].push(index),
            (Some(local), Some(peer)) if local > peer => mirrored.entry([peer, local]).or_default()[1].push(index),
            _ => alone.push(index),
        }
    }
    let mut found: Vec<Transfer> = alone.iter().map(|&speaker| Transfer { speaker, other: None }).collect();
    for ([low, high], sides) in mirrored {
        let is_loopback = low.0.is_loopback() || high.0.is_loopback();
        found.extend(matched(ends, sides, is_loopback));
    }
    found
}

/// Pairs sockets of both sides of one pair of places, within a namespace first.
fn matched(ends: &[End], sides: [Vec<usize>; 2], is_loopback: bool) -> Vec<Transfer> {
    let mut by_namespace: BTreeMap<u64, [Vec<usize>; 2]> = BTreeMap::new();
    for (side, indices) in sides.into_iter().enumerate() {
        for index in indices {
            by_namespace.entry(ends[index].key.namespace).or_default()[side].push(index);
        }
    }
    let mut found = Vec::new();
    let mut left: [Vec<usize>; 2] = Default::default();
    for sides in by_namespace.into_values() {
        for (side, index) in in_turn(ends, sides, &mut found) {
            left[side].push(index);
        }
    }
    let left = if is_loopback {
        left.into_iter().flatten().collect()
    } else {
        in_turn(ends, left, &mut found).into_iter().map(|(_, index)| index).collect::<Vec<_>>()
    };
    found.extend(left.into_iter().map(|speaker| Transfer { speaker, other: None }));
    found
}

/// Pairs sockets in the order in which they were seen first: a port that is used again makes a new
/// connection. Returns sockets without a partner, with their side.
fn in_turn(ends: &[End], mut sides: [Vec<usize>; 2], found: &mut Vec<Transfer>) -> Vec<(usize, usize)> {
    for side in &mut sides {
        side.sort_by_key(|&index| Reverse((ends[index].seen, ends[index].key)));
    }
    let [lows, highs] = &mut sides;
    let mut left = Vec::new();
    while let (Some(&low), Some(&high)) = (lows.last(), highs.last()) {
        let [of_low, of_high] = [low, high].map(|index| ends[index].seen);
        if of_low[1].since(of_high[0]) < -SEEN_TOGETHER {
            left.extend(lows.pop().map(|index| (0, index)));
        } else if of_high[1].since(of_low[0]) < -SEEN_TOGETHER {
            left.extend(highs.pop().map(|index| (1, index)));
        } else {
            lows.pop();
            highs.pop();
            found.push(pair(ends, low, high));
        }
    }
    left.extend(lows.iter().map(|&index| (0, index)).chain(highs.iter().map(|&index| (1, index))));
    left
}

fn pair(ends: &[End], low: usize, high: usize) -> Transfer {
    let said = |index: usize| {
        let tally = &ends[index].tally;
        let seen = tally.watched() - tally.under(|cause| cause.limit == Limit::Unobserved);
        (tally.lost(), seen, Reverse(ends[index].key))
    };
    let [speaker, other] = if said(low) >= said(high) { [low, high] } else { [high, low] };
    Transfer { speaker, other: Some(other) }
}
