//! Arbitrary bytes as a tar or zip archive, as a stream and as a file. Members stay within their bounds.
#![no_main]

use std::collections::BTreeSet;
use std::io::{Cursor, Read};
use std::path::PathBuf;
use std::sync::LazyLock;
use std::{env, fs, process};

use libfuzzer_sys::fuzz_target;
use tcpwhy_inputs::{Depth, Found, Listing, Place};

/// Bytes of unpacked data beyond 1000 times the packed size: small, so that a run stays short.
const MOST_UNPACKED: u64 = 1 << 16;
/// The factor of that bound.
const GROWTH: u64 = 1000;

/// Zip archives are read from a file.
static FILE: LazyLock<PathBuf> =
    LazyLock::new(|| env::temp_dir().join(format!("tcpwhy-fuzz-archive-{}", process::id())));

/// Reads all captures of `listing` to their ends; its input has `len` bytes.
fn read(mut listing: Listing<'_>, len: u64) {
    let mut names = BTreeSet::new();
    while let Some(found) = listing.next() {
        match found {
            Found::Capture(mut capture) => {
                assert!(!capture.name.chars().any(char::is_control), "{:?}", capture.name);
                assert!(names.insert(capture.name.clone()), "two captures of one name: {}", capture.name);
                let mut segments = Vec::new();
                while capture.reader.read_batch(&mut segments, 1000) {
                    segments.clear();
                }
                let most = len.saturating_mul(GROWTH).saturating_add(MOST_UNPACKED);
                let captured = capture.reader.summary().captured_bytes;
                assert!(captured <= most.saturating_mul(GROWTH), "{captured} bytes of {len}");
            }
            Found::Failed(failed) => assert!(!failed.name.chars().any(char::is_control), "{:?}", failed.name),
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let len = bytes.len() as u64;
    let open = |place: Place| Listing::new(vec![place], Depth::OneLevel).with_most_unpacked(Some(MOST_UNPACKED));
    let stream = || Ok(Box::new(Cursor::new(bytes.to_vec())) as Box<dyn Read + Send>);
    read(open(Place::of("-".as_ref())).with_standard_input(stream), len);
    fs::write(&*FILE, bytes).expect("the folder of temporary files can be written to");
    read(open(Place::of(&FILE)), len);
});
