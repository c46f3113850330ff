//! Tests the conditions about sends that follow the peer's payload, row by row.

use tcpwhy_testkit::ms;

use super::super::testing::{Scene, hold, no, yes};
use crate::facts::bytes::Bytes;
use crate::facts::half::ledger::PeerWords;

/// 17 slots. In the first and the last, half of the time ended with a message of the peer, after ACKs that
/// had made room.
fn awaiting() -> Scene {
    Scene::of(17, 8, ms(10), |place, slot| {
        (slot.ack_clocked, slot.room_unused, slot.unreleased) = (ms(1), ms(1), ms(1));
        (slot.word_released, slot.advancing_acks, slot.sends) = (if place == 8 { 1_500 } else { 0 }, 10, 1);
        slot.word_awaited = slot.word_released;
        if [0, 16].contains(&place) {
            (slot.word_released, slot.word_awaited) = (12_000, 12_000);
        }
    })
}

#[test]
fn the_peer_releases_data() {
    hold!(
        awaits_peer,
        &awaiting(),
        [
            yes("half of the time between bursts", |_| ()),
            no("less", |s| s.slots[0].word_awaited = 11_999),
            no("less of more time after ACKs", |s| s.slots[16].ack_clocked += 1),
            no("less of more room left unused", |s| s.slots[16].room_unused += 1),
            no("less of more that followed no ACK", |s| s.slots[16].unreleased += 1),
            no("none right around", |s| (s.word_released, s.slots[16].word_awaited) = (0, 30_000)),
            no("some of it beyond eight slots", |s| s.at = 7),
            no("as it would be by chance", |s| s.slots[0].word_covered = 1),
        ],
    );
}

/// Sends follow the peer's payload after 2/3 of the time, and ACKs explain none of them.
#[test]
fn the_peer_is_followed() {
    let scene = Scene::of(17, 8, ms(10), |_, slot| {
        (slot.ack_clocked, slot.room_unused, slot.unreleased) = (ms(1), ms(1), ms(1));
        (slot.word_released, slot.advancing_acks, slot.word_acks, slot.sends) = (2_000, 3, 1, 1);
        (slot.peak_flight, slot.sent, slot.heard) = (Bytes::of(14_481), Bytes::of(19_999), 1_000);
    });
    hold!(
        awaits_peer,
        &scene,
        [
            yes("one ACK of three has payload", |_| ()),
            no("less of the time", |s| s.slots[0].word_released = 1_999),
            no("more of the ACKs have payload", |s| s.slots[0].word_acks = 2),
            yes("more, within any first window", |s| {
                s.slots[0].word_acks = 2;
                s.slots.iter_mut().for_each(|slot| slot.peak_flight = Bytes::of(14_480));
            }),
            yes("more, and much is answered", |s| {
                s.slots[0].word_acks = 2;
                s.slots[0].sent.add(17);
            }),
            no("chance would have it half as often", |s| {
                s.slots.iter_mut().for_each(|slot| slot.word_covered = 3_334);
            }),
        ],
    );
}

const fn words(usual: u32, were_awaited: bool) -> PeerWords {
    PeerWords { usual, were_awaited }
}

/// 20 bytes per byte received, if this side did not request them or the peer's messages usually have 70
/// bytes.
#[test]
fn much_is_granted_with_few_bytes() {
    let scene = Scene::of(17, 8, ms(10), |_, slot| {
        (slot.sent, slot.heard, slot.sends) = (Bytes::of(20_000), 1_000, 1);
    });
    hold!(
        is_granted,
        &scene,
        [
            yes("nothing said", |_| ()),
            no("less for it", |s| s.slots[0].heard += 1),
            yes("70 bytes each", |s| s.context.peer_words = words(70, false)),
            no("more", |s| s.context.peer_words = words(71, false)),
            yes("more, to a side that had begun", |s| s.context.peer_words = words(71, true)),
        ],
    );
}
