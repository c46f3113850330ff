use serde::Serialize;
use tcpwhy_model::{Cause, Detail, LimitTimeline};

use crate::dto::{Id, rounded};
use crate::ratio::ratio;

/// Time under one limit with one detail.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct LimitShare {
    /// Limit id.
    pub(crate) limit: Id,
    /// Detail id; null if the limit has no details.
    pub(crate) detail: Option<Id>,
    /// Time.
    pub(crate) seconds: f64,
    /// Share of the span, from 0 to 1.
    pub(crate) share: f64,
    /// Low end of the share's 95 % confidence interval; only if it was sampled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) low_share: Option<f64>,
    /// High end of that interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) high_share: Option<f64>,
    /// Confidence, from 0 to 1.
    pub(crate) confidence: f64,
}

/// Time by cause, longest first.
pub(super) fn shares_of(limits: &LimitTimeline) -> Vec<LimitShare> {
    let span = limits.span().nanos() as f64;
    limits
        .totals()
        .iter()
        .map(|t| LimitShare {
            limit: t.cause.limit.id().into(),
            detail: detail_id(t.cause),
            seconds: t.nanos as f64 / 1e9,
            share: ratio(t.nanos as f64, span),
            low_share: None,
            high_share: None,
            confidence: rounded(t.confidence),
        })
        .collect()
}

pub(super) fn detail_id(cause: Cause) -> Option<Id> {
    cause.detail.map(Detail::id).map(Into::into)
}
