//! Rates of less than one byte per period.

use super::{Program, Step, Stretch};
use tcpwhy_scenario::{Pace, Waits};

/// 8 kbit/s is one byte per millisecond, that is, per million periods of 1 ns. Empty periods pass at once,
/// without a loop of a million turns.
#[test]
fn empty_periods_pass_at_once() {
    for (every, periods) in [(1, 1_000_000), (3_000, 334), (999_999, 2), (1_000_000, 1), (4_000_000, 1)] {
        let pace = Pace::Rate { bits: 8_000, every };
        let stretch = Stretch { bytes: 100, size: 100, pace, waits: Waits::default() };
        let mut program = Program::new(vec![Step::Send(stretch)]);
        program.begin(0);
        if program.until_rest == 0 {
            let until = program.end_portion(0, pace, false);
            // The first byte falls into this period, which begins at the end of the one before.
            assert_eq!(until, Some((periods - 1) * every), "{every}");
        }
        assert!(program.until_rest > 0, "{every}");
        assert_eq!(program.portions, periods - 1, "{every}");
    }
}

/// The number of bytes matches the rate.
#[test]
fn the_rate_is_kept() {
    let pace = Pace::Rate { bits: 12_000, every: 400_000 };
    let stretch = Stretch { bytes: 1_500, size: 100, pace, waits: Waits::default() };
    let mut program = Program::new(vec![Step::Send(stretch)]);
    program.begin(0);
    let mut sent = 0;
    while program.left > 0 {
        (sent, program.left) = (sent + program.until_rest, program.left - program.until_rest);
        program.until_rest = 0;
        // 1,500 bytes/s, plus the current period.
        assert!(sent.saturating_sub(1) * 1_000_000_000 / 1_500 <= program.due + 400_000, "{sent} {}", program.due);
        program.end_portion(u64::MAX, pace, false);
    }
    assert_eq!(sent, 1_500);
    assert!(program.due.abs_diff(1_000_000_000) <= 1_000_000, "{}", program.due);
}

/// A rate of 0 waits forever.
#[test]
fn no_rate_is_no_loop() {
    let pace = Pace::Rate { bits: 0, every: 0 };
    let mut program = Program::new(vec![Step::Send(Stretch { bytes: 1, size: 1, pace, waits: Waits::default() })]);
    program.begin(0);
    assert_eq!(program.end_portion(0, pace, false), Some(u64::MAX));
}
