//! Any bytes as what the programs in the kernel tell; cut in two they tell the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tcpwhy_bpf::record::{Decoded, EVENT, RECORD, Reader, STACK};

fuzz_target!(|bytes: &[u8]| {
    let Some((&cut, rest)) = bytes.split_first() else { return };
    // Kind and length right, the rest anything: no decoder is passed by.
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
    // As they are, and as records whose kind and length are right.
    let head = [1_u32.to_ne_bytes(), (RECORD as u32).to_ne_bytes()].concat();
    let records = rest.chunks(RECORD - head.len()).flat_map(|chunk| [&head, chunk].concat()).collect::<Vec<_>>();
    for bytes in [rest, &records] {
        let (first, second) = bytes.split_at(usize::from(cut).min(bytes.len()));
        assert_eq!(read(&[bytes]), read(&[first, second]));
    }
});
