//! The kernel's samples in the captures of one source, and the connections that wait for them.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tcpwhy_analysis::Connection;
use tcpwhy_capture::CaptureReader;
use tcpwhy_model::live::{RecordingGaps, SocketPoint};
use tcpwhy_watch::{KernelWitness, OpenSockets};

use super::replay::Replay;
use super::series::SocketSeries;

/// Most connections of a recording that wait for the kernel's data. The data follows within a second of their
/// last packet, and each connection takes some kilobytes.
const MOST_WAITING: usize = 10_000;

/// Receives connections, with their numbers if these are known.
type Tell<'a> = dyn FnMut(Connection, Option<u64>) -> io::Result<()> + Send + 'a;

/// Collects the kernel's samples from the captures of one source while they are read. Connections of captures
/// without samples pass unchanged.
///
/// Memory is bounded: the number of waiting connections is limited, and so is the number of sockets that
/// [`KernelWitness`] keeps.
#[derive(Default)]
pub struct RecordedSockets {
    replays: Vec<Arc<Mutex<Replay>>>,
    /// Data about the sockets that have closed.
    witness: Arc<Mutex<KernelWitness>>,
    /// Connections for which the kernel's data is not complete yet.
    waiting: VecDeque<(Connection, Option<u64>)>,
    /// Points of the sockets that are charted.
    series: Arc<Mutex<SocketSeries>>,
    /// Whether only these points are wanted.
    is_series_only: bool,
}

impl RecordedSockets {
    /// For charts of connections between these ports. It keeps their sockets over time, for
    /// [`RecordedSockets::points`]. With `concludes`, connections also get the kernel's data. `None` if
    /// neither is wanted.
    pub fn where_wanted(ports: &[[u16; 2]], concludes: bool) -> Option<Self> {
        let series = Arc::new(Mutex::new(SocketSeries::of(ports.iter().copied())));
        (concludes || !ports.is_empty()).then(|| Self { series, is_series_only: !concludes, ..Self::default() })
    }

    /// The points of both sockets of `connection` over time, by the index of their end, after everything has
    /// been read.
    pub fn points(&self, connection: &Connection) -> [Vec<SocketPoint>; 2] {
        lock(&self.series).points(connection)
    }

    /// Reads the samples of one more capture, which must not have been read yet.
    pub fn follow(&mut self, reader: &mut CaptureReader) {
        let series = Arc::clone(&self.series);
        if self.is_series_only {
            reader.hear_kernel(Box::new(move |list| lock(&series).take(list)));
            return;
        }
        let replay = Arc::new(Mutex::new(Replay::to_compare()));
        let witness = Arc::clone(&self.witness);
        self.replays.push(Arc::clone(&replay));
        reader.hear_kernel(Box::new(move |list| {
            lock(&series).take(list);
            let mut replay = lock(&replay);
            replay.take(list);
            lock(&witness).add_ended(replay.host.take_ended());
        }));
    }

    /// Passes `connection` to `tell`, immediately or when the kernel's data about it is complete.
    ///
    /// # Errors
    /// Errors of `tell`.
    pub fn present(&mut self, connection: Connection, number: Option<u64>, tell: &mut Tell<'_>) -> io::Result<()> {
        if !self.has_begun() {
            return tell(connection, number);
        }
        self.waiting.push_back((connection, number));
        if self.waiting.len() < MOST_WAITING {
            return Ok(());
        }
        // The kernel's data about those that ended first is complete.
        let mut first: Vec<_> = self.waiting.drain(..MOST_WAITING / 2).collect();
        self.view(first.iter_mut().map(|(connection, _)| connection));
        first.into_iter().try_for_each(|(connection, number)| tell(connection, number))
    }

    /// Passes the waiting connections on after everything has been read, and returns the missing parts of the
    /// recording.
    ///
    /// # Errors
    /// Errors of `tell`.
    pub fn conclude(mut self, tell: &mut Tell<'_>) -> io::Result<RecordingGaps> {
        let waiting = std::mem::take(&mut self.waiting);
        let (mut witness, mut gaps) = self.hear_out();
        for (mut connection, number) in waiting {
            add_view(&mut witness, &mut connection, &OpenSockets::default());
            tell(connection, number)?;
        }
        gaps.left_out = witness.left_out();
        Ok(gaps)
    }

    /// Adds to each of `connections` the samples of its sockets, after everything has been read.
    pub fn complete<'a>(self, connections: impl IntoIterator<Item = &'a mut Connection>) {
        let (mut witness, _) = self.hear_out();
        for connection in connections {
            add_view(&mut witness, connection, &OpenSockets::default());
        }
    }

    /// Whether any capture is a recording: recordings begin with the kernel's data.
    fn has_begun(&self) -> bool {
        self.replays.iter().any(|replay| lock(replay).has_begun)
    }

    /// Adds to each of `connections` the data about its sockets so far.
    fn view<'a>(&self, connections: impl IntoIterator<Item = &'a mut Connection>) {
        let replays: Vec<_> = self.replays.iter().map(|replay| lock(replay)).collect();
        let open = OpenSockets::of(replays.iter().map(|replay| &replay.host));
        let mut witness = lock(&self.witness);
        for connection in connections {
            add_view(&mut witness, connection, &open);
        }
    }

    /// All data of the recording, and the parts that could not be kept or read.
    fn hear_out(self) -> (KernelWitness, RecordingGaps) {
        let mut witness = std::mem::take(&mut *lock(&self.witness));
        let mut gaps = RecordingGaps::default();
        for replay in self.replays {
            let replay = std::mem::take(&mut *lock(&replay));
            gaps.unreadable += replay.unreadable + replay.unknown;
            let [packets, drops] = replay.counts();
            gaps.packets = gaps.packets.saturating_add(packets);
            gaps.drops = gaps.drops.saturating_add(drops);
            witness.add(replay.host);
        }
        (witness, gaps)
    }
}

/// Adds to `connection` the samples of its sockets, including those that are still `open`.
fn add_view(witness: &mut KernelWitness, connection: &mut Connection, open: &OpenSockets<'_>) {
    if let Some(record) = witness.view(connection, open) {
        record.beside(connection);
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    // A fold that panicked has added the data that it had.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use tcpwhy_live::recording::{ListWriter, RecordedEffort, RecordedHost};
    use tcpwhy_model::Timestamp;

    use super::*;

    /// Each file of a ring has counts since the recording began.
    #[test]
    fn what_was_dropped_is_counted_once() {
        let effort = |packets, drops| RecordedEffort { packets, drops, ..RecordedEffort::default() };
        let file = |before: &RecordedEffort, during: &[RecordedEffort]| {
            let mut list = ListWriter::default();
            list.host(&RecordedHost::default());
            list.effort(before);
            list.asked(1, Timestamp::ZERO);
            for effort in during {
                list.effort(effort);
            }
            list.take()
        };
        let first = file(&effort(0, 0), &[effort(100, 0), effort(200, 7)]);
        let second = file(&effort(200, 7), &[effort(300, 7), effort(400, 9)]);
        // A plain capture has only counts at its end; a recording that was killed has only counts at its
        // beginning.
        let mut own = ListWriter::default();
        own.effort(&effort(50, 3));
        let killed = file(&effort(400, 9), &[]);
        for (files, expected) in [
            (vec![first.clone()], (200, 7)),
            (vec![second.clone()], (200, 2)),
            (vec![second.clone(), first, killed], (400, 9)),
            (vec![own.take(), second], (250, 5)),
        ] {
            let replays = files.iter().map(|list| {
                let mut replay = Replay::default();
                replay.take(list);
                Arc::new(Mutex::new(replay))
            });
            let (_, gaps) = RecordedSockets { replays: replays.collect(), ..RecordedSockets::default() }.hear_out();
            assert_eq!((gaps.packets, gaps.drops), expected);
        }
    }
}
