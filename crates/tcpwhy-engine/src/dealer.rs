use tcpwhy_analysis::{FlowHash, FlowHasher};
use tcpwhy_model::Segment;

/// What one part of the connections gets of a batch: the hash of a segment's flow and its place in the batch, in the order in
/// which to take them.
pub(crate) type Share = Vec<(FlowHash, u32)>;

/// Shares batches out, and brings together what belongs to one flow: its state is then fetched from memory once in a batch.
/// Connections do not influence each other, so only the order within each matters.
#[derive(Default)]
pub(crate) struct Dealer {
    hasher: FlowHasher,
    hashes: Vec<FlowHash>,
    /// Per bucket of flows: first and last of its chain.
    buckets: Vec<Option<(u32, u32)>>,
    /// Who comes next in the chain.
    next: Vec<u32>,
    /// The buckets in use.
    occupied: Vec<u32>,
}

impl Dealer {
    /// More than there are flows in most batches.
    const BUCKETS: usize = 4096;
    const END: u32 = u32::MAX;

    /// Adds to each of `shares` its segments of `batch`, of fewer than 2³² segments. With one share they stay in order.
    pub(crate) fn deal(&mut self, batch: &[Segment], shares: &mut [Share]) {
        self.hashes.clear();
        self.hashes.extend(batch.iter().map(|segment| self.hasher.hash(segment)));
        if let [only] = shares {
            only.extend(self.hashes.iter().copied().zip(0..));
            return;
        }
        self.chain();
        for bucket in self.occupied.drain(..) {
            let part = bucket as usize % shares.len();
            let Some(share) = shares.get_mut(part) else { return };
            let mut at = self.buckets[bucket as usize].take().map_or(Self::END, |(first, _)| first);
            while let (Some(hash), Some(next)) = (self.hashes.get(at as usize), self.next.get(at as usize)) {
                share.push((*hash, at));
                at = *next;
            }
        }
    }

    /// Chains the segments of each bucket of flows, in order.
    fn chain(&mut self) {
        self.buckets.resize(Self::BUCKETS, None);
        self.next.clear();
        self.next.resize(self.hashes.len(), Self::END);
        for (i, hash) in (0..).zip(&self.hashes) {
            let bucket = hash.shard(Self::BUCKETS);
            match &mut self.buckets[bucket] {
                Some((_, last)) => {
                    self.next[*last as usize] = i;
                    *last = i;
                }
                empty => {
                    *empty = Some((i, i));
                    self.occupied.push(bucket as u32);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tcpwhy_testkit::script;

    #[test]
    fn every_segment_is_dealt_once_and_flows_keep_their_order() {
        let one = script("0.000 > S 0:0(0)").segments[0];
        let batch: Vec<Segment> = (0..1000_u64)
            .map(|number| {
                let mut segment = one;
                segment.number = number;
                segment.source.port = 1000 + (number * number % 97) as u16;
                segment
            })
            .collect();
        let mut dealer = Dealer::default();
        for _ in 0..2 {
            let mut shares = vec![Share::new(); 3];
            dealer.deal(&batch, &mut shares);
            assert!(shares.iter().all(|s| !s.is_empty()));
            let shares: Vec<Vec<&Segment>> =
                shares.iter().map(|s| s.iter().map(|x| &batch[x.1 as usize]).collect()).collect();
            let mut ports: Vec<Vec<u16>> = shares.iter().map(|s| s.iter().map(|x| x.source.port).collect()).collect();
            for part in &mut ports {
                part.sort_unstable();
                part.dedup();
            }
            assert_eq!(ports.iter().map(Vec::len).sum::<usize>(), 49, "a flow in two parts");
            let mut all: Vec<_> = shares.iter().flatten().map(|x| (x.source.port, x.number)).collect();
            let of_a_flow = |port| move |x: &&(u16, u64)| x.0 == port;
            assert!(ports.iter().flatten().all(|&port| all.iter().filter(of_a_flow(port)).is_sorted()));
            all.sort_unstable_by_key(|x| x.1);
            assert!(all.iter().map(|x| x.1).eq(0..1000));
        }
    }
}
