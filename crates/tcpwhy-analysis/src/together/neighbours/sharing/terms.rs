//! Tests of each threshold for a shared link, just below its boundary and above.

use super::*;

#[test]
fn rates_vary_from_a_tenth_on() {
    let pairs = |step: f64| -> Vec<(f64, f64)> {
        (0..20).map(|n| if n % 2 == 0 { (100.0 - step, 100.0 + step) } else { (100.0 + step, 100.0 - step) }).collect()
    };
    // LINK_VARIES
    assert_eq!(correlation(&pairs(9.9)), None);
    assert!(correlation(&pairs(10.1)).is_some_and(|r| (r + 1.0).abs() < 1e-9));
    assert_eq!(correlation(&[]), None);
}

#[test]
fn what_overlaps() {
    let span = |from, to| Span::new(Timestamp::from_nanos(from), Timestamp::from_nanos(to));
    assert_eq!(overlap(span(0, 10), span(5, 20)), 5);
    assert_eq!(overlap(span(0, 10), span(10, 20)), 0);
    assert_eq!(overlap(span(0, 10), span(15, 20)), 0);
    assert_eq!(overlap(span(0, 100), span(15, 20)), 5);
}
