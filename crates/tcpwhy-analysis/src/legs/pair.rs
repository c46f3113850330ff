//! Pairs of connections that are the two legs of a relayed connection.

use std::cmp::Reverse;

use super::leg::Leg;
use super::places::Places;

/// Returns outer and inner legs that belong together and to no other leg, in the order of `legs`: the largest
/// comes first.
pub(super) fn pairs<'a>(legs: &[&'a Leg]) -> Vec<[&'a Leg; 2]> {
    debug_assert!(legs.is_sorted_by_key(|leg| Reverse(leg.largest())));
    let places = Places::of(legs);
    let at_relay: Vec<_> = (0..legs.len()).map(|outer| places.inners_at_relay(outer)).collect();
    let mut pairs = unique(&at_relay);
    // Legs that end at two hosts, with a tunnel between them.
    let mut is_free = at_relay.iter().map(Vec::is_empty).collect::<Vec<_>>();
    at_relay.iter().flatten().for_each(|&inner| is_free[inner] = false);
    let through_tunnel = |outer: usize| {
        if !is_free[outer] {
            return Vec::new();
        }
        let mut found = places.inners_through_tunnel(outer);
        found.retain(|&inner| is_free[inner]);
        found
    };
    let through_tunnel: Vec<_> = (0..legs.len()).map(through_tunnel).collect();
    pairs.extend(unique(&through_tunnel));
    pairs.sort_unstable();
    pairs.into_iter().map(|places| places.map(|place| legs[place])).collect()
}

/// Returns outer legs with exactly one inner leg, which is not the inner leg of any other.
pub(super) fn unique(inners: &[Vec<usize>]) -> Vec<[usize; 2]> {
    let mut outers = vec![0_u32; inners.len()];
    inners.iter().flatten().for_each(|&inner| outers[inner] += 1);
    let one = |(outer, inners): (usize, &Vec<usize>)| match inners[..] {
        [inner] if outers[inner] == 1 => Some([outer, inner]),
        _ => None,
    };
    inners.iter().enumerate().filter_map(one).collect()
}
