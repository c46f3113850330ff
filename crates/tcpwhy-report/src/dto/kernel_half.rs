use serde::Serialize;

use tcpwhy_analysis::HalfConnection;

use crate::dto::limit_share::shares_of;
use crate::dto::{Id, LimitShare, Presentation, rounded};
use crate::text::kernel_word::kernel_word;

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
    /// Time of the direction of which the kernel shows the cause.
    pub(crate) watched_s: f64,
    /// What the kernel's word is to the verdict. `agrees`: as far as so few samples show, and the time is the
    /// packets'. `decides`: they differ, and `limits`, `verdict` and findings of the direction are those of
    /// kernel and packets together. `watched_too_little`: they differ, and the kernel watched half of the
    /// time or less, so the packets decide.
    pub(crate) word: Id,
    /// Where they differ most; null where they agree.
    pub(crate) difference: Option<KernelDifference>,
}

/// Where the kernel's shares differ most from those of the packets.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct KernelDifference {
    /// The time whose cause both show, without repairs of losses: the whole of all shares.
    pub(crate) seconds: f64,
    /// The kind to which the kernel gives more.
    pub(crate) more: KindShares,
    /// The kind to which it gives less.
    pub(crate) less: KindShares,
    /// Both shares, which of them decides, and why, in a sentence; left out without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sentence: Option<String>,
}

/// The share of a kind of cause by kernel and by packets.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct KindShares {
    /// `network`, `send_buffer`, `receive_window`, `application`, `small_write` (Nagle, `TCP_CORK`) or
    /// `pacing` (`SO_MAX_PACING_RATE`).
    pub(crate) kind: Id,
    /// By the kernel, from 0 to 1.
    pub(crate) kernel: f64,
    /// By the packets alone, from 0 to 1.
    pub(crate) packets: f64,
}

impl KindShares {
    fn new(shares: tcpwhy_analysis::KindShares) -> Self {
        Self { kind: shares.kind.id().into(), kernel: rounded(shares.kernel), packets: rounded(shares.packets) }
    }
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
