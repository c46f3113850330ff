//! `setsockopt(SO_SNDBUF)`, `setsockopt(SO_RCVBUF)` and their `FORCE` forms.

use tcpwhy_model::ByteCount;

use crate::figure::Derivation;
use crate::{Ground, KernelVersion, Rule, Setting, SettingOrigin, Sysctl, Sysctls};

/// Smallest value of `getsockopt(SO_SNDBUF)`: two socket buffers of 2,048 bytes (`SOCK_MIN_SNDBUF` on 64
/// bits).
pub const MIN_SNDBUF: ByteCount = 4608;
/// Smallest value of `getsockopt(SO_RCVBUF)` (`SOCK_MIN_RCVBUF` on 64 bits).
pub const MIN_RCVBUF: ByteCount = 2304;
/// Largest request that is doubled (`INT_MAX / 2`).
const MAX_DOUBLED: ByteCount = 1_073_741_823;

/// Time at which an option is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum When {
    /// On the connecting socket, before `connect()`.
    #[default]
    BeforeConnect,
    /// On the listening socket, before the SYN arrives; the accepted socket inherits it.
    OnListener,
    /// On an established socket that has received nothing yet: after `connect()` or right after `accept()`.
    AfterConnect,
    /// On an established socket while data flows.
    AfterData,
}

impl When {
    /// Whether it is early enough to affect SYN or SYN-ACK, and so the window scale.
    pub(crate) const fn is_before_syn(self) -> bool {
        matches!(self, Self::BeforeConnect | Self::OnListener)
    }
}

/// A buffer size that a program requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferRequest {
    /// The `int` passed to `setsockopt`; a negative one counts as the largest.
    pub bytes: i32,
    /// Whether `SO_SNDBUFFORCE` or `SO_RCVBUFFORCE` is used, which needs the `CAP_NET_ADMIN` capability.
    pub is_forced: bool,
    /// Time of the request.
    pub when: When,
}

impl BufferRequest {
    /// A request without `FORCE`, before the connection is opened.
    pub const fn new(bytes: i32) -> Self {
        Self { bytes, is_forced: false, when: When::BeforeConnect }
    }

    /// The same request at another time.
    #[must_use]
    pub const fn set(self, when: When) -> Self {
        Self { when, ..self }
    }

    /// The same request by the `FORCE` option.
    #[must_use]
    pub const fn forced(self) -> Self {
        Self { is_forced: true, ..self }
    }
}

/// Effect of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Granted {
    /// The request.
    pub request: BufferRequest,
    /// The cap and its sysctl; `None` for the `FORCE` options.
    pub cap: Option<(Sysctl, Setting<ByteCount>)>,
    /// The request after the cap.
    pub clamped: ByteCount,
    /// Value of `getsockopt`: doubled, and at least the floor.
    pub reported: ByteCount,
}

impl Granted {
    /// Whether the cap reduced the request.
    pub fn is_clamped(&self) -> bool {
        self.request.bytes < 0 && !self.request.is_forced
            || u64::try_from(self.request.bytes).is_ok_and(|asked| asked > self.clamped)
    }

    /// Whether the floor determines the size.
    pub fn is_raised(&self) -> bool {
        self.reported > 2 * self.clamped
    }

    pub(crate) fn ground(&self) -> Ground {
        match self.cap {
            Some((_, Setting { origin: SettingOrigin::Default, .. })) => Ground::Assumed,
            _ => Ground::Exact,
        }
    }
}

/// Send or receive buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferKind {
    /// `SO_SNDBUF`.
    Send,
    /// `SO_RCVBUF`.
    Receive,
}

impl BufferKind {
    /// The sysctl that caps requests.
    pub const fn cap(self) -> Sysctl {
        match self {
            Self::Send => Sysctl::WmemMax,
            Self::Receive => Sysctl::RmemMax,
        }
    }

    /// Smallest value of `getsockopt`.
    pub const fn floor(self) -> ByteCount {
        match self {
            Self::Send => MIN_SNDBUF,
            Self::Receive => MIN_RCVBUF,
        }
    }

    /// The kernel's name of the field.
    const fn field(self) -> &'static str {
        match self {
            Self::Send => "sk_sndbuf",
            Self::Receive => "sk_rcvbuf",
        }
    }
}

/// Effect of `setsockopt`, from the numbers alone: the request after the cap, and the value of `getsockopt`.
/// The request counts as `u32` and is limited by `cap`, then doubled, and at least the floor. For the `FORCE`
/// options `cap` is `None`, and a negative request counts as 0.
///
/// Source: `sk_setsockopt` and `__sock_set_rcvbuf` in `net/core/sock.c`; measured on 6.1, 6.12, 6.18 and 7.3.
pub fn reported_buffer(kind: BufferKind, bytes: i32, cap: Option<ByteCount>) -> (ByteCount, ByteCount) {
    let clamped = match cap {
        Some(cap) => ByteCount::from(bytes as u32).min(cap),
        None => ByteCount::from(bytes.max(0) as u32),
    }
    .min(MAX_DOUBLED);
    (clamped, (2 * clamped).max(kind.floor()))
}

/// Computes the effect of `request` under `sysctls`.
pub fn grant(kind: BufferKind, request: BufferRequest, sysctls: &Sysctls, version: KernelVersion) -> Granted {
    // Every version has a default for both caps, so the fallback is never used.
    let cap = sysctls
        .number_or_default(kind.cap(), version)
        .map_or(Setting { value: MAX_DOUBLED, origin: SettingOrigin::Default }, |setting| {
            setting.map(|value| value.clamp(0, i64::from(i32::MAX)) as ByteCount)
        });
    let cap = (!request.is_forced).then_some((kind.cap(), cap));
    let (clamped, reported) = reported_buffer(kind, request.bytes, cap.map(|(_, setting)| setting.value));
    Granted { request, cap, clamped, reported }
}

/// Adds the derivation of `granted` to `steps`.
pub(crate) fn explain(kind: BufferKind, granted: &Granted, steps: &mut Derivation) {
    let asked = granted.request.bytes;
    let ground = granted.ground();
    if let Some((sysctl, cap)) = granted.cap {
        let asked = if asked < 0 { format!("(u32) {asked}") } else { asked.to_string() };
        let formula = format!("min({asked}, {} {}) = {}", sysctl.name(), cap.value, granted.clamped);
        steps.note(Rule::ClampByMax, ground, formula, granted.clamped);
    } else {
        let formula = format!("min(max({asked}, 0), {MAX_DOUBLED}) = {}", granted.clamped);
        steps.note(Rule::ForceSkipsMax, ground, formula, granted.clamped);
    }
    let formula = format!("{} = max(2 × {}, {}) = {}", kind.field(), granted.clamped, kind.floor(), granted.reported);
    steps.note(Rule::Doubled, ground, formula, granted.reported);
}
