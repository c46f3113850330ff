//! The Internet checksum (RFC 1071), over words in memory order: the ones' complement sum does not depend on it.

/// Sum of the 16-bit words of `data`, an odd byte padded; not yet folded. For up to 16 GiB.
pub(super) fn sum(data: &[u8]) -> u64 {
    let (words, rest) = data.as_chunks::<4>();
    let mut sum: u64 = words.iter().map(|&word| u64::from(u32::from_le_bytes(word))).sum();
    let mut last = [0; 4];
    last[..rest.len()].copy_from_slice(rest);
    sum += u64::from(u32::from_le_bytes(last));
    sum
}

/// A number as it would stand in a 16-bit field of a header.
pub(super) fn field(number: u16) -> u64 {
    u64::from(u16::from_le_bytes(number.to_be_bytes()))
}

/// Folded to 16 bits, as bytes of a header; not complemented.
pub(super) const fn folded(mut sum: u64) -> [u8; 2] {
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    (sum as u16).to_le_bytes()
}

/// The checksum, as bytes of a header.
pub(super) const fn finished(sum: u64) -> [u8; 2] {
    let [high, low] = folded(sum);
    [!high, !low]
}
