use serde::Serialize;

use crate::dto::limit_share::shares_of;
use crate::dto::{LimitShare, rounded};

/// What the kernel said of a direction beside what packets say, in the time that both tell of.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct KernelHalf {
    /// How long that is.
    pub(crate) seconds: f64,
    /// How often the sender's socket was looked at.
    pub(crate) samples: u64,
    /// Time by limit and detail as the kernel's samples say, longest first.
    pub(crate) limits: Vec<LimitShare>,
    /// The same as packets say.
    pub(crate) packets: Vec<LimitShare>,
    /// The share of that time that they give to different groups of limits: what the path does, the send
    /// buffer, the receive window, the application. What either does not see does not count.
    pub(crate) disagreement: f64,
    /// Whether that is more than a tenth, and more than samples so few may be wrong by chance.
    pub(crate) disagrees: bool,
    /// The kernel's own clocks of the sender's socket; null before Linux 4.10.
    pub(crate) clocks: Option<KernelClocks>,
}

/// The clocks of `tcp_info` while a socket was watched.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct KernelClocks {
    /// How long it was watched.
    pub(crate) watched_s: f64,
    /// With data to send or in flight (`busy_time`).
    pub(crate) busy_s: f64,
    /// Of that, held by the peer's window (`rwnd_limited`).
    pub(crate) rwnd_limited_s: f64,
    /// Of that, held by the send buffer as far as the kernel notices (`sndbuf_limited`).
    pub(crate) sndbuf_limited_s: f64,
    /// Whether `sndbuf_limited` has less than half of the time that the samples give to the send buffer.
    pub(crate) sndbuf_limited_misses: bool,
    /// Whether `rwnd_limited` is far from the time that the samples give to the peer's window, under
    /// congestion control that paces.
    pub(crate) rwnd_limited_is_wrong: bool,
}

impl KernelHalf {
    pub(super) fn new(both: &tcpwhy_analysis::KernelHalf) -> Self {
        Self {
            seconds: both.kernel.span().seconds(),
            samples: both.samples,
            limits: shares_of(&both.kernel),
            packets: shares_of(&both.packets),
            disagreement: rounded(both.disagreement),
            disagrees: both.disagrees(),
            clocks: both.clocks.as_ref().map(|clocks| KernelClocks {
                watched_s: clocks.watched as f64 / 1e9,
                busy_s: clocks.busy as f64 / 1e9,
                rwnd_limited_s: clocks.receive_window as f64 / 1e9,
                sndbuf_limited_s: clocks.send_buffer as f64 / 1e9,
                sndbuf_limited_misses: clocks.misses_send_buffer(&both.kernel),
                rwnd_limited_is_wrong: clocks.misses_window(&both.kernel),
            }),
        }
    }
}
