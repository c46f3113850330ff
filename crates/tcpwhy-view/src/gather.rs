//! The second look at the packets: of a few connections only, in full.

use hashbrown::HashMap;
use tcpwhy_analysis::{Connection, Tracer};
use tcpwhy_model::live::SocketPoint;
use tcpwhy_model::{Endpoint, Segment, Timestamp};

use crate::chart::{Budget, Recorder, Recording, Seed};

/// A four-tuple regardless of direction.
type Flow = (Endpoint, Endpoint);

fn flow_of(segment: &Segment) -> Flow {
    let (a, b) = (segment.source, segment.destination);
    if a <= b { (a, b) } else { (b, a) }
}

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
    pub stop_at_end: bool,
    /// Ports of its ends, where a chart shows the kernel's samples of its sockets.
    pub ports: Option<[u16; 2]>,
}

impl Wanted {
    /// All of `connection`.
    pub fn whole(connection: &Connection, budget: Budget) -> Self {
        Self {
            first_packet: connection.first_packet,
            start: connection.span.start(),
            stretch: None,
            budget,
            stop_at_end: false,
            ports: connection.kernel.as_ref().map(|_| connection.endpoints.map(|end| end.port)),
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
    /// All of it was looked at, and not only a stretch.
    pub is_whole: bool,
    /// Half-way states, if they were asked for, the earliest first.
    pub snapshots: Vec<Snapshot>,
}

impl Recorded {
    /// Adds the kernel's samples of the sockets at both ends.
    pub fn add_sockets(&mut self, points: [Vec<SocketPoint>; 2]) {
        for (half, points) in self.recording.halves.iter_mut().zip(points) {
            half.socket = points;
        }
    }
}

/// A connection half way, to go on from without looking at all packets before.
#[derive(Clone, Debug)]
pub struct Snapshot {
    key: Flow,
    /// Packets of the source up to the last that it knows of.
    passed: u64,
    time: i64,
    tracer: Tracer,
    seed: Seed,
}

impl Snapshot {
    /// When it was made, nanoseconds since the epoch.
    pub fn time(&self) -> i64 {
        self.time
    }
}

/// Records wanted connections out of all packets of a source.
pub struct Gatherer {
    /// By number and time of the first packet: those that have not come yet.
    awaited: HashMap<(u64, i64), usize>,
    flows: HashMap<Flow, Vec<usize>>,
    all: Vec<Subject>,
    /// Those that may still get packets.
    open: usize,
    /// Packets of the source so far, and how many of them are known already.
    passed: u64,
    known: u64,
    /// Packets of a connection between two snapshots; 0: none are made.
    snapshot_every: u64,
    reads_to_end: bool,
    /// Ports of the connections whose sockets are charted.
    ports: Vec<[u16; 2]>,
}

struct Subject {
    tracer: Tracer,
    recorder: Recorder,
    /// When what is wanted of it has passed.
    end: i64,
    is_done: bool,
    /// No stretch of it is wanted.
    is_whole: bool,
    packets: u64,
    snapshots: Vec<Snapshot>,
    /// How often every other snapshot was given up.
    thinned: u32,
}

impl Subject {
    fn new(wanted: &Wanted) -> Self {
        let recorder = match wanted.stretch {
            Some((from, to)) => Recorder::new(wanted.start, from, to, wanted.budget),
            None => Recorder::whole(wanted.start, wanted.budget),
        };
        let end = match wanted.stretch {
            // A second beyond, for captures out of order.
            Some((_, to)) if wanted.stop_at_end => {
                wanted.start.as_nanos().saturating_add(to).saturating_add(1_000_000_000)
            }
            _ => i64::MAX,
        };
        Self {
            tracer: Tracer::new(wanted.first_packet, wanted.start),
            recorder,
            end,
            is_done: false,
            is_whole: wanted.stretch.is_none(),
            packets: 0,
            snapshots: Vec::new(),
            thinned: 0,
        }
    }

    /// Adds a snapshot; of too many, every other is given up, and they come half as often from then on.
    fn keep(&mut self, snapshot: Snapshot) {
        /// Some tens of megabytes.
        const MOST: usize = 128;
        if self.snapshots.len() >= MOST {
            let mut keep = true;
            self.snapshots.retain(|_| {
                keep = !keep;
                keep
            });
            self.thinned += 1;
        }
        self.snapshots.push(snapshot);
        debug_assert!(self.snapshots.len() <= MOST, "{} snapshots", self.snapshots.len());
    }
}

impl Gatherer {
    /// For these connections.
    pub fn new(wanted: &[Wanted]) -> Self {
        Self {
            awaited: wanted.iter().enumerate().map(|(i, w)| ((w.first_packet, w.start.as_nanos()), i)).collect(),
            flows: HashMap::new(),
            all: wanted.iter().map(Subject::new).collect(),
            open: wanted.len(),
            passed: 0,
            known: 0,
            snapshot_every: 0,
            reads_to_end: false,
            ports: wanted.iter().filter_map(|wanted| wanted.ports).collect(),
        }
    }

    /// For one connection, from a snapshot of it on, which was made of the same source.
    pub fn resume(wanted: &Wanted, snapshot: &Snapshot) -> Self {
        let mut this = Self::new(&[*wanted]);
        this.awaited.clear();
        this.flows.insert(snapshot.key, vec![0]);
        this.known = snapshot.passed;
        this.all[0].tracer = snapshot.tracer.clone();
        this.all[0].recorder.resume_from(&snapshot.seed);
        this
    }

    /// Makes a snapshot of each connection every so many of its packets.
    #[must_use]
    pub fn with_snapshots(mut self, every: u64) -> Self {
        self.snapshot_every = every;
        self
    }

    /// Asks for all of the source, also when no later packet can matter: what a kernel says of a connection follows its packets.
    #[must_use]
    pub(crate) fn reading_to_end(mut self) -> Self {
        self.reads_to_end = true;
        self
    }

    /// Whether what a kernel says is wanted too, in [`Recorded::connection`].
    pub fn wants_kernel(&self) -> bool {
        self.reads_to_end
    }

    /// Ports of the connections whose sockets are wanted over time, for [`Recorded::add_sockets`].
    pub fn charted_ports(&self) -> &[[u16; 2]] {
        &self.ports
    }

    /// Takes the next segments of the source; false when no later one can matter.
    pub fn observe_all(&mut self, batch: &[Segment]) -> bool {
        batch.iter().all(|segment| self.observe(segment))
    }

    /// Takes the next segment of the source; false when no later one can matter.
    pub fn observe(&mut self, segment: &Segment) -> bool {
        self.passed += 1;
        if self.passed <= self.known {
            return true;
        }
        if self.open == 0 {
            // A kernel's last word follows the last packet.
            return self.reads_to_end || !self.ports.is_empty();
        }
        let key = flow_of(segment);
        if let Some(index) = self.awaited.remove(&(segment.number, segment.timestamp.as_nanos())) {
            self.flows.entry(key).or_default().push(index);
        }
        let Some(indices) = self.flows.get(&key) else { return true };
        for &index in indices {
            let subject = &mut self.all[index];
            if subject.is_done {
                continue;
            }
            if let Some(packet) = subject.tracer.observe(segment) {
                subject.recorder.push(&packet, segment);
                subject.packets += 1;
                if self.snapshot_every > 0 && subject.packets.is_multiple_of(self.snapshot_every << subject.thinned) {
                    let (tracer, seed) = (subject.tracer.clone(), subject.recorder.seed());
                    let time = packet.time.as_nanos();
                    subject.keep(Snapshot { key, passed: self.passed, time, tracer, seed });
                }
            }
            if subject.tracer.is_over() || segment.timestamp.as_nanos() > subject.end {
                subject.is_done = true;
                self.open -= 1;
            }
        }
        true
    }

    /// What was recorded, in the order of the wanted; `None` for a connection that did not come.
    pub fn finish(self) -> Vec<Option<Recorded>> {
        let recorded = self.all.into_iter().map(|subject| {
            let connection = subject.tracer.finish()?;
            let Subject { recorder, snapshots, is_whole, .. } = subject;
            Some(Recorded { recording: recorder.finish(), connection, is_whole, snapshots })
        });
        recorded.collect()
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::script;

    use super::*;

    #[test]
    fn what_follows_the_packets_is_read_where_it_is_wanted() {
        let segments = script(" 0.000 > S 0:0(0) <mss 1460>").segments;
        assert!(!Gatherer::new(&[]).observe(&segments[0]));
        assert!(Gatherer::new(&[]).reading_to_end().observe(&segments[0]));
    }
}
