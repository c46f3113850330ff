//! Search for the inner legs of an outer leg without a comparison of every leg with every other.

use std::collections::BTreeMap;
use std::net::IpAddr;

use tcpwhy_model::{Endpoint, Timestamp};

use super::leg::Leg;

/// Number of later legs that are compared with an outer leg. A relay opens the inner leg soon after the outer
/// one. Chosen: more than relays open while one connection waits for its inner leg.
const MOST_COMPARED: usize = 256;
/// The search stops at two candidates, because two are ambiguous.
const MOST_FOUND: usize = 2;

/// Legs by place and time of their beginning. A leg is identified by its index in the list that this was
/// built from.
pub(super) struct Places<'a> {
    legs: &'a [&'a Leg],
    /// Legs by the address of their client.
    by_client: BTreeMap<IpAddr, Group>,
    /// Legs that were captured at their client.
    near_client: Group,
    all: Group,
    /// Connections by their two hosts, the lower address first.
    tunnels: BTreeMap<[IpAddr; 2], Tunnels>,
    /// Number of legs that were compared with an outer leg.
    #[cfg(test)]
    compared: std::cell::Cell<usize>,
    /// Up to two other hosts per server to which a connection leads from the server, and from which a leg
    /// leads to another server.
    beyond: BTreeMap<Endpoint, Vec<IpAddr>>,
}

/// Legs in the order in which they began.
#[derive(Default)]
struct Group {
    starts: Vec<(Timestamp, usize)>,
    /// The longest round trip of any of them, nanoseconds.
    rtt: i64,
    /// Server of all legs; `None` if there is more than one.
    only_server: Option<Endpoint>,
}

/// Connections between two hosts, in the order in which they began. Each has the latest end of all
/// connections up to it.
#[derive(Default)]
struct Tunnels(Vec<(Timestamp, Timestamp)>);

impl<'a> Places<'a> {
    pub(super) fn of(legs: &'a [&'a Leg]) -> Self {
        let mut by_client: BTreeMap<IpAddr, Group> = BTreeMap::new();
        let mut tunnels: BTreeMap<[IpAddr; 2], Tunnels> = BTreeMap::new();
        let mut neighbours: BTreeMap<IpAddr, Vec<IpAddr>> = BTreeMap::new();
        let (mut near_client, mut all) = (Group::default(), Group::default());
        for (place, leg) in legs.iter().enumerate() {
            by_client.entry(leg.client.address).or_default().add(place, leg);
            all.add(place, leg);
            if leg.near == Some(leg.client) {
                near_client.add(place, leg);
            }
            tunnels.entry(hosts(leg)).or_default().0.push((leg.span.start(), leg.span.end()));
        }
        by_client.values_mut().chain([&mut near_client, &mut all]).for_each(|group| group.starts.sort_unstable());
        tunnels.values_mut().for_each(Tunnels::order);
        for &[one, other] in tunnels.keys() {
            neighbours.entry(one).or_default().push(other);
            neighbours.entry(other).or_default().push(one);
        }
        let mut beyond: BTreeMap<Endpoint, Vec<IpAddr>> = BTreeMap::new();
        for leg in legs {
            beyond.entry(leg.server).or_insert_with(|| {
                let leads_on =
                    |host: &&IpAddr| by_client.get(*host).is_some_and(|group| group.only_server != Some(leg.server));
                let hosts = neighbours.get(&leg.server.address).into_iter().flatten();
                hosts.filter(leads_on).take(2).copied().collect()
            });
        }
        Self {
            legs,
            by_client,
            near_client,
            all,
            tunnels,
            #[cfg(test)]
            compared: std::cell::Cell::default(),
            beyond,
        }
    }

    /// Returns up to two legs that may forward the data of `outer` and begin where it ends. They begin at one
    /// address, or at the host of the capture, which may have an address on each side.
    pub(super) fn inners_at_relay(&self, outer: usize) -> Vec<usize> {
        let leg = self.legs[outer];
        let mut found = match self.by_client.get(&leg.server.address) {
            Some(group) => self.inners(outer, group, |_| true),
            None => Vec::new(),
        };
        if leg.near == Some(leg.server) {
            let is_new = |inner: usize| self.legs[inner].client.address != leg.server.address;
            found.extend(self.inners(outer, &self.near_client, is_new));
        }
        found
    }

    /// Returns the same for legs that begin at another host, to which a connection leads from the end of
    /// `outer`.
    pub(super) fn inners_through_tunnel(&self, outer: usize) -> Vec<usize> {
        let leg = self.legs[outer];
        // A client's own connections do not lead to another leg, so many legs between two hosts need no
        // comparison.
        if !self.beyond.get(&leg.server).is_some_and(|hosts| hosts.iter().any(|&host| host != leg.client.address)) {
            return Vec::new();
        }
        let has_tunnel = |inner: usize| {
            let inner = self.legs[inner];
            let hosts = in_order(leg.server.address, inner.client.address);
            inner.client.address != leg.client.address
                && self.tunnels.get(&hosts).is_some_and(|tunnels| tunnels.may_carry(inner))
        };
        self.inners(outer, &self.all, has_tunnel)
    }

    /// Returns up to two legs of `group` that may forward the data of `outer`.
    fn inners(&self, outer: usize, group: &Group, may_be: impl Fn(usize) -> bool) -> Vec<usize> {
        let leg = self.legs[outer];
        let end = leg.span.end().plus(leg.rtt.max(group.rtt));
        let first = group.starts.partition_point(|&(start, _)| start < leg.span.start());
        let later = group.starts[first..].iter().take_while(|&&(start, _)| start <= end).map(|&(_, inner)| inner);
        let is_inner = |&inner: &usize| {
            #[cfg(test)]
            self.compared.update(|count| count + 1);
            leg.encloses(self.legs[inner]) && may_be(inner)
        };
        later.take(MOST_COMPARED).filter(is_inner).take(MOST_FOUND).collect()
    }
}

impl Group {
    fn add(&mut self, place: usize, leg: &Leg) {
        let is_first = self.starts.is_empty();
        self.only_server =
            if is_first { Some(leg.server) } else { self.only_server.filter(|&only| only == leg.server) };
        self.starts.push((leg.span.start(), place));
        self.rtt = self.rtt.max(leg.rtt);
    }
}

impl Tunnels {
    fn order(&mut self) {
        self.0.sort_unstable();
        let mut latest = None;
        for (_, end) in &mut self.0 {
            latest = latest.max(Some(*end));
            *end = latest.unwrap_or(*end);
        }
    }

    /// Whether the data of `leg` may have passed through one of the tunnels.
    fn may_carry(&self, leg: &Leg) -> bool {
        let earlier = self.0.partition_point(|&(start, _)| start <= leg.span.start());
        earlier.checked_sub(1).is_some_and(|last| leg.data_end() <= Some(self.0[last].1))
    }
}

/// Returns the hosts of a leg, the lower address first.
fn hosts(leg: &Leg) -> [IpAddr; 2] {
    in_order(leg.client.address, leg.server.address)
}

fn in_order(one: IpAddr, other: IpAddr) -> [IpAddr; 2] {
    [one.min(other), one.max(other)]
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use tcpwhy_model::Span;
    use tcpwhy_testkit::Transfer;

    use super::super::pair::pairs;
    use super::*;
    use crate::Analyzer;

    /// A leg of 200 kB between these hosts and ports, `millis` milliseconds later than the first.
    fn leg(base: &Leg, [client, server]: [(u32, u16); 2], millis: usize) -> Leg {
        let end =
            |(host, port): (u32, u16)| Endpoint { address: IpAddr::from((0x0a00_0000 + host).to_be_bytes()), port };
        let later = |time: Timestamp| time.plus(millis as i64 * 1_000_000);
        let mut leg = base.clone();
        (leg.client, leg.server) = (end(client), end(server));
        leg.span = Span::new(later(leg.span.start()), later(leg.span.end()));
        leg.ways.iter_mut().for_each(|way| way.end = way.end.map(later));
        leg
    }

    fn base() -> Leg {
        let mut analyzer = Analyzer::new();
        Transfer { bytes: 200_000, ..Transfer::default() }.run().iter().for_each(|segment| analyzer.observe(segment));
        let mut leg = Leg::of(&analyzer.finish()[0]).unwrap();
        leg.near = None;
        leg
    }

    /// A name, the pairs per group (if known), and a function for the legs of a group.
    type Kind<'a> = (&'a str, Option<usize>, &'a dyn Fn(usize) -> Vec<Leg>);

    /// Returns the comparisons per leg, and the pairs found.
    fn cost(legs: &[Leg]) -> (f64, usize) {
        let legs: Vec<&Leg> = legs.iter().collect();
        let places = Places::of(&legs);
        for outer in 0..legs.len() {
            places.inners_at_relay(outer);
            places.inners_through_tunnel(outer);
        }
        (places.compared.get() as f64 / legs.len() as f64, pairs(&legs).len())
    }

    #[test]
    fn the_cost_of_a_leg_does_not_grow_with_the_others() {
        let base = base();
        let between = |from, to, millis| leg(&base, [from, to], millis);
        let port = |n: usize| 10_000 + (n % 50_000) as u16;
        let server = (1, 80);
        let kinds: [Kind; 7] = [
            ("one client, one server, one time", Some(0), &|n| vec![between((2, port(n)), server, 0)]),
            ("many clients, one server", Some(0), &|n| vec![between((2 + n as u32, 9), server, n)]),
            ("one client, many servers", Some(0), &|n| vec![between((1, port(n)), (2 + n as u32, 80), n)]),
            ("two servers of many clients", Some(0), &|n| {
                vec![between((3 + n as u32, 9), server, 0), between((3 + n as u32, 9), (2, 80), 0)]
            }),
            ("everybody with everybody", None, &|n| {
                let host = |n: usize| 1 + (n as u32).wrapping_mul(2_654_435_761) % 50;
                vec![between((host(n), port(n)), (host(n + 1), 80), n)]
            }),
            ("a relay, one after the other", Some(1), &|n| {
                vec![between((2, port(n)), server, n * 5_000), between((1, port(n)), (3, 80), n * 5_000 + 1)]
            }),
            ("a relay, all at once", Some(0), &|n| {
                vec![between((2, port(n)), server, 0), between((1, port(n)), (3, 80), 1)]
            }),
        ];
        for (kind, each, legs) in kinds {
            let [small, large] = [500, 5_000].map(|count| {
                let legs: Vec<Leg> = (0..count).flat_map(legs).collect();
                let (compared, found) = cost(&legs);
                assert!(each.is_none_or(|each| found == each * count), "{kind}: {found} pairs");
                compared
            });
            assert!(large <= 1.3 * small.max(1.0) && large <= 2.0 * MOST_COMPARED as f64, "{kind}: {small}, {large}");
        }
    }
}
