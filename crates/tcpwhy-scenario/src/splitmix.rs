//! `SplitMix64` (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): number n of a seed's stream is
//! `mix(seed + n × GAMMA)`, so a stream can be entered anywhere.

/// The Weyl increment.
pub const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finalizer: spreads every bit of `z` over all.
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixes_as_published() {
        // First outputs of the reference implementation for the seed 1234567.
        let nth = |n: u64| mix(1_234_567_u64.wrapping_add(GAMMA.wrapping_mul(n)));
        assert_eq!([nth(1), nth(2)], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }
}
