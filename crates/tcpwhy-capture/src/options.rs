use std::num::NonZeroU16;

use tcpwhy_model::{AnomalyKind, SackBlocks, SeqNum, TcpOptions, TcpTimestamps};

/// Option kinds, as registered with IANA ("TCP Option Kind Numbers").
mod kind {
    pub(super) const END: u8 = 0;
    pub(super) const NOP: u8 = 1;
    pub(super) const MSS: u8 = 2;
    pub(super) const WINDOW_SCALE: u8 = 3;
    pub(super) const SACK_PERMITTED: u8 = 4;
    pub(super) const SACK: u8 = 5;
    pub(super) const TIMESTAMPS: u8 = 8;
    pub(super) const MPTCP: u8 = 30;
    pub(super) const FAST_OPEN: u8 = 34;
    pub(super) const ACCURATE_ECN_0: u8 = 172;
    pub(super) const ACCURATE_ECN_1: u8 = 174;
    pub(super) const EXPERIMENT: u8 = 254;
}

/// Experiment identifier of TCP Fast Open before it had its own kind (RFC 7413 appendix, RFC 6994).
const FAST_OPEN_EXPERIMENT: u16 = 0xf989;

/// Parses the options of a TCP header (the bytes between the fixed 20 and the data offset; RFC 9293 §3.1).
///
/// Unknown kinds are skipped by their length. A known kind with an impossible length is ignored, as in Linux
/// (`tcp_parse_options`), and the second value is then [`AnomalyKind::MalformedOption`]. A length below 2 or
/// beyond the header also ends the parsing.
pub fn parse_options(options: &[u8]) -> (TcpOptions, Option<AnomalyKind>) {
    let mut parsed = TcpOptions::default();
    let anomaly = read_options(options, &mut parsed);
    (parsed, anomaly)
}

/// Like [`parse_options`], into options that are still empty.
#[inline]
pub(crate) fn read_options(options: &[u8], parsed: &mut TcpOptions) -> Option<AnomalyKind> {
    // NOP, NOP, timestamps: the options of nearly every segment of an established connection (RFC 7323
    // appendix A).
    if let Some(&[kind::NOP, kind::NOP, kind::TIMESTAMPS, 10, ref value @ ..]) =
        options.first_chunk::<12>().filter(|_| options.len() == 12)
    {
        parsed.timestamps = Some(timestamps(*value));
        return None;
    }
    walk(options, parsed)
}

#[inline(never)]
fn walk(mut rest: &[u8], parsed: &mut TcpOptions) -> Option<AnomalyKind> {
    let mut anomaly = None;
    loop {
        match *rest {
            [] | [kind::END, ..] => return anomaly,
            [kind::NOP, ..] => rest = rest.get(1..)?,
            [_] => return Some(AnomalyKind::MalformedOption),
            [option_kind, len, ..] => {
                let Some(value) = rest.get(2..usize::from(len)) else { return Some(AnomalyKind::MalformedOption) };
                if !take(option_kind, value, parsed) {
                    anomaly = Some(AnomalyKind::MalformedOption);
                }
                rest = rest.get(usize::from(len)..)?;
            }
        }
    }
}

/// Stores one option. Returns false if its length does not fit its kind.
fn take(option_kind: u8, value: &[u8], parsed: &mut TcpOptions) -> bool {
    match (option_kind, value) {
        (kind::MSS, &[high, low]) => parsed.mss = NonZeroU16::new(u16::from_be_bytes([high, low])),
        (kind::WINDOW_SCALE, &[shift]) => parsed.window_scale = Some(shift),
        (kind::SACK_PERMITTED, []) => parsed.sack_permitted = true,
        (kind::SACK, blocks) if is_sack_len(blocks.len()) => parsed.sack = sack_blocks(blocks),
        (kind::TIMESTAMPS, value) if value.len() == 8 => {
            parsed.timestamps = value.first_chunk().copied().map(timestamps);
        }
        (kind::MPTCP, _) => parsed.has_mptcp = true,
        (kind::FAST_OPEN, _) => parsed.has_fast_open = true,
        (kind::ACCURATE_ECN_0 | kind::ACCURATE_ECN_1, _) => parsed.has_accurate_ecn = true,
        (kind::EXPERIMENT, &[high, low, ..]) if u16::from_be_bytes([high, low]) == FAST_OPEN_EXPERIMENT => {
            parsed.has_fast_open = true;
        }
        (kind::MSS | kind::WINDOW_SCALE | kind::SACK_PERMITTED | kind::SACK | kind::TIMESTAMPS, _) => return false,
        _ => {}
    }
    true
}

/// One to four blocks of eight bytes (RFC 2018 §3).
fn is_sack_len(len: usize) -> bool {
    len.is_multiple_of(8) && (8..=32).contains(&len)
}

fn sack_blocks(value: &[u8]) -> SackBlocks {
    let mut blocks = SackBlocks::default();
    let (edges, _) = value.as_chunks();
    for pair in edges {
        let [left, right] = pair_of_words(*pair);
        blocks.push(SeqNum(left), SeqNum(right));
    }
    blocks
}

fn timestamps(value: [u8; 8]) -> TcpTimestamps {
    let [value, echo_reply] = pair_of_words(value);
    TcpTimestamps { value, echo_reply }
}

fn pair_of_words(bytes: [u8; 8]) -> [u32; 2] {
    let both = u64::from_be_bytes(bytes);
    [(both >> 32) as u32, both as u32]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(options: &[u8]) -> TcpOptions {
        let (parsed, anomaly) = parse_options(options);
        assert_eq!(anomaly, None, "{options:?}");
        parsed
    }

    const TIMESTAMPS: TcpTimestamps = TcpTimestamps { value: 0x0102_0304, echo_reply: 0x0506_0708 };

    #[test]
    fn syn_options_of_linux() {
        let parsed = parse(&[2, 4, 5, 0xb4, 4, 2, 8, 10, 1, 2, 3, 4, 5, 6, 7, 8, 1, 3, 3, 7]);
        assert_eq!(parsed.mss, NonZeroU16::new(1460));
        assert!(parsed.sack_permitted);
        assert_eq!(parsed.timestamps, Some(TIMESTAMPS));
        assert_eq!(parsed.window_scale, Some(7));
    }

    #[test]
    fn the_short_way_for_timestamps_equals_the_long_one() {
        let short = parse(&[1, 1, 8, 10, 1, 2, 3, 4, 5, 6, 7, 8]);
        let long = parse(&[8, 10, 1, 2, 3, 4, 5, 6, 7, 8, 1, 1]);
        assert_eq!(short, long);
        assert_eq!(short.timestamps, Some(TIMESTAMPS));
    }

    #[test]
    fn one_to_four_sack_blocks() {
        for count in 1..=4u8 {
            let mut option = vec![5, 2 + 8 * count];
            for block in 0..count {
                option.extend([0, 0, block, 0, 0, 0, block, 9]);
            }
            let parsed = parse(&option);
            assert_eq!(parsed.sack.as_slice().len(), usize::from(count));
            let last = u32::from(count - 1) << 8;
            assert_eq!(parsed.sack.as_slice().last(), Some(&(SeqNum(last), SeqNum(last + 9))));
        }
    }

    #[test]
    fn unknown_kinds_are_stepped_over() {
        let parsed = parse(&[253, 4, 0xde, 0xad, 77, 2, 2, 4, 0, 100, 0, 3, 3, 9]);
        assert_eq!(parsed.mss, NonZeroU16::new(100));
        assert_eq!(parsed.window_scale, None, "the end-of-list option ends the list");
    }

    #[test]
    fn presence_of_the_newer_options() {
        assert!(parse(&[30, 4, 0, 1]).has_mptcp);
        assert!(parse(&[34, 2]).has_fast_open);
        assert!(parse(&[254, 4, 0xf9, 0x89]).has_fast_open);
        assert!(!parse(&[254, 4, 0xf9, 0x88]).has_fast_open);
        assert!(parse(&[172, 5, 0, 0, 1]).has_accurate_ecn);
        assert!(parse(&[174, 2]).has_accurate_ecn);
    }

    #[test]
    fn impossible_lengths_end_the_walk() {
        for bad in [&[99, 0][..], &[99, 1], &[99], &[99, 7, 0], &[2, 40, 5, 0xb4]] {
            let mut options = vec![3, 3, 7];
            options.extend(bad);
            let (parsed, anomaly) = parse_options(&options);
            assert_eq!(parsed.window_scale, Some(7), "{bad:?}");
            assert_eq!(anomaly, Some(AnomalyKind::MalformedOption), "{bad:?}");
        }
    }

    #[test]
    fn a_wrong_length_for_its_kind_costs_only_that_option() {
        for bad in
            [&[2, 3, 5][..], &[3, 2], &[4, 3, 0], &[5, 2], &[5, 4, 0, 0], &[5, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0], &[8, 2]]
        {
            let (parsed, anomaly) = parse_options(&[bad, &[3, 3, 7]].concat());
            assert_eq!(parsed, TcpOptions { window_scale: Some(7), ..TcpOptions::default() }, "{bad:?}");
            assert_eq!(anomaly, Some(AnomalyKind::MalformedOption), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_walked(options in proptest::collection::vec(any::<u8>(), 0..60)) {
            let (parsed, _) = parse_options(&options);
            prop_assert!(parsed.sack.as_slice().len() <= 4);
        }

        #[test]
        fn what_stands_before_a_cut_is_still_read(cut in 0usize..=20) {
            let options = [2, 4, 5, 0xb4, 4, 2, 8, 10, 1, 2, 3, 4, 5, 6, 7, 8, 1, 3, 3, 7];
            let (parsed, _) = parse_options(&options[..cut]);
            prop_assert_eq!(parsed.mss.is_some(), cut >= 4);
            prop_assert_eq!(parsed.sack_permitted, cut >= 6);
            prop_assert_eq!(parsed.timestamps.is_some(), cut >= 16);
            prop_assert_eq!(parsed.window_scale.is_some(), cut >= 20);
        }
    }
}
