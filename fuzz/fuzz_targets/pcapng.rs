//! Arbitrary bytes as the blocks of a pcapng section with one interface. The first byte selects the byte
//! order and the resolution.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "read.rs"]
mod read;

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    let is_big = choice & 1 == 1;
    let word = |value: u32| if is_big { value.to_be_bytes() } else { value.to_le_bytes() };
    let half = |value: u16| if is_big { value.to_be_bytes() } else { value.to_le_bytes() };
    let section = [&word(0x0a0d_0d0a)[..], &word(28), &word(0x1a2b_3c4d), &half(1), &half(0), &[0xff; 8], &word(28)];
    let resolution = [&half(9)[..], &half(1), &[choice, 0, 0, 0]].concat();
    let interface = [&word(1)[..], &word(28), &half(1), &half(0), &word(0), &resolution, &word(28)];
    read::check(&[&section.concat()[..], &interface.concat(), rest].concat());
});
