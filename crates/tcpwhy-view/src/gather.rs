//! The second pass over the packets, which records a few connections in full.

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

/// A connection to record.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Number of its first packet, as [`Connection::first_packet`].
    pub first_packet: u64,
    /// Time of that packet.
    pub start: Timestamp,
    /// Stretch to record, in nanoseconds from there; the whole connection if `None`.
    pub stretch: Option<(i64, i64)>,
    /// Size limits of the recording.
    pub budget: Budget,
    /// Whether packets after the stretch are skipped. This is faster, but largest values and rates then only
    /// cover the time up to its end.
    pub stop_at_end: bool,
    /// Ports of its ends, if a chart shows the kernel's samples of its sockets.
    pub ports: Option<[u16; 2]>,
}

impl Wanted {
    /// The whole of `connection`.
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

/// A recorded connection.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Data for the charts.
    pub recording: Recording,
    /// Result of the analysis, up to the last packet read; it does not have its final number.
    pub connection: Connection,
    /// Whether the whole connection was recorded, not only a stretch.
    pub is_whole: bool,
    /// Intermediate states, if they were asked for, earliest first.
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

/// An intermediate state of a recording, from which it can continue without the earlier packets.
#[derive(Clone, Debug)]
pub struct Snapshot {
    key: Flow,
    /// Number of packets of the source up to this state.
    passed: u64,
    time: i64,
    tracer: Tracer,
    seed: Seed,
}

impl Snapshot {
    /// Time of the snapshot, nanoseconds since the epoch.
    pub fn time(&self) -> i64 {
        self.time
    }
}

/// Records the wanted connections from all packets of a source.
pub struct Gatherer {
    /// Wanted connections that have not begun yet, by number and time of their first packet.
    awaited: HashMap<(u64, i64), usize>,
    flows: HashMap<Flow, Vec<usize>>,
    all: Vec<Subject>,
    /// Number of connections that may still get packets.
    open: usize,
    /// Number of packets of the source so far, and how many of them a snapshot includes.
    passed: u64,
    known: u64,
    /// Packets of a connection between two snapshots; 0: no snapshots.
    snapshot_every: u64,
    reads_to_end: bool,
    /// Ports of the connections whose sockets are charted.
    ports: Vec<[u16; 2]>,
}

struct Subject {
    tracer: Tracer,
    recorder: Recorder,
    /// Time at which recording may stop, nanoseconds since the epoch.
    end: i64,
    is_done: bool,
    /// Whether the whole connection is recorded, not only a stretch.
    is_whole: bool,
    packets: u64,
    snapshots: Vec<Snapshot>,
    /// How often every other snapshot was dropped.
    thinned: u32,
}

impl Subject {
    fn new(wanted: &Wanted) -> Self {
        let recorder = match wanted.stretch {
            Some((from, to)) => Recorder::new(wanted.start, from, to, wanted.budget),
            None => Recorder::whole(wanted.start, wanted.budget),
        };
        let end = match wanted.stretch {
            // One second more, because packets in a capture may be out of order.
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

    /// Adds a snapshot. If there are too many, every other one is dropped, and later ones are made half as
    /// often.
    fn keep(&mut self, snapshot: Snapshot) {
        /// Most snapshots: some tens of megabytes.
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
    /// A gatherer of these connections.
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

    /// A gatherer of one connection that continues from a snapshot of it, made from the same source.
    pub fn resume(wanted: &Wanted, snapshot: &Snapshot) -> Self {
        let mut this = Self::new(&[*wanted]);
        this.awaited.clear();
        this.flows.insert(snapshot.key, vec![0]);
        this.known = snapshot.passed;
        this.all[0].tracer = snapshot.tracer.clone();
        this.all[0].recorder.resume_from(&snapshot.seed);
        this
    }

    /// Makes a snapshot of each connection every `every` packets.
    #[must_use]
    pub fn with_snapshots(mut self, every: u64) -> Self {
        self.snapshot_every = every;
        self
    }

    /// Reads the source to its end, even if no later packet can matter: a kernel's data about a connection
    /// follows its packets.
    #[must_use]
    pub(crate) fn reading_to_end(mut self) -> Self {
        self.reads_to_end = true;
        self
    }

    /// Whether the kernel's data is wanted too, in [`Recorded::connection`].
    pub fn wants_kernel(&self) -> bool {
        self.reads_to_end
    }

    /// Ports of the connections whose sockets are charted, for [`Recorded::add_sockets`].
    pub fn charted_ports(&self) -> &[[u16; 2]] {
        &self.ports
    }

    /// Adds the next segments of the source; false if no later one can matter.
    pub fn observe_all(&mut self, batch: &[Segment]) -> bool {
        batch.iter().all(|segment| self.observe(segment))
    }

    /// Adds the next segment of the source; false if no later one can matter.
    pub fn observe(&mut self, segment: &Segment) -> bool {
        self.passed += 1;
        if self.passed <= self.known {
            return true;
        }
        if self.open == 0 {
            // The kernel's last data follows the last packet.
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

    /// The recordings, in the order of the wanted connections; `None` for a connection that was not found.
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
