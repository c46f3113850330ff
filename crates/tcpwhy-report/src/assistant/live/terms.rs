//! Tests of each term of the answer about a host without connections: dropping a term fails a test.

use super::*;
use crate::dto::LiveGap;
use crate::{Catalogue, Language};

fn facts(mode: &str, lost_ends: u64) -> LiveHostFacts {
    LiveHostFacts {
        name: None,
        kernel_release: None,
        start_ns: 0,
        duration_s: 2.000_04,
        mode: mode.to_owned(),
        mode_reason: Some("reason".to_owned()),
        lost_events: 1,
        lost_ends,
        samples: 2,
        dumps: 3,
        cpu_s: 4.0,
        setup_cpu_s: 5.0,
        cpu_budget: 0.6,
        network_namespaces: 7,
        connections_seen: 8,
        connections_active: 9,
        gaps: vec![LiveGap { id: "gap".to_owned(), text: "not seen".to_owned() }; 4],
    }
}

fn answer(mode: &str, lost_ends: u64) -> LiveAnswer {
    let catalogue = Catalogue::new(Language::English);
    let wording = Wording::new(&catalogue);
    LiveAnswer::new(wording, facts(mode, lost_ends), &[], None, Page::FIRST, &mut |_| {})
}

/// The kernel's own statistics miss no connection unless there was no room for them.
#[test]
fn nothing_was_active_or_nothing_was_seen() {
    let catalogue = Catalogue::new(Language::English);
    for (what, mode, lost_ends, id) in [
        ("the kernel counted all", "bpf", 0, "live-none-active"),
        ("it had no room for an end", "bpf", 1, "live-none-seen"),
        ("samples", "samples", 0, "live-none-seen"),
    ] {
        assert_eq!(answer(mode, lost_ends).answer, [catalogue.word(id)], "{what}");
    }
}

#[test]
fn what_was_watched() {
    let found = answer("bpf", 0);
    let host = &found.host;
    assert_eq!((&*host.mode, host.mode_reason.as_deref(), host.connections_seen), ("bpf", Some("reason"), 8));
    assert_eq!((host.watched_s.round() as i64, host.ground), (2, Ground::Exact));
    assert_eq!((found.matched, found.returned, found.next_connection), (0, 0, None));
    assert_eq!(found.cannot_tell, ["not seen"; 4]);
    assert_eq!((MOST_CONNECTIONS, MOST_LIMITS), (8, 3));
}

#[test]
fn gaps_go_until_none_is_left() {
    let mut found = answer("bpf", 0);
    let mut left = Vec::new();
    while found.shorten() {
        left.push(found.cannot_tell.len());
    }
    assert_eq!(left, [3, 2, 1, 0]);
}
