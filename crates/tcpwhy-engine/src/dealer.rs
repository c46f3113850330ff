use std::ops::Range;

use tcpwhy_analysis::{FlowHash, FlowHasher};
use tcpwhy_model::Segment;

/// The range of a batch that one part of the connections gets.
pub(crate) type Share = Range<usize>;

/// Segments with the hashes of their flows.
///
/// They are stored in the order in which they are analysed, so that the processor can prefetch them.
/// Gathering them from all over the batch took a tenth of the time.
#[derive(Clone, Default)]
pub(crate) struct Batch {
    segments: Vec<Segment>,
    hashes: Vec<FlowHash>,
    now: i64,
}

impl Batch {
    /// A time that the capture had certainly reached before the first segment of the batch, nanoseconds.
    pub(crate) fn now(&self) -> i64 {
        self.now
    }

    /// The segments of a share.
    pub(crate) fn share(&self, share: Share) -> impl Iterator<Item = (FlowHash, &Segment)> {
        let hashes = self.hashes.get(share.clone()).unwrap_or_default();
        hashes.iter().copied().zip(self.segments.get(share).unwrap_or_default())
    }
}

/// Deals batches, and groups the segments of each flow, so that its state is fetched from memory once per
/// batch. Connections do not influence each other, so only the order within each matters.
#[derive(Default)]
pub(crate) struct Dealer {
    hasher: FlowHasher,
    hashes: Vec<FlowHash>,
    /// For each bucket of flows, first its number of segments, then the index of its next segment. Buckets of
    /// a part are adjacent.
    buckets: Vec<u32>,
    /// Index of the segment for each place.
    order: Vec<u32>,
}

impl Dealer {
    /// Number of buckets: more than the flows in most batches.
    const BUCKETS: usize = 4096;

    pub(crate) fn new(hasher: FlowHasher) -> Self {
        Self { hasher, ..Self::default() }
    }

    /// Moves `segments`, fewer than 2³², to `batch`, and returns one share per part. With one part they stay
    /// in order. The content of `segments` afterwards is undefined. `now` is as in [`Batch::now`].
    pub(crate) fn deal(
        &mut self,
        segments: &mut Vec<Segment>,
        now: i64,
        parts: usize,
        batch: &mut Batch,
    ) -> Vec<Share> {
        batch.now = now;
        self.hashes.clear();
        self.hashes.extend(segments.iter().map(|segment| self.hasher.hash(segment)));
        let mut shares = Vec::new();
        if parts == 1 {
            shares.push(0..segments.len());
        } else {
            self.sort();
            let mut start = 0;
            for part in 1..=parts {
                // After sorting, each bucket contains the index of its end.
                let last = (part * Self::BUCKETS / parts).saturating_sub(1);
                let end = self.buckets[last] as usize;
                shares.push(start..end);
                start = end;
            }
        }
        if parts == 1 || self.order.iter().copied().eq(0..segments.len() as u32) {
            std::mem::swap(&mut batch.segments, segments);
            std::mem::swap(&mut batch.hashes, &mut self.hashes);
        } else {
            batch.segments.clear();
            batch.segments.extend(self.order.iter().map(|&place| segments[place as usize]));
            batch.hashes.clear();
            batch.hashes.extend(self.order.iter().map(|&place| self.hashes[place as usize]));
        }
        shares
    }

    /// Counting sort by bucket. Segments of one bucket keep their order.
    fn sort(&mut self) {
        self.buckets.clear();
        self.buckets.resize(Self::BUCKETS, 0);
        for hash in &self.hashes {
            self.buckets[hash.shard(Self::BUCKETS)] += 1;
        }
        let mut start = 0;
        for bucket in &mut self.buckets {
            start += std::mem::replace(bucket, start);
        }
        self.order.clear();
        self.order.resize(self.hashes.len(), 0);
        for (place, hash) in (0..).zip(&self.hashes) {
            let next = &mut self.buckets[hash.shard(Self::BUCKETS)];
            self.order[*next as usize] = place;
            *next += 1;
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
        let all: Vec<Segment> = (0..1000_u64)
            .map(|number| {
                let mut segment = one;
                segment.number = number;
                segment.source.port = 1000 + (number * number % 97) as u16;
                segment
            })
            .collect();
        let mut dealer = Dealer::default();
        for _ in 0..2 {
            let (mut read, mut batch) = (all.clone(), Batch::default());
            let shares = dealer.deal(&mut read, 0, 3, &mut batch);
            assert!(shares.iter().all(|s| !s.is_empty()));
            assert!(shares.iter().flat_map(|s| batch.share(s.clone())).all(|(h, s)| h == dealer.hasher.hash(s)));
            let shares: Vec<Vec<&Segment>> =
                shares.into_iter().map(|s| batch.share(s).map(|(_, segment)| segment).collect()).collect();
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

    #[test]
    fn one_part_gets_all_in_order_and_one_flow_stays_in_order() {
        let one = script("0.000 > S 0:0(0)").segments[0];
        let flow: Vec<Segment> = (0..100).map(|number| Segment { number, ..one }).collect();
        let mut flows = flow.clone();
        for (segment, port) in flows.iter_mut().zip([1, 2].into_iter().cycle()) {
            segment.source.port = port;
        }
        let mut dealer = Dealer::default();
        for (segments, parts) in [(&flows, 1), (&flow, 4)] {
            let mut batch = Batch::default();
            let shares = dealer.deal(&mut segments.clone(), 0, parts, &mut batch);
            assert_eq!(shares.len(), parts);
            let dealt: Vec<Segment> = shares.into_iter().flat_map(|s| batch.share(s)).map(|(_, s)| *s).collect();
            assert_eq!(&dealt, segments);
        }
    }
}
