use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::atomic::AtomicBool;

use tokio::sync::watch;

use super::*;

/// Reads the file at `path`; returns the number of connections and the address of the analysis.
fn read(kept: &Kept, path: &std::path::Path) -> (usize, Option<*const Analysis>) {
    let file = Arc::new(File::open(path).unwrap());
    let inputs = Inputs::held(vec![(file, "a.pcap".to_owned())]);
    let work = Work::new(Arc::new(AtomicBool::new(false)), watch::channel((0, None)).0);
    let mut numbers = Vec::new();
    kept.read(&inputs, &work, Delivery::Numbered, &mut |connection, number| {
        assert!(number.is_none() || number == Some(connection.id));
        numbers.push(connection.first_packet);
    })
    .unwrap();
    assert!(numbers.is_sorted());
    let last = kept.last.lock().unwrap();
    (numbers.len(), last.as_ref().and_then(|last| last.analysis.as_ref().map(Arc::as_ptr)))
}

#[test]
fn a_file_is_analysed_once_until_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = ["one.pcap", "other.pcap"].map(|name| folder.path().join(name));
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/request-response.pcap.gz");
    std::fs::copy(sample, &one).unwrap();
    std::fs::copy(sample, &other).unwrap();
    let kept = Kept::default();
    let first = read(&kept, &one);
    assert!(first.0 > 0 && first.1.is_some());
    assert_eq!(read(&kept, &one), first, "asked again");
    assert_ne!(read(&kept, &other).1, first.1, "another file of the same length");
    let before = read(&kept, &one);
    OpenOptions::new().append(true).open(&one).unwrap().write_all(b"\0").unwrap();
    assert_ne!(read(&kept, &one).1, before.1, "a byte more");
}
