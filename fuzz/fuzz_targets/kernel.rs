//! Arbitrary bytes as output of the programs in the kernel; split in two, they must give the same records.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tcpwhy_bpf::record::{Decoded, EVENT, RECORD, Reader, STACK};

fuzz_target!(|bytes: &[u8]| {
    let Some((&cut, rest)) = bytes.split_first() else { return };
    // Valid kind and length, the rest arbitrary, so that every decoder is reached.
    for (kind, size) in (1_u32..).zip([RECORD, EVENT, EVENT, EVENT, EVENT, EVENT, EVENT, STACK]) {
        let mut item: Vec<u8> = kind.to_ne_bytes().into_iter().chain((size as u32).to_ne_bytes()).collect();
        item.extend(rest.iter().cycle().take(size - item.len()));
        let _ = Decoded::from_bytes(&item, i64::MAX);
        item.truncate(8 + rest.len());
        let _ = Decoded::from_bytes(&item, i64::MIN);
    }
    let read = |pieces: &[&[u8]]| {
        let (mut reader, mut told) = (Reader::new(i64::MIN), Vec::new());
        pieces.iter().for_each(|piece| reader.read(piece, |one| told.push(one)));
        told
    };
    // Unchanged bytes, and bytes as records with valid kind and length.
    let head = [1_u32.to_ne_bytes(), (RECORD as u32).to_ne_bytes()].concat();
    let records = rest.chunks(RECORD - head.len()).flat_map(|chunk| [&head, chunk].concat()).collect::<Vec<_>>();
    for bytes in [rest, &records] {
        let (first, second) = bytes.split_at(usize::from(cut).min(bytes.len()));
        assert_eq!(read(&[bytes]), read(&[first, second]));
    }
});
