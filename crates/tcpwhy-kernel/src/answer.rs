//! The complete answer to "if I set this, what do I really get?".

use tcpwhy_model::{ByteCount, Rate};

use crate::writers::{least_writer, over_writers};
use crate::{
    AutotuningLevel, BufferKind, BufferRequest, Change, Coverage, Device, Figure, KernelVersion, Link, Path,
    ReceiveLimits, ReceiveQuestion, Remedy, Route, Rule, Seconds, SendLimits, SendQuestion, Sysctl, Sysctls, Writer,
    WriterRow, by_writer, rate_of_window, receive_limits, receive_remedies, send_limits, send_remedies,
};

/// Input of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Kernel version.
    pub version: KernelVersion,
    /// Settings of the host.
    pub sysctls: &'a Sysctls,
    /// `SO_SNDBUF`; `None` leaves autotuning on.
    pub sndbuf: Option<BufferRequest>,
    /// `SO_RCVBUF`; `None` leaves autotuning on.
    pub rcvbuf: Option<BufferRequest>,
    /// `TCP_WINDOW_CLAMP`, set before SYN or SYN-ACK; `None` if not set.
    pub window_clamp: Option<ByteCount>,
    /// `TCP_NOTSENT_LOWAT`; `None` if not set.
    pub notsent_lowat: Option<ByteCount>,
    /// The link.
    pub link: Link,
    /// How a sender writes.
    pub writer: Writer,
    /// Whether the sender's congestion control is BBR.
    pub is_bbr: bool,
    /// Round-trip time in seconds, if known.
    pub round_trip_seconds: Option<f64>,
    /// Bandwidth, if known.
    pub bandwidth: Option<Rate>,
    /// Bytes of a transfer whose duration is wanted.
    pub transfer_bytes: Option<ByteCount>,
    /// A window to examine instead of a buffer.
    pub window: Option<ByteCount>,
    /// The autotuning level of Windows.
    pub autotuning_level: AutotuningLevel,
}

impl<'a> Question<'a> {
    /// The path, if both round-trip time and bandwidth are known.
    pub fn path(&self) -> Option<Path> {
        let (round_trip_seconds, bandwidth) = self.round_trip_seconds.zip(self.bandwidth)?;
        Some(Path { round_trip_seconds, bandwidth })
    }

    /// The path, if the round-trip time is known; the bandwidth is optional.
    pub fn route(&self) -> Option<Route> {
        let round_trip_seconds = self.round_trip_seconds?;
        Some(Route { round_trip_seconds, bandwidth: self.bandwidth, mss: self.link.mss() })
    }

    /// Duration of the transfer with `flight` bytes in flight, as a buffer of this kind allows.
    pub fn transfer(&self, flight: &Figure, kind: BufferKind) -> Option<Seconds> {
        Some(self.route()?.seconds_of(self.transfer_bytes?, flight, kind))
    }

    /// The question for the sender.
    pub const fn send(&self) -> SendQuestion<'a> {
        SendQuestion {
            version: self.version,
            sysctls: self.sysctls,
            request: self.sndbuf,
            link: self.link,
            writing: self.writer.writing(),
            is_bbr: self.is_bbr,
            peer_window: None,
            notsent_lowat: self.notsent_lowat,
        }
    }

    /// The question for the receiver.
    pub const fn receive(&self) -> ReceiveQuestion<'a> {
        ReceiveQuestion {
            version: self.version,
            sysctls: self.sysctls,
            request: self.rcvbuf,
            window_clamp: self.window_clamp,
            link: self.link,
        }
    }
}

/// Limits of one side, and their consequences.
#[derive(Clone, Debug, PartialEq)]
pub struct Side<L> {
    /// The limits.
    pub limits: L,
    /// The limits without the request; `None` if there is no request.
    pub autotuned: Option<L>,
    /// Bytes in flight that they allow in the long run.
    pub flight: Figure,
    /// Bytes in flight without the request.
    pub autotuned_flight: Option<Figure>,
    /// Whether that fills the path; `None` if the path is unknown.
    pub coverage: Option<Coverage>,
    /// Changes that would fill the path, best first.
    pub remedies: Vec<Remedy>,
    /// Bytes in flight by the size of the writes; only for a sender whose writes are unknown.
    pub writers: Vec<WriterRow>,
    /// Facts that the numbers do not show.
    pub notes: Vec<Note>,
}

/// A fact that surprises users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Note {
    /// A set buffer no longer grows.
    AutotuningOff,
    /// `rmem_max` or `wmem_max` is smaller than what autotuning reaches, and does not limit it.
    MaxDoesNotLimitAutotuning,
    /// The cap of requests reduced the request.
    Clamped,
    /// More bytes may be in flight than the buffer holds, because one skb is always sent.
    MoreThanTheBuffer,
    /// Nagle's algorithm and writes that are not whole segments exceed the buffer.
    OpenTail,
    /// The largest window that the window scale can encode is smaller than the buffer allows.
    ScaleWastes,
    /// The window is frozen below the one that the buffer would allow.
    Frozen,
    /// The share of the buffer that is window depends on the driver.
    DriverDecides,
    /// `tcp_adv_win_scale` is set and has no effect.
    AdvWinScaleIgnored,
    /// The usable window is rounded down to whole segments.
    WholeSegments,
    /// `TCP_WINDOW_CLAMP` bounds the first window and the scale, and is overwritten later.
    WindowClampIsWrittenOver,
    /// `TCP_NOTSENT_LOWAT` bounds unsent data, not data in flight.
    UnsentIsBounded,
    /// The initial size of an autotuned send buffer depends on the kernel's configuration.
    StartDependsOnConfiguration,
    /// 3.10 is interpreted as the kernel of RHEL 7, not of kernel.org.
    Rhel7,
    /// The answer depends on the stable release of 4.19, which was not given.
    ReleaseDecides,
    /// The first window and the initial buffer were read in the source of a kernel before 4.20.
    FirstSegments,
    /// Windows follows the path's ideal send backlog unless `SO_SNDBUF` is set.
    IdealBacklog,
    /// Windows accepts one write beyond `SO_SNDBUF`.
    OneWriteBeyond,
    /// `netsh` sets how far the receive window of Windows can grow.
    AutotuningLevel,
}

impl Note {
    /// All notes.
    pub const ALL: [Self; 19] = [
        Self::AutotuningOff,
        Self::MaxDoesNotLimitAutotuning,
        Self::Clamped,
        Self::MoreThanTheBuffer,
        Self::OpenTail,
        Self::ScaleWastes,
        Self::Frozen,
        Self::DriverDecides,
        Self::AdvWinScaleIgnored,
        Self::WholeSegments,
        Self::WindowClampIsWrittenOver,
        Self::UnsentIsBounded,
        Self::StartDependsOnConfiguration,
        Self::Rhel7,
        Self::ReleaseDecides,
        Self::FirstSegments,
        Self::IdealBacklog,
        Self::OneWriteBeyond,
        Self::AutotuningLevel,
    ];

    /// Stable kebab-case id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::AutotuningOff => "autotuning-off",
            Self::MaxDoesNotLimitAutotuning => "max-does-not-limit-autotuning",
            Self::Clamped => "clamped",
            Self::MoreThanTheBuffer => "more-than-the-buffer",
            Self::OpenTail => "open-tail",
            Self::ScaleWastes => "scale-wastes",
            Self::Frozen => "frozen",
            Self::DriverDecides => "driver-decides",
            Self::AdvWinScaleIgnored => "adv-win-scale-ignored",
            Self::WholeSegments => "whole-segments",
            Self::WindowClampIsWrittenOver => "window-clamp-is-written-over",
            Self::UnsentIsBounded => "unsent-is-bounded",
            Self::StartDependsOnConfiguration => "start-depends-on-configuration",
            Self::Rhel7 => "rhel-7",
            Self::ReleaseDecides => "release-decides",
            Self::FirstSegments => "first-segments",
            Self::IdealBacklog => "ideal-backlog",
            Self::OneWriteBeyond => "one-write-beyond",
            Self::AutotuningLevel => "autotuning-level",
        }
    }
}

/// Answers `question` for the sender.
pub fn answer_send(question: &Question<'_>) -> Side<SendLimits> {
    let of = question.send();
    let limits = send_limits(&of);
    let autotuned = of.request.map(|_| send_limits(&SendQuestion { request: None, ..of }));
    let granted = limits.granted.is_some();
    let writers = if question.writer.is_range() { by_writer(&of) } else { Vec::new() };
    // Autotuning counts one skb per segment, so the size of the writes matters only for a buffer that is set.
    let is_range = granted && question.writer.is_range();
    let flight = if is_range { over_writers(question.writer, &of, &limits, &writers) } else { limits.largest_flight };
    let product = question.path().map(|path| path.bandwidth_delay_product());
    let mut notes = Vec::new();
    note(&mut notes, Note::Clamped, limits.granted.is_some_and(|granted| granted.is_clamped()));
    note(&mut notes, Note::MoreThanTheBuffer, flight.value > limits.largest_buffer.value);
    note(&mut notes, Note::OpenTail, flight.high.is_none());
    note(&mut notes, Note::AutotuningOff, granted);
    note(&mut notes, Note::MaxDoesNotLimitAutotuning, !granted && max_is_smaller(question, BufferKind::Send));
    let start = limits.initial_buffer;
    note(&mut notes, Note::StartDependsOnConfiguration, !granted && Some(start.low) != start.high);
    note(&mut notes, Note::UnsentIsBounded, limits.largest_unsent.is_some());
    let remedied = if is_range { least_writer(&of) } else { of };
    Side {
        flight,
        autotuned_flight: autotuned.as_ref().map(|limits| limits.largest_flight),
        coverage: product.map(|product| Coverage::of(&flight, product)),
        remedies: product.map_or_else(Vec::new, |product| send_remedies(&remedied, product)),
        writers,
        limits,
        autotuned,
        notes,
    }
}

/// Answers `question` for the receiver.
pub fn answer_receive(question: &Question<'_>) -> Side<ReceiveLimits> {
    let of = question.receive();
    let limits = receive_limits(&of);
    let autotuned = of.request.map(|_| receive_limits(&ReceiveQuestion { request: None, ..of }));
    let flight = limits.largest_flight;
    let product = question.path().map(|path| path.bandwidth_delay_product());
    let mut notes = Vec::new();
    let granted = limits.granted.is_some();
    let has_ratio = question.version.is_since(6, 6);
    let scale = question.sysctls.number(Sysctl::TcpAdvWinScale);
    note(&mut notes, Note::Clamped, limits.granted.is_some_and(|granted| granted.is_clamped()));
    note(&mut notes, Note::Frozen, limits.is_frozen);
    note(&mut notes, Note::ScaleWastes, limits.is_wire_capped && granted);
    note(&mut notes, Note::WholeSegments, flight.value < limits.largest_window.value / 8 * 7);
    note(&mut notes, Note::AutotuningOff, granted);
    note(&mut notes, Note::MaxDoesNotLimitAutotuning, !granted && max_is_smaller(question, BufferKind::Receive));
    note(&mut notes, Note::AdvWinScaleIgnored, has_ratio && scale.is_some_and(|scale| scale != 1));
    let is_kept = granted && !crate::window::has_following_clamp(question.version);
    note(&mut notes, Note::WindowClampIsWrittenOver, question.window_clamp.is_some() && !is_kept);
    note(&mut notes, Note::DriverDecides, has_ratio && question.link.device == Device::Nic);
    note(&mut notes, Note::Rhel7, question.version.is_rhel_7());
    let is_old = limits.steps.iter().any(|step| matches!(step.rule, Rule::FirstBuffer | Rule::FirstSegments));
    note(&mut notes, Note::FirstSegments, is_old && !question.version.is_rhel_7());
    let is_unnamed = KernelVersion { patch: None, ..question.version } == KernelVersion::series(4, 19)
        && matches!(question.version.patch, None | Some(0));
    note(&mut notes, Note::ReleaseDecides, is_unnamed);
    Side {
        flight,
        autotuned_flight: autotuned.as_ref().map(|limits| limits.largest_flight),
        coverage: product.map(|product| Coverage::of(&flight, product)),
        remedies: product.map_or_else(Vec::new, |product| receive_remedies(&of, product)),
        writers: Vec::new(),
        limits,
        autotuned,
        notes,
    }
}

pub(crate) fn note(notes: &mut Vec<Note>, note: Note, holds: bool) {
    if holds {
        notes.push(note);
    }
}

fn max_is_smaller(question: &Question<'_>, kind: BufferKind) -> bool {
    let (third, max) = match kind {
        BufferKind::Send => (Sysctl::TcpWmem, Sysctl::WmemMax),
        BufferKind::Receive => (Sysctl::TcpRmem, Sysctl::RmemMax),
    };
    let third = question.sysctls.triple_or_default(third, question.version);
    let max = question.sysctls.number_or_default(max, question.version);
    third.zip(max).is_some_and(|(third, max)| u64::try_from(max.value).is_ok_and(|max| 2 * max < third.value[2]))
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Round-trip time in seconds, or requested bytes.
    pub at: f64,
    /// Maximum rate.
    pub rate: Rate,
}

/// Round-trip times of the curves, in seconds.
const ROUND_TRIPS: [f64; 12] = [0.1e-3, 0.2e-3, 0.5e-3, 1e-3, 2e-3, 5e-3, 10e-3, 20e-3, 50e-3, 100e-3, 200e-3, 500e-3];
/// Requests of the curves, as base-2 logarithms of bytes.
const REQUESTS: std::ops::RangeInclusive<u32> = 12..=24;

/// Rate that `flight` allows, by round-trip time; at most `bandwidth`.
pub fn rate_by_round_trip(flight: ByteCount, bandwidth: Option<Rate>) -> Vec<Point> {
    let capped = |rate: Rate| match bandwidth {
        Some(most) if most.bytes_per_sec() < rate.bytes_per_sec() => most,
        _ => rate,
    };
    ROUND_TRIPS.iter().map(|&at| Point { at, rate: capped(rate_of_window(flight, at)) }).collect()
}

/// Rate at `round_trip_seconds` by requested size; at most the bandwidth of `question`.
pub fn rate_by_request(question: &Question<'_>, kind: BufferKind, round_trip_seconds: f64) -> Vec<Point> {
    REQUESTS
        .map(|power| {
            let asked = 1_i32 << power;
            let flight = match kind {
                BufferKind::Send => {
                    let request = question.sndbuf.unwrap_or(BufferRequest::new(0));
                    let request = Some(BufferRequest { bytes: asked, ..request });
                    send_limits(&SendQuestion { request, ..question.send() }).largest_flight.value
                }
                BufferKind::Receive => {
                    let request = question.rcvbuf.unwrap_or(BufferRequest::new(0));
                    let request = Some(BufferRequest { bytes: asked, ..request });
                    receive_limits(&ReceiveQuestion { request, ..question.receive() }).largest_flight.value
                }
            };
            let rate = match question.bandwidth {
                Some(bandwidth) => Path { round_trip_seconds, bandwidth }.rate(flight),
                None => rate_of_window(flight, round_trip_seconds),
            };
            Point { at: f64::from(asked), rate }
        })
        .collect()
}

impl Change {
    /// Stable kebab-case id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Unset(BufferKind::Send) => "unset-sndbuf",
            Self::Unset(BufferKind::Receive) => "unset-rcvbuf",
            Self::Ask(BufferKind::Send, _) => "ask-sndbuf",
            Self::Ask(BufferKind::Receive, _) => "ask-rcvbuf",
            Self::AskEarly(_) => "ask-early",
            Self::Raise(..) => "raise",
            Self::Enable(_) => "enable",
            Self::Unclamp => "unclamp",
        }
    }
}
