//! Tests that `Explain` gives the same results from a path and a reader, streamed or not, and reports damage.
#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

mod support;

use std::fs;
use std::io::{self, Cursor, Read};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use tcpwhy_engine::{CaptureError, CaptureReader, CaptureStatus, Explain, ExplainError, Explanation, Folds};
use tcpwhy_model::{AnomalyKind, Explained as _};

use support::{CONNECTIONS, capture};

/// Bytes shared by several readers.
struct Bytes(Arc<Vec<u8>>);

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// A reader that takes longer for each piece than the interval between progress reports.
struct Waits(Cursor<Bytes>);

impl Read for Waits {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        thread::sleep(Duration::from_millis(120));
        self.0.read(buffer)
    }
}

/// A reader that fails at the end of its bytes.
struct Fails(Cursor<Vec<u8>>);

impl Read for Fails {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::ErrorKind::ConnectionReset.into()),
            n => Ok(n),
        }
    }
}

fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let mut all: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.retain(|path| path.to_string_lossy().ends_with(".pcap.gz"));
    all.sort();
    assert!(all.len() >= 10, "the bundled captures");
    all
}

fn sample(name: &str) -> PathBuf {
    samples().into_iter().find(|path| path.ends_with(name)).unwrap()
}

fn unpacked(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let file = fs::File::open(sample(name)).unwrap();
    let growth = tcpwhy_capture::Growth::default();
    tcpwhy_capture::decompressed(file, &growth).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

/// All data of the connections, and the sums of the folds.
fn all_of(explanation: &Explanation) -> Vec<String> {
    let folds = explanation.folds();
    let connections = explanation.connections.iter().map(|connection| format!("{connection:?}"));
    let problems = folds.problems.ranked().into_iter().map(|problem| format!("{problem:?}"));
    let services = folds.services.ranked().into_iter().map(|service| format!("{service:?}"));
    connections.chain(problems).chain(services).chain([format!("{:?}", folds.pairs.findings())]).collect()
}

#[test]
fn a_reader_and_a_stream_give_what_the_path_gives() {
    for path in samples() {
        let whole = Explain::path(&path).run().unwrap();
        assert_eq!(whole.reading.status(), CaptureStatus::Whole, "{}", path.display());
        assert_eq!(whole.reading.connections, whole.connections.len() as u64);
        assert!(whole.connections.iter().map(|connection| connection.id).eq(0..whole.reading.connections));
        let expected = all_of(&whole);
        let file = fs::File::open(&path).unwrap();
        let read = Explain::reader(file, "name").run().unwrap();
        assert!(all_of(&read) == expected, "{}", path.display());
        assert_eq!(read.reading.captures[0].path, "name");
        let alone = Explain::path(&path).threads(NonZero::<usize>::MIN).run().unwrap();
        assert!(all_of(&alone) == expected, "{}", path.display());
        // Streamed connections come in another order, with the same numbers.
        let (mut streamed, mut folds) = (Vec::new(), Folds::default());
        let reading = Explain::path(&path).for_each(|connection| {
            folds.add(&connection);
            streamed.push(connection);
            Ok(())
        });
        assert_eq!(reading.unwrap().connections, whole.reading.connections);
        streamed.sort_by_key(|connection| connection.id);
        let streamed: Vec<_> = streamed.iter().map(|connection| format!("{connection:?}")).collect();
        assert!(streamed == expected[..streamed.len()], "{}", path.display());
        assert_eq!(format!("{:?}", folds.problems.ranked()), format!("{:?}", whole.folds().problems.ranked()));
    }
}

#[test]
fn several_captures_are_merged_by_time() {
    let name = "request-response.pcap.gz";
    let whole = Explain::path(sample(name)).run().unwrap();
    // Two captures with the header and every other packet: classic pcap in the byte order of its magic
    // number.
    let bytes = unpacked(name);
    let (mut halves, mut at, mut packet) = ([bytes[..24].to_vec(), bytes[..24].to_vec()], 24, 0);
    while at < bytes.len() {
        let len = 16 + u32::from_le_bytes(bytes[at + 8..at + 12].try_into().unwrap()) as usize;
        halves[packet % 2].extend_from_slice(&bytes[at..at + len]);
        (at, packet) = (at + len, packet + 1);
    }
    let readers = halves.map(|half| CaptureReader::from_read(Cursor::new(half), "half").unwrap());
    let merged = Explain::captures(readers).run().unwrap();
    assert_eq!((merged.reading.captures.len(), merged.reading.connections), (2, whole.reading.connections));
    let verdicts = |explanation: &Explanation| {
        let mut all: Vec<_> = explanation
            .connections
            .iter()
            .flat_map(|connection| {
                connection.halves.iter().map(|half| format!("{:?} {:?}", connection.endpoints, half.verdict))
            })
            .collect();
        all.sort();
        all
    };
    assert_eq!(verdicts(&merged), verdicts(&whole));
    let nothing = Explain::captures([]).run().unwrap();
    assert!(nothing.connections.is_empty() && nothing.reading.status() == CaptureStatus::Whole);
}

#[test]
fn damage_gives_a_part_and_what_is_wrong() {
    let name = "send-buffer.pcap.gz";
    let whole = Explain::path(sample(name)).run().unwrap();
    let bytes = unpacked(name);
    let cut = bytes[..bytes.len() / 2 + 7].to_vec();
    let part = Explain::reader(Cursor::new(cut), "cut").run().unwrap();
    assert_eq!(part.reading.status(), CaptureStatus::Damaged);
    let capture = &part.reading.captures[0];
    let anomaly = capture.anomalies.iter().next().unwrap();
    assert_eq!((anomaly.kind, anomaly.count), (AnomalyKind::TruncatedFile, 1));
    assert!(0 < capture.packets && capture.packets < whole.reading.captures[0].packets);
    let [part_bytes, all_bytes] = [&part, &whole].map(|e| e.connections[0].principal_half().unwrap().bytes);
    assert!(0 < part_bytes && part_bytes < all_bytes);
    // A read error is a failure; the connections before it are kept.
    let failed = Explain::reader(Fails(Cursor::new(bytes.clone())), "fails").run().unwrap();
    assert_eq!((failed.reading.failures.len(), failed.reading.status()), (1, CaptureStatus::Damaged));
    assert_eq!(failed.connections.len(), whole.connections.len());
    // Only a header and half a packet.
    let nothing = Explain::reader(Cursor::new(bytes[..24 + 16 + 10].to_vec()), "begin").run().unwrap();
    assert!(nothing.connections.is_empty() && nothing.reading.status() == CaptureStatus::Failed);
}

#[test]
fn what_is_no_capture_is_an_error() {
    let error = |explain: Explain<'_>| explain.run().err().unwrap();
    let found = error(Explain::reader(&b"a text that is longer than any header of a capture"[..], "text"));
    assert!(matches!(&found, ExplainError::Capture(error) if error.is_other_file()), "{found}");
    assert!(found.to_string().contains("text"), "{found}");
    let found = error(Explain::reader(io::empty(), "nothing"));
    assert!(matches!(found, ExplainError::Capture(CaptureError::Empty { .. })), "{found}");
    let found = error(Explain::path("/no/such/file.pcap"));
    let ExplainError::Capture(CaptureError::Open { path, cause }) = &found else { panic!("{found}") };
    assert_eq!((path.as_str(), cause.kind()), ("/no/such/file.pcap", io::ErrorKind::NotFound));
    assert_eq!(found.message().id, "capture-open");
}

#[test]
fn a_flag_or_an_error_of_the_caller_ends_the_work() {
    let capture = Arc::new(capture());
    let explain = || Explain::reader(Cursor::new(Bytes(Arc::clone(&capture))), "many");
    let stop = AtomicBool::new(true);
    let stopped = explain().stop(&stop).run();
    assert!(matches!(stopped, Err(ExplainError::Stopped)));
    stop.store(false, Ordering::Relaxed);
    let mut seen = 0;
    let stopped = explain().stop(&stop).threads(NonZero::<usize>::MIN).for_each(|_| {
        seen += 1;
        stop.store(true, Ordering::Relaxed);
        Ok(())
    });
    assert!(matches!(stopped, Err(ExplainError::Stopped)));
    assert!(seen > 0);
    // An interruption without the flag is the caller's own error.
    for kind in [io::ErrorKind::StorageFull, io::ErrorKind::Interrupted] {
        let failed = explain().for_each(|_| Err(kind.into())).err().unwrap();
        assert!(matches!(&failed, ExplainError::Io(error) if error.kind() == kind), "{failed}");
        assert_eq!(failed.message().id, "explain-failed");
    }
}

#[test]
fn options_select_and_add() {
    let capture = Arc::new(capture());
    let explain = || Explain::reader(Cursor::new(Bytes(Arc::clone(&capture))), "many");
    let whole = explain().run().unwrap();
    assert_eq!(whole.connections.len(), usize::from(CONNECTIONS));
    let only = explain().filter(|connection| connection.halves.iter().any(|half| half.bytes > 10_000)).run().unwrap();
    let wanted = |id: u64| whole.connections[id as usize].halves.iter().any(|half| half.bytes > 10_000);
    assert!(only.reading.excluded > 0 && !only.connections.is_empty());
    assert_eq!(only.reading.excluded + only.connections.len() as u64, whole.reading.connections);
    assert_eq!(only.reading.connections, whole.reading.connections);
    assert!((0..whole.reading.connections).filter(|&id| wanted(id)).eq(only.connections.iter().map(|c| c.id)));
    let mut reached = 0;
    let slow = Explain::reader(Waits(Cursor::new(Bytes(Arc::clone(&capture)))), "many");
    slow.progress(|now| reached = now.read.max(reached)).for_each(|_| Ok(())).unwrap();
    assert!(reached > 0);
    // All requests, and the kernel's samples of a recording.
    let recording = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/recording.pcapng.gz");
    let recorded = Explain::path(&recording).all_exchanges().run().unwrap();
    assert_eq!((recorded.reading.gaps.packets, recorded.connections.len()), (777, 2));
    assert!(recorded.connections.iter().all(|connection| connection.kernel.is_some()));
    let mut streamed = Vec::new();
    let keep = |connection| {
        streamed.push(connection);
        Ok(())
    };
    Explain::path(&recording).all_exchanges().for_each(keep).unwrap();
    streamed.sort_by_key(|connection| connection.id);
    assert_eq!(format!("{streamed:?}"), format!("{:?}", recorded.connections));
}
