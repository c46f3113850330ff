//! Arbitrary bytes as TCP options; cutting off later bytes must not change the options before the cut.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tcpwhy_capture::parse_options;

fuzz_target!(|bytes: &[u8]| {
    let (whole, anomaly) = parse_options(bytes);
    assert!(whole.sack.as_slice().len() <= 4);
    let padded = [bytes, &[0, 0, 0, 0]].concat();
    let (with_end, anomaly_with_end) = parse_options(&padded);
    if anomaly.is_none() {
        assert_eq!((with_end, anomaly_with_end), (whole, None));
    }
});
