//! Windows that a receive buffer allows.

mod before_4_20;
mod established;
mod question;

use tcpwhy_model::{ByteCount, WindowScale};

use self::before_4_20::FirstSegments;
use self::established::Established;
pub use self::question::ReceiveQuestion;
use crate::figure::Derivation;
use crate::growth::growth_round_trips;
use crate::request::{self, BufferKind, Granted, When, grant};
use crate::window::{
    WindowShare, established_clamp, has_following_clamp, has_large_initial_window, initial_ratio, scale_for, usable,
    wire_cap,
};
use crate::{Figure, Ground, KernelVersion, Rule, SettingOrigin, Step, Sysctl};

/// Limits that follow from a receive buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiveLimits {
    /// Effect of the request.
    pub granted: Option<Granted>,
    /// Initial value of `getsockopt(SO_RCVBUF)`.
    pub initial_buffer: Figure,
    /// Size to which it may grow.
    pub largest_buffer: Figure,
    /// Window scale in SYN or SYN-ACK.
    pub window_scale: u8,
    /// Window field of the SYN if the receiver connects; never scaled.
    pub syn_window: Figure,
    /// Window field of the SYN-ACK if the receiver listens and both ends have timestamps; never scaled.
    pub syn_ack_window: Figure,
    /// Window after the handshake, before it grows.
    pub initial_window: Figure,
    /// Window that the buffer allows after full segments arrived (`getsockopt(TCP_WINDOW_CLAMP)`), without
    /// the limit of the scale.
    pub window_clamp: Figure,
    /// Largest window while the application reads everything.
    pub largest_window: Figure,
    /// Part of that window that is usable with whole segments.
    pub largest_flight: Figure,
    /// Largest window that the scale can encode during the connection.
    pub wire_cap: ByteCount,
    /// Whether the scale limits the window, not the buffer.
    pub is_wire_capped: bool,
    /// Whether the window keeps the size that it had when the option was set.
    pub is_frozen: bool,
    /// Round trips until autotuning reaches the maximum, accurate to two; `None` without growth.
    pub growth_round_trips: Option<u64>,
    /// Derivation of the numbers.
    pub steps: Vec<Step>,
}

/// Values that several steps need.
struct Receiver<'a> {
    question: &'a ReceiveQuestion<'a>,
    /// `tcp_rmem`, and its reliability in `ground`.
    rmem: [ByteCount; 3],
    ground: Ground,
}

/// Computes the limits of the receiver in `question`.
pub fn receive_limits(question: &ReceiveQuestion<'_>) -> ReceiveLimits {
    let ReceiveQuestion { version, sysctls, .. } = *question;
    let mut steps = Derivation::new(version.ground());
    // Every version has a default.
    let (rmem, ground) = sysctls
        .triple_or_default(Sysctl::TcpRmem, version)
        .map_or(([4096, 131_072, 6_291_456], Ground::Assumed), |rmem| {
            (rmem.value, if rmem.origin == SettingOrigin::Known { Ground::Exact } else { Ground::Assumed })
        });
    let ground = ground.max(version.ground());
    // The kernel stores the values as int.
    let rmem = rmem.map(|bytes| bytes.min(i32::MAX as ByteCount));
    let app_win = sysctls.number_or_default(Sysctl::TcpAppWin, version).map_or(31, |setting| setting.value);
    let receiver = Receiver { question, rmem, ground };
    let granted = question.request.map(|request| grant(BufferKind::Receive, request, sysctls, version));

    let first_segments = FirstSegments::of(version);
    let first_share = receiver.first_share();
    let (initial_buffer, largest_buffer) = receiver.buffers(granted.as_ref(), &mut steps);
    let is_late = question.request.is_some_and(|request| !request.when.is_before_syn());
    // SYN and SYN-ACK depend on the buffer at that time.
    let is_own = is_late || (granted.is_none() && first_segments.is_some());
    let syn_buffer = if is_own { Figure::exact(rmem[1]).trusted(ground) } else { initial_buffer };
    let full_space = first_share.window(syn_buffer.value);
    receiver.explain_first_share(first_share, syn_buffer.value, full_space, &mut steps);

    let is_locked = !is_late && granted.is_some();
    // `TCP_WINDOW_CLAMP` has a floor too, and cannot exceed a buffer that is set.
    let clamp_option = question.window_clamp.map(|bytes| bytes.max(MIN_WINDOW_CLAMP));
    let most = match (clamp_option, is_locked) {
        (Some(clamp), true) => clamp.min(full_space),
        (Some(clamp), false) => clamp,
        (None, true) => full_space,
        (None, false) => wire_cap(WindowScale::LARGEST),
    };
    if let Some(clamp) = clamp_option {
        steps.note(Rule::WindowClampOption, Ground::Measured, format!("window_clamp = {clamp}"), clamp);
    }
    let space = full_space.min(most);
    // A client does not know yet whether the peer has timestamps, so it computes segments without them
    // (`tcp_connect_init`).
    let whole = |segment: ByteCount| if space > segment { space / segment * segment } else { space };
    let mss = question.link.mss();
    let is_client = question.request.is_some_and(|request| request.when == When::BeforeConnect);
    let [connecting, accepting] = [question.link.announced_mss(), mss].map(whole);
    let offered = if is_client { connecting } else { accepting };

    let window_scale = receiver.window_scale(offered, most, is_locked, &mut steps);
    let cap = wire_cap(window_scale);
    steps.note(Rule::WireCap, syn_buffer.ground, format!("65535 << {window_scale} = {cap}"), cap);

    let mut in_first_segments = |window: ByteCount, segment: ByteCount| match first_segments {
        Some(rules) => {
            let most = rules.offered(window, segment, window_scale);
            if most < window {
                steps.note(Rule::FirstSegments, ground, format!("{} × {segment} = {most}", most / segment), most);
            }
            most
        }
        None => window,
    };
    let [connecting, accepting] = [(connecting, question.link.announced_mss()), (accepting, mss)]
        .map(|(w, segment)| in_first_segments(w, segment));
    let offered = if is_client { connecting } else { accepting };
    let [syn_window, syn_ack_window] =
        [(connecting, question.link.announced_mss()), (accepting, mss)].map(|(offered, segment)| {
            let window = Figure::exact(offered.min(65_535)).trusted(syn_buffer.ground);
            let formula = if first_segments.is_some() {
                format!("min(65535, {offered}) = {}", window.value)
            } else {
                format!("min(65535, floor({space} / {segment}) × {segment}) = {}", window.value)
            };
            steps.note(Rule::SynWindow, window.ground, formula, window.value);
            window
        });

    // Before 4.20 the kernel first raised a buffer that was not set.
    let established_buffer = match granted {
        None => initial_buffer,
        Some(_) if is_late => receiver.established_start(first_segments, true, &mut steps).unwrap_or(syn_buffer),
        Some(_) => syn_buffer,
    };
    let clamp_of = |buffer: ByteCount| {
        let full_space = first_share.window(buffer);
        established_clamp(full_space, app_win, mss).min(clamp_option.unwrap_or(ByteCount::MAX))
    };
    let clamp = clamp_of(established_buffer.value);
    let first = if has_large_initial_window(version) { offered } else { offered.min(65_535) };
    let initial = first.min(clamp).min(cap);
    let initial_window =
        Figure::range(initial, initial.min(clamp), Some(first.min(cap)), Ground::Measured).trusted(syn_buffer.ground);
    steps.note(
        Rule::InitialWindow,
        initial_window.ground,
        format!("min({first}, {clamp}, {cap}) = {initial}"),
        initial,
    );

    // A client's first window reaches the server with the last segment of the handshake, a server's with its
    // SYN-ACK.
    let first_known = if is_client { first } else { first.min(65_535) };
    let established = Established {
        question,
        rmem,
        ground,
        app_win,
        first_share,
        clamp,
        largest_clamp: clamp_of(established_buffer.high.unwrap_or(established_buffer.value)),
        initial_window: first_known,
        scale: window_scale,
    };
    let (window_clamp, is_frozen) = established.window_clamp(granted.as_ref(), largest_buffer, &mut steps);
    let window_clamp = clamped_by_option(window_clamp, clamp_option, granted.is_some(), version);
    let is_wire_capped = window_clamp.high.unwrap_or(window_clamp.value) > cap;
    let largest_window = established.announced(window_clamp, largest_buffer, &mut steps).at_most(cap);
    steps.note(
        Rule::LargestWindow,
        largest_window.ground,
        format!("min({}, {cap}) = {}", window_clamp.value, largest_window.value),
        largest_window.value,
    );
    let largest_flight = largest_window.map(|window| usable(window, mss));
    let largest_flight = Figure { high: largest_window.high, ..largest_flight };
    if largest_flight.value != largest_window.value && largest_window.value < 8 * mss {
        steps.note(
            Rule::WholeSegments,
            largest_flight.ground,
            format!("floor({} / {mss}) × {mss} = {}", largest_window.value, largest_flight.value),
            largest_flight.value,
        );
    }
    let [largest_window, largest_flight] =
        [largest_window, largest_flight].map(|figure| figure.trusted(version.ground()));
    let growth_round_trips = (largest_buffer.value > initial_buffer.value)
        .then(|| growth_round_trips(initial_buffer.value, largest_buffer.value))
        .flatten();
    ReceiveLimits {
        granted,
        initial_buffer,
        largest_buffer,
        window_scale,
        syn_window,
        syn_ack_window,
        initial_window,
        window_clamp,
        largest_window,
        largest_flight,
        wire_cap: cap,
        is_wire_capped,
        is_frozen,
        growth_round_trips,
        steps: steps.into_steps(),
    }
}

/// Smallest value that `TCP_WINDOW_CLAMP` sets (`SOCK_MIN_RCVBUF / 2`).
const MIN_WINDOW_CLAMP: ByteCount = request::MIN_RCVBUF / 2;

/// Final `window_clamp` if the option was set. Only before 6.6, and with a set buffer, does the option stay
/// in effect. Autotuning overwrites it while growing, and since 6.6 so does the first full segment (measured
/// on 6.1, 6.12 and 6.18). The range covers both windows, because neither has to happen.
fn clamped_by_option(window: Figure, option: Option<ByteCount>, is_locked: bool, version: KernelVersion) -> Figure {
    let Some(option) = option else { return window };
    if is_locked && !has_following_clamp(version) {
        return window.at_most(option);
    }
    Figure::range(window.value, window.low.min(option), window.high, window.ground.max(Ground::Measured))
}

impl Receiver<'_> {
    const fn version(&self) -> KernelVersion {
        self.question.version
    }

    /// Initial and largest `sk_rcvbuf`.
    fn buffers(&self, granted: Option<&Granted>, steps: &mut Derivation) -> (Figure, Figure) {
        if let Some(granted) = granted {
            request::explain(BufferKind::Receive, granted, steps);
            let buffer = Figure::exact(granted.reported).trusted(granted.ground()).trusted(self.version().ground());
            steps.note(Rule::Locked, buffer.ground, "sk_userlocks |= SOCK_RCVBUF_LOCK".into(), granted.reported);
            return (buffer, buffer);
        }
        let [_, start, most] = self.rmem;
        steps.note(Rule::RcvbufStart, self.ground, format!("sk_rcvbuf = tcp_rmem[1] = {start}"), start);
        let start = match self.established_start(FirstSegments::of(self.version()), false, steps) {
            Some(start) => start.trusted(self.ground),
            None => Figure::exact(start).trusted(self.ground),
        };
        if !self.is_moderated() {
            let formula = format!("tcp_moderate_rcvbuf = 0: sk_rcvbuf = {}", start.value);
            steps.note(Rule::RcvbufFixed, self.ground, formula, start.value);
            return (start, start);
        }
        steps.note(Rule::RcvbufGrowth, self.ground, format!("sk_rcvbuf ≤ tcp_rmem[2] = {most}"), most);
        (start, Figure::exact(most.max(start.value)).trusted(self.ground))
    }

    /// Whether the buffer is autotuned.
    fn is_moderated(&self) -> bool {
        let moderate = self.question.sysctls.number_or_default(Sysctl::TcpModerateRcvbuf, self.version());
        moderate.is_none_or(|setting| setting.value != 0)
    }

    /// `sk_rcvbuf` of an established connection whose buffer was not set, if it differs from `tcp_rmem[1]`.
    fn established_start(
        &self,
        first_segments: Option<FirstSegments>,
        is_client: bool,
        steps: &mut Derivation,
    ) -> Option<Figure> {
        let rules = first_segments?;
        let buffer = rules.buffer(is_client, self.rmem, self.first_share(), self.is_moderated(), &self.question.link);
        if buffer.value > self.rmem[1] {
            let formula = format!(
                "sk_rcvbuf = min(tcp_rmem[2] {}, room for the first segments) = {}",
                self.rmem[2], buffer.value
            );
            steps.note(Rule::FirstBuffer, buffer.ground, formula, buffer.value);
        }
        Some(buffer)
    }

    /// Share of the buffer that is window before data arrives.
    fn first_share(&self) -> WindowShare {
        if let Some(ratio) = initial_ratio(self.version()) {
            WindowShare::Ratio(ratio)
        } else {
            let scale = self.question.sysctls.number_or_default(Sysctl::TcpAdvWinScale, self.version());
            WindowShare::AdvWinScale(scale.map_or(1, |setting| setting.value))
        }
    }

    fn explain_first_share(
        &self,
        share: WindowShare,
        buffer: ByteCount,
        full_space: ByteCount,
        steps: &mut Derivation,
    ) {
        let (rule, formula) = match share {
            WindowShare::AdvWinScale(scale) if scale > 0 => {
                (Rule::AdvWinScale, format!("{buffer} - ({buffer} >> {scale}) = {full_space}"))
            }
            WindowShare::AdvWinScale(scale) => {
                (Rule::AdvWinScale, format!("{buffer} >> {} = {full_space}", scale.unsigned_abs()))
            }
            WindowShare::Ratio(ratio) => (Rule::InitialRatio, format!("{buffer} × {ratio} / 256 = {full_space}")),
        };
        steps.note(rule, self.ground.min(Ground::Measured), formula, full_space);
    }

    /// Scale that can encode `offered` and the sizes that autotuning and requests may reach, up to `most`.
    fn window_scale(&self, offered: ByteCount, most: ByteCount, is_locked: bool, steps: &mut Derivation) -> u8 {
        let ReceiveQuestion { version, sysctls, .. } = *self.question;
        let scaling = sysctls.number_or_default(Sysctl::TcpWindowScaling, version);
        if scaling.is_some_and(|setting| setting.value == 0) {
            steps.note(Rule::WindowScale, Ground::Exact, "tcp_window_scaling = 0".into(), 0);
            return 0;
        }
        let rmem_max =
            sysctls.number_or_default(Sysctl::RmemMax, version).map_or(0, |setting| setting.value.max(0) as u64);
        let space = offered.max(self.rmem[2]).max(rmem_max).min(most);
        let scale = scale_for(space);
        let formula = if is_locked || self.question.window_clamp.is_some() {
            format!("clamp(floor(log2 {space}) - 15, 0, 14) = {scale}")
        } else {
            format!(
                "clamp(floor(log2 max({offered}, tcp_rmem[2] {}, rmem_max {rmem_max})) - 15, 0, 14) = {scale}",
                self.rmem[2]
            )
        };
        steps.note(Rule::WindowScale, self.ground, formula, scale.into());
        scale
    }
}
