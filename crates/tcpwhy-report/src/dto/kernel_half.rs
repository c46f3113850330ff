use serde::Serialize;

use tcpwhy_analysis::HalfConnection;

use crate::dto::limit_share::shares_of;
use crate::dto::{Id, LimitShare, Presentation, rounded};
use crate::text::kernel_word::kernel_word;

/// The kernel's data about a direction in comparison with the packets, for the time that both cover.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct KernelHalf {
    /// Length of that time.
    pub(crate) seconds: f64,
    /// Number of samples of the sender's socket.
    pub(crate) samples: u64,
    /// Time by limit and detail according to the kernel's samples, longest first.
    pub(crate) limits: Vec<LimitShare>,
    /// Time by limit and detail according to the packets.
    pub(crate) packets: Vec<LimitShare>,
    /// Share of that time for which kernel and packets show different groups of limits: path, send buffer,
    /// receive window, application. Time that either cannot classify does not count.
    pub(crate) disagreement: f64,
    /// Whether that is more than 10 %, and more than the chance error of so few samples.
    pub(crate) disagrees: bool,
    /// The kernel's own chronometers of the sender's socket; null before Linux 4.10.
    pub(crate) clocks: Option<KernelClocks>,
    /// Time of the direction for which the kernel shows the cause.
    pub(crate) watched_s: f64,
    /// Effect of the kernel's data on the verdict. `agrees`: no difference beyond the error of so few
    /// samples; the times are from packets. `decides`: they differ, and `limits`, `verdict` and findings of
    /// the direction combine kernel and packets. `watched_too_little`: they differ, and the kernel watched at
    /// most half of the time, so the packets decide.
    pub(crate) word: Id,
    /// Largest difference; null if they agree.
    pub(crate) difference: Option<KernelDifference>,
}

/// The largest difference between the kernel's shares and those of the packets.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct KernelDifference {
    /// Time whose cause both show, without recovery from losses: 100 % of all shares.
    pub(crate) seconds: f64,
    /// Kind to which the kernel gives a larger share.
    pub(crate) more: KindShares,
    /// Kind to which the kernel gives a smaller share.
    pub(crate) less: KindShares,
    /// Both shares, which of them decides, and why; absent without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sentence: Option<String>,
}

/// The share of a kind of cause according to kernel and packets.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct KindShares {
    /// `network`, `send_buffer`, `receive_window`, `application`, `small_write` (Nagle, `TCP_CORK`) or
    /// `pacing` (`SO_MAX_PACING_RATE`).
    pub(crate) kind: Id,
    /// Share according to the kernel, from 0 to 1.
    pub(crate) kernel: f64,
    /// Share according to the packets alone, from 0 to 1.
    pub(crate) packets: f64,
}

impl KindShares {
    fn new(shares: tcpwhy_analysis::KindShares) -> Self {
        Self { kind: shares.kind.id().into(), kernel: rounded(shares.kernel), packets: rounded(shares.packets) }
    }
}

/// The chronometers of `tcp_info` while a socket was watched.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct KernelClocks {
    /// Time during which it was watched.
    pub(crate) watched_s: f64,
    /// Time with data to send or in flight (`busy_time`).
    pub(crate) busy_s: f64,
    /// Part of the busy time limited by the peer's window (`rwnd_limited`).
    pub(crate) rwnd_limited_s: f64,
    /// Part of the busy time limited by the send buffer, as far as the kernel notices (`sndbuf_limited`).
    pub(crate) sndbuf_limited_s: f64,
    /// Whether `sndbuf_limited` is less than half of the time that the samples give to the send buffer.
    pub(crate) sndbuf_limited_misses: bool,
    /// Whether `rwnd_limited` differs a lot from the time that the samples give to the peer's window, under a
    /// congestion control that paces.
    pub(crate) rwnd_limited_is_wrong: bool,
}

impl KernelHalf {
    pub(super) fn new(half: &HalfConnection, both: &tcpwhy_analysis::KernelHalf, words: Presentation<'_>) -> Self {
        let sentence = || kernel_word(words.wording, half, both).filter(|_| words.has_words);
        Self {
            watched_s: both.watched as f64 / 1e9,
            word: both.word.id().into(),
            difference: both.word.difference().map(|difference| KernelDifference {
                seconds: difference.nanos as f64 / 1e9,
                more: KindShares::new(difference.more),
                less: KindShares::new(difference.less),
                sentence: sentence(),
            }),
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
