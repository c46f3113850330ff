//! Arbitrary bytes as a frame of any link type. A shorter snap length must not change the fields that are
//! read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tcpwhy_capture::decode_frame;
use tcpwhy_model::{Anomalies, Segment, Timestamp};

fn decode(link_type: u32, captured: &[u8], original_len: u32) -> Option<Segment> {
    decode_frame(link_type, captured, original_len, 1, Timestamp::ZERO, &mut Anomalies::default())
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&[link_high, link_low, more_high, more_low], frame)) = bytes.split_first_chunk() else { return };
    let link_type = u32::from(u16::from_be_bytes([link_high, link_low]));
    let original_len = frame.len() as u32 + u32::from(u16::from_be_bytes([more_high, more_low]));
    let whole = decode(link_type, frame, original_len);
    if let Some(whole) = whole {
        assert!(whole.payload_len <= original_len.max(65_535));
    }
    for cut in [frame.len() / 2, frame.len() * 3 / 4] {
        if let Some(segment) = decode(link_type, &frame[..cut], original_len) {
            let whole = whole.expect("less was captured and more was read");
            assert_eq!((segment.seq, segment.flags, segment.payload_len), (whole.seq, whole.flags, whole.payload_len));
        }
    }
});
