//! Tests of each number of the shortening: moving a boundary fails a test.

use super::*;

/// An answer of letters; the second number is how many it keeps at least.
#[derive(Serialize)]
#[serde(transparent)]
struct Letters(Vec<char>, #[serde(skip)] usize);

impl Fit for Letters {
    fn shorten(&mut self) -> bool {
        pop(&mut self.0, self.1)
    }
}

#[test]
fn an_answer_is_shortened_until_it_fits() {
    // Three letters are `["a","a","a"]`: 13 bytes.
    let fitted = |letters: usize, least: usize, most: usize| fit(Letters(vec!['a'; letters], least), most).len();
    for (what, found, expected) in [
        ("it fits exactly", fitted(3, 0, 13), 13),
        ("a byte too many", fitted(3, 0, 12), 9),
        ("as far as it can be shortened", fitted(3, 2, 1), 9),
        ("to nothing", fitted(3, 0, 2), 2),
        ("nothing may go", fitted(3, 3, 1), 13),
    ] {
        assert_eq!(found, expected, "{what}: bytes");
    }
    assert_eq!(MOST_BYTES, 4000);
}

#[test]
fn the_last_entry_goes_while_more_are_left() {
    let popped = |least| {
        let mut list = vec![1, 2, 3];
        (pop(&mut list, least), list)
    };
    assert_eq!(popped(2), (true, vec![1, 2]));
    assert_eq!(popped(3), (false, vec![1, 2, 3]));
    assert_eq!(popped(0), (true, vec![1, 2]), "one at a time");
}

#[test]
fn sentences_are_on_one_line() {
    let all = [Some("one  sentence\n  in columns".to_owned()), None, Some(String::new()), Some("last".to_owned())];
    assert_eq!(sentences(all), ["one sentence in columns", "last"]);
}

#[test]
fn four_significant_digits() {
    for (value, expected) in [
        (9999.4, "9999.0"),
        (9999.5, "10000.0"),
        (1.2344, "1.234"),
        (1.2345, "1.235"),
        (-1.2346, "-1.235"),
        (12_345.0, "12350.0"),
        (0.012_344_9, "0.01234"),
        (f64::NAN, "0.0"),
        (f64::INFINITY, "0.0"),
    ] {
        assert_eq!(serde_json::to_string(&short(value)).unwrap_or_default(), expected, "{value}");
    }
}
