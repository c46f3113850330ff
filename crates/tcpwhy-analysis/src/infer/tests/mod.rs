//! Tests decisions about slots built by hand: by each hypothesis alone, by all of them in order, and in the
//! timeline.

mod account;
mod around;
mod gaps;
mod slots;

use tcpwhy_model::{Cause, WindowScale};

use super::conditions::testing::Scene;
use super::decision::Decision;
use crate::facts::bytes::Bytes;

/// `path/queue`.
fn name(cause: Cause) -> String {
    let detail = cause.detail.map(|detail| format!("/{}", detail.id())).unwrap_or_default();
    format!("{}{detail}", cause.limit.id())
}

/// `path or application (live-sampling), even_spacing, 0.65`.
fn described(decision: &Decision) -> String {
    let other = decision.alternative.map(|(limit, decider)| format!(" or {} ({})", limit.id(), decider.id()));
    format!("{}{}, {}, {}", name(decision.cause), other.unwrap_or_default(), decision.reason.id(), decision.confidence)
}

/// One slot of 100 ms without evidence except a window of 1 MB.
fn plain() -> Scene {
    let mut scene = Scene::one(|slot| {
        slot.note_window(1_000_000);
        (slot.peak_flight, slot.cwnd_floor) = (Bytes::of(10_000), Bytes::of(10_000));
    });
    scene.context.window_scale = WindowScale::Shift(7);
    (scene.context.flight_max, scene.peak_before) = (10_000, 10_000);
    scene
}
