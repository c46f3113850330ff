//! Tests of each number of pages: moving a boundary fails a test.

use super::*;

#[test]
fn a_page_begins_with_its_first_entry() {
    let skip = |first| Page { first }.skip();
    assert_eq!([skip(1), skip(2), skip(11)], [0, 1, 10], "entries are numbered from 1");
    assert_eq!((skip(0), Page::FIRST.skip()), (0, 0));
}

#[test]
fn the_next_page_begins_after_what_was_returned() {
    for (what, first, matched, returned, expected) in [
        ("more than one page", 1, 25, 10, Some(11)),
        ("the second page", 11, 25, 10, Some(21)),
        ("exactly one page", 1, 10, 10, None),
        ("one entry more", 1, 11, 10, Some(11)),
        ("the last page", 21, 25, 5, None),
        ("a page that was shortened", 1, 10, 4, Some(5)),
        ("nothing was returned", 1, 25, 0, None),
        ("after the last entry", 30, 25, 0, None),
        ("numbers that no list has", u64::MAX, 25, 10, None),
    ] {
        assert_eq!(Page { first }.next(matched, returned), expected, "{what}");
    }
}
