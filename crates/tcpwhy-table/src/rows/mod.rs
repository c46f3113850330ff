//! Rows of each table, from domain types. A column has the meaning of the JSON key of the same name.

mod answers;
pub(crate) mod captures;
pub(crate) mod connections;
pub(crate) mod exchanges;
pub(crate) mod findings;
pub(crate) mod halves;
pub(crate) mod limits;
pub(crate) mod services;

use std::borrow::Cow;

use tcpwhy_analysis::Side;
use tcpwhy_model::{Cause, Detail};

/// Nanoseconds per second.
const NANOS: f64 = 1e9;

fn seconds(nanos: i64) -> f64 {
    nanos as f64 / NANOS
}

fn micros(nanos: u64) -> f64 {
    nanos as f64 / 1e3
}

/// Converts to a signed integer, because Spark has no unsigned ones. No count reaches the limit.
fn integer(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

const fn side(side: Side) -> i8 {
    match side {
        Side::A => 0,
        Side::B => 1,
    }
}

fn limit(cause: Option<Cause>) -> &'static str {
    cause.map_or("none", |cause| cause.limit.id())
}

fn detail<'a>(cause: Option<Cause>) -> Option<Cow<'a, str>> {
    cause.and_then(|cause| cause.detail).map(|detail: Detail| detail.id().into())
}
