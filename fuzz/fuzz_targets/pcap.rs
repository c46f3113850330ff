//! Arbitrary bytes as a classic pcap: the first byte selects its variant, file version and link type.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "read.rs"]
mod read;

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    let is_big = choice & 1 == 1;
    let magic: u32 = match choice >> 1 & 3 {
        0 => 0xa1b2_c3d4,
        1 => 0xa1b2_3c4d,
        2 => 0xa1b2_cd34,
        // Unchanged bytes: compression, other formats, errors.
        _ => return read::check(rest),
    };
    let minor: u16 = if choice & 8 == 0 { 4 } else { 3 };
    let link_type =
        [1, 0, 9, 12, 50, 101, 104, 105, 113, 127, 219, 239, 276, 192, 119, 0x2400_0001][usize::from(choice >> 4)];
    let order = |value: u32| if is_big { value.to_be_bytes() } else { value.to_le_bytes() };
    let versions = if is_big { [[0, 2], minor.to_be_bytes()] } else { [[2, 0], minor.to_le_bytes()] };
    let header = [&order(magic)[..], &versions.concat(), &[0; 8], &order(65_535), &order(link_type)].concat();
    read::check(&[&header, rest].concat());
});
