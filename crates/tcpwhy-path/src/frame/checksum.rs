//! The Internet checksum (RFC 1071), over words in memory order, of which the ones' complement sum is
//! independent.

/// Sum of the 16-bit words of `data`, with an odd byte padded; not yet folded. Valid for up to 16 GiB.
pub(super) fn sum(data: &[u8]) -> u64 {
    let (words, rest) = data.as_chunks::<4>();
    let mut sum: u64 = words.iter().map(|&word| u64::from(u32::from_le_bytes(word))).sum();
    let mut last = [0; 4];
    last[..rest.len()].copy_from_slice(rest);
    sum += u64::from(u32::from_le_bytes(last));
    sum
}

/// A number in the byte order of a 16-bit header field.
pub(super) fn field(number: u16) -> u64 {
    u64::from(u16::from_le_bytes(number.to_be_bytes()))
}

/// The sum folded to 16 bits, as bytes of a header; not complemented.
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
