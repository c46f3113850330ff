//! The second look at the packets: of a few connections only, in full.

use hashbrown::HashMap;
use tcpwhy_analysis::{Connection, Tracer};
use tcpwhy_model::{FlowKey, Segment, Timestamp};

use crate::chart::{Budget, Recorder, Recording};

/// A connection to look at again.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Number of its first packet, as [`Connection::first_packet`].
    pub first_packet: u64,
    /// When that was.
    pub start: Timestamp,
    /// The stretch to record, nanoseconds from there; all if `None`.
    pub stretch: Option<(i64, i64)>,
    /// How much to keep.
    pub budget: Budget,
    /// Nothing after the stretch is looked at: sooner done, but largest values and rates are those up to there.
    pub is_hasty: bool,
}

impl Wanted {
    /// All of `connection`.
    pub fn whole(connection: &Connection, budget: Budget) -> Self {
        Self {
            first_packet: connection.first_packet,
            start: connection.span.start(),
            stretch: None,
            budget,
            is_hasty: false,
        }
    }
}

/// A connection looked at again.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// What there is to draw.
    pub recording: Recording,
    /// What the analysis concludes of it, up to where it was looked at; its number is not known here.
    pub connection: Connection,
}

/// Records wanted connections out of all packets of a source.
pub struct Gatherer {
    /// By number and time of the first packet: those that have not come yet.
    awaited: HashMap<(u64, i64), usize>,
    flows: HashMap<FlowKey, Vec<usize>>,
    all: Vec<(Tracer, Recorder)>,
    /// By index: nothing more will be recorded.
    done: Vec<bool>,
    ends: Vec<i64>,
    open: usize,
}

impl Gatherer {
    /// For these connections.
    pub fn new(wanted: &[Wanted]) -> Self {
        let recorder = |w: &Wanted| match w.stretch {
            Some((from, to)) => Recorder::new(w.start, from, to, w.budget),
            None => Recorder::whole(w.start, w.budget),
        };
        Self {
            awaited: wanted.iter().enumerate().map(|(i, w)| ((w.first_packet, w.start.as_nanos()), i)).collect(),
            flows: HashMap::new(),
            all: wanted.iter().map(|w| (Tracer::new(w.first_packet, w.start), recorder(w))).collect(),
            done: vec![false; wanted.len()],
            // A second beyond, for captures out of order.
            ends: wanted
                .iter()
                .map(|w| {
                    w.stretch
                        .map_or(i64::MAX, |(_, to)| w.start.as_nanos().saturating_add(to).saturating_add(1_000_000_000))
                })
                .collect(),
            open: wanted.len(),
        }
    }

    /// Takes the next segment of the source; false when no later one can matter.
    pub fn observe(&mut self, segment: &Segment) -> bool {
        if self.awaited.is_empty() && self.open == 0 {
            return false;
        }
        let key = FlowKey::of(segment);
        if let Some(index) = self.awaited.remove(&(segment.number, segment.timestamp.as_nanos())) {
            self.flows.entry(key).or_default().push(index);
        }
        let Some(indices) = self.flows.get(&key) else { return true };
        for &index in indices {
            if self.done[index] {
                continue;
            }
            let (tracer, recorder) = &mut self.all[index];
            if let Some(packet) = tracer.observe(segment) {
                recorder.push(&packet, segment);
            }
            if tracer.is_over() || segment.timestamp.as_nanos() > self.ends[index] {
                self.done[index] = true;
                self.open -= 1;
            }
        }
        true
    }

    /// What was recorded, in the order of the wanted; `None` for a connection that did not come.
    pub fn finish(self) -> Vec<Option<Recorded>> {
        let recorded = self.all.into_iter().map(|(tracer, recorder)| {
            let connection = tracer.finish()?;
            Some(Recorded { recording: recorder.finish(), connection })
        });
        recorded.collect()
    }
}
