//! Sentences about socket buffers.

use tcpwhy_kernel::{
    BufferKind, BufferRequest, Change, Coverage, Figure, Ground, KernelVersion, Note, OperatingSystem, Seconds, Step,
    Sysctl, SysctlShape, SysctlValue, When, WindowSettings, Writer, WriterRow,
};
use tcpwhy_model::ByteCount;

use super::{BufferSide, Buffers, SettingsOrigin, WindowAnswer};
use crate::{Args, Units, Wording};

/// Puts buffers into words.
#[derive(Clone, Copy)]
pub(crate) struct BufferWords<'a> {
    pub(crate) wording: Wording<'a>,
    pub(crate) buffers: &'a Buffers<'a>,
}

impl BufferWords<'_> {
    fn text(self, id: &str, args: &Args) -> String {
        self.wording.catalogue().text(id, args)
    }

    pub(crate) fn word(self, id: &str) -> String {
        self.wording.catalogue().word(id)
    }

    fn units(&self) -> Units<'_> {
        self.wording.units()
    }

    /// Formats bytes with all digits: `425,984 B`.
    pub(crate) fn exact(self, bytes: ByteCount) -> String {
        self.text("unit-bytes", &Args::new().text("n", self.units().count(bytes)))
    }

    /// Formats bytes with three significant digits: `456 kB`.
    pub(crate) fn rough(self, bytes: ByteCount) -> String {
        self.units().bytes(bytes)
    }

    /// Formats a power of two as programs write it: `64 KiB`.
    pub(crate) fn binary(bytes: f64) -> String {
        if bytes >= 1_048_576.0 { format!("{} MiB", bytes / 1_048_576.0) } else { format!("{} KiB", bytes / 1024.0) }
    }

    /// Formats a number with its range: `64.1 kB (51.2 kB to 64.1 kB, measured)`; an exact number has no
    /// range.
    pub(crate) fn figure(self, figure: &Figure) -> String {
        self.figure_with(figure, self.rough(figure.value))
    }

    /// Formats a number like [`Self::figure`], with all digits of the value, as `getsockopt` and `ss -m` show
    /// it.
    pub(crate) fn digits(self, figure: &Figure) -> String {
        self.figure_with(figure, self.exact(figure.value))
    }

    fn figure_with(self, figure: &Figure, value: String) -> String {
        let ground = self.word(&format!("buffers-ground-{}", ground_id(figure.ground)));
        let args = Args::new()
            .text("value", value)
            .text("low", self.rough(figure.low))
            .text("high", figure.high.map_or_else(String::new, |high| self.rough(high)))
            .text("ground", ground);
        match figure.high {
            Some(high) if high == figure.low => {
                let args = args.text("value", self.exact(figure.value));
                let id = if figure.ground == Ground::Exact { "buffers-figure-exact" } else { "buffers-figure-point" };
                self.text(id, &args)
            }
            Some(high) if self.rough(high) == self.rough(figure.low) => self.text("buffers-figure-point", &args),
            Some(_) => self.text("buffers-figure-range", &args),
            None => self.text("buffers-figure-open", &args),
        }
    }

    /// Name of the socket option: `SO_SNDBUF`, `SO_RCVBUFFORCE`.
    pub(crate) const fn option(kind: BufferKind, request: Option<BufferRequest>) -> &'static str {
        match (kind, request) {
            (BufferKind::Send, Some(BufferRequest { is_forced: true, .. })) => "SO_SNDBUFFORCE",
            (BufferKind::Send, _) => "SO_SNDBUF",
            (BufferKind::Receive, Some(BufferRequest { is_forced: true, .. })) => "SO_RCVBUFFORCE",
            (BufferKind::Receive, _) => "SO_RCVBUF",
        }
    }

    pub(crate) fn name(self, kind: BufferKind) -> String {
        self.word(match kind {
            BufferKind::Send => "buffers-name-send",
            BufferKind::Receive => "buffers-name-receive",
        })
    }

    pub(crate) fn asked(self, request: BufferRequest) -> String {
        u64::try_from(request.bytes).map_or_else(|_| request.bytes.to_string(), |bytes| self.exact(bytes))
    }

    fn grant_args(self, side: &BufferSide) -> Args {
        let most = side.windows.map_or(side.flight.value, |windows| windows.largest.value);
        let mut args = Args::new()
            .text("option", Self::option(side.kind, side.granted.map(|granted| granted.request)))
            .text("reported", self.exact(side.initial_buffer.value))
            .text("first", self.exact(side.initial_buffer.value))
            .text("most", self.rough(side.largest_buffer.value))
            .text("flight", self.open(&side.flight, self.rough(most)));
        if let Some(granted) = side.granted {
            args = args.text("asked", self.asked(granted.request)).text("clamped", self.exact(granted.clamped));
            args = match granted.cap {
                Some((sysctl, _)) => args.text("sysctl", sysctl.name().trim_start_matches("net.core.")),
                None => args.text("sysctl", self.word("buffers-cap-doubling")),
            };
        }
        args
    }

    /// Marks `text` as a lower bound if `flight` has no upper bound.
    fn open(self, flight: &Figure, text: String) -> String {
        if flight.high.is_some() { text } else { self.text("buffers-at-least", &Args::new().text("value", text)) }
    }

    /// Formats a range: `7.30 Mbit/s to 26.1 Mbit/s`; one number if both ends have the same text.
    pub(crate) fn range(self, low: String, high: String) -> String {
        if low == high { high } else { self.text("buffers-range", &Args::new().text("low", low).text("high", high)) }
    }

    /// The value of `flight`, marked as a lower bound if it has no upper bound.
    pub(crate) fn most(self, flight: &Figure) -> String {
        self.open(flight, self.rough(flight.value))
    }

    /// The rates that `flight` allows at a round-trip time of `seconds`; at most the bandwidth asked about.
    pub(crate) fn rates(self, flight: &Figure, seconds: f64) -> String {
        let most = self.buffers.question.bandwidth.map_or(f64::INFINITY, tcpwhy_model::Rate::bits_per_sec);
        let rate = |bytes| {
            let rate = tcpwhy_kernel::rate_of_window(bytes, seconds).bits_per_sec();
            self.units().bits_per_second(rate.min(most))
        };
        match flight.high {
            Some(high) => self.range(rate(flight.low), rate(high)),
            None => self.text("buffers-at-least", &Args::new().text("value", rate(flight.low))),
        }
    }

    /// Formats a range of bytes in flight: `18.2 kB to 65.2 kB`.
    pub(crate) fn in_flight(self, flight: &Figure) -> String {
        match flight.high {
            Some(high) => self.range(self.rough(flight.low), self.rough(high)),
            None => self.text("buffers-at-least", &Args::new().text("value", self.rough(flight.low))),
        }
    }

    /// Formats a range of durations: `6.85 s to 24.2 s`.
    pub(crate) fn seconds(self, seconds: &Seconds) -> String {
        self.range(self.units().seconds(seconds.low), self.units().seconds(seconds.high))
    }

    /// The sentence with the time of the transfer that was asked about.
    fn transfer(self, transfer: Option<Seconds>) -> Option<String> {
        let (seconds, bytes) = transfer.zip(self.buffers.question.transfer_bytes)?;
        let args = Args::new().text("bytes", self.rough(bytes)).text("seconds", self.seconds(&seconds));
        Some(self.text("buffers-head-transfer", &args))
    }

    /// Appends the time of the transfer that was asked about to `line`.
    fn with_transfer(self, line: String, transfer: Option<Seconds>) -> String {
        match self.transfer(transfer) {
            Some(transfer) => {
                self.text("buffers-head-and-transfer", &Args::new().text("line", line).text("transfer", transfer))
            }
            None => line,
        }
    }

    /// The first line of the answer about a given window.
    pub(crate) fn window(self, answer: &WindowAnswer) -> String {
        let WindowSettings { window, scale, .. } = answer.settings;
        let args = Args::new().text("window", self.exact(window)).text("scale", scale.to_string());
        self.text("buffers-head-window", &args)
    }

    /// The second line: the rate that the window allows.
    pub(crate) fn window_rate(self, answer: &WindowAnswer) -> String {
        self.with_transfer(self.rate_of(&answer.flight, answer.coverage), answer.transfer)
    }

    /// The third line: the settings that give the window.
    pub(crate) fn window_settings(self, answer: &WindowAnswer) -> String {
        let settings = answer.settings;
        let bytes = |bytes: Option<ByteCount>| bytes.map_or_else(|| self.word("unknown"), |bytes| self.exact(bytes));
        let args = Args::new()
            .text("rcvbuf", bytes(settings.rcvbuf))
            .text("rmem", bytes(settings.rmem_third))
            .text("sndbuf", bytes(settings.sndbuf))
            .text("wmem", bytes(settings.wmem_third));
        let is_linux = self.buffers.system.linux().is_some();
        self.text(if is_linux { "buffers-head-window-settings" } else { "buffers-head-window-requests" }, &args)
    }

    /// The first line for a buffer whose rate depends on the sizes of the writes: the range over writers.
    fn over_writers(self, side: &BufferSide) -> String {
        let args = self.grant_args(side).text("in_flight", self.in_flight(&side.flight));
        let is_clamped = side.granted.is_some_and(|granted| granted.is_clamped());
        let id = if is_clamped { "buffers-head-writers-clamped" } else { "buffers-head-writers" };
        let seconds = self.buffers.question.round_trip_seconds;
        let line = match seconds {
            None => self.text(id, &args),
            Some(seconds) => {
                let rates = self.rates(&side.flight, seconds);
                let args = args.text("rates", rates).text("rtt", self.units().seconds(seconds));
                self.text(if is_clamped { "buffers-head-writers-clamped-at" } else { "buffers-head-writers-at" }, &args)
            }
        };
        if side.flight.high.is_some() {
            return line;
        }
        // Without Nagle's algorithm, the buffer alone is the limit.
        let nodelay = WriterRow::range(&side.writers, Figure { high: Some(side.flight.value), ..side.flight });
        let range = seconds.map_or_else(|| self.in_flight(&nodelay), |seconds| self.rates(&nodelay, seconds));
        self.text("buffers-head-writers-nodelay", &Args::new().text("line", line).text("range", range))
    }

    /// The first line: the size that the buffer gets.
    pub(crate) fn grant(self, side: &BufferSide) -> String {
        if side.is_over_writers() {
            return self.over_writers(side);
        }
        let is_windows = matches!(self.buffers.system, OperatingSystem::Windows(_));
        if is_windows && side.kind == BufferKind::Send && side.granted.is_none() {
            return self.text("buffers-head-windows-send", &self.grant_args(side));
        }
        let id = match (side.granted, side.kind) {
            (Some(granted), BufferKind::Send) if granted.is_clamped() => "buffers-head-clamped-send",
            (Some(granted), BufferKind::Receive) if granted.is_clamped() => "buffers-head-clamped-receive",
            (Some(_), BufferKind::Send) => "buffers-head-set-send",
            (Some(_), BufferKind::Receive) => "buffers-head-set-receive",
            (None, BufferKind::Send) => "buffers-head-auto-send",
            (None, BufferKind::Receive) => "buffers-head-auto-receive",
        };
        self.text(id, &self.grant_args(side))
    }

    /// The second line: the rate, whether it fills the path, and how long the transfer takes.
    pub(crate) fn rate(self, side: &BufferSide) -> String {
        let line = if side.is_over_writers() && self.buffers.question.round_trip_seconds.is_some() {
            self.share_of_path(side)
        } else if side.kind == BufferKind::Send
            && side.coverage.is_none()
            && let Some(seconds) = self.buffers.question.round_trip_seconds
        {
            // The bytes in flight from a send buffer come from a model, so the answer gives their range.
            let rtt = self.units().seconds(seconds);
            let args = Args::new().text("rate", self.rates(&side.flight, seconds)).text("rtt", rtt);
            Some(self.text("buffers-head-rate", &args))
        } else {
            Some(self.rate_of(&side.flight, side.coverage))
        };
        match line {
            Some(line) => self.with_transfer(line, side.transfer),
            None => self.transfer(side.transfer).unwrap_or_default(),
        }
    }

    /// The share of the path that a buffer fills. The first line has already given its rate.
    fn share_of_path(self, side: &BufferSide) -> Option<String> {
        let (path, coverage) = self.buffers.path().zip(side.coverage)?;
        let product = path.bandwidth_delay_product().max(1);
        let share = |bytes: ByteCount| self.units().share((bytes as f64 / product as f64).min(1.0));
        let args = Args::new()
            .text("bandwidth", self.units().bits_per_second(path.bandwidth.bits_per_sec()))
            .text("product", self.rough(product))
            .text("shares", self.range(share(side.flight.low), share(side.flight.high.unwrap_or(ByteCount::MAX))));
        let id = match coverage {
            Coverage::Covered => "buffers-head-writers-covered",
            Coverage::Doubtful => "buffers-head-writers-doubtful",
            Coverage::TooSmall => "buffers-head-writers-too-small",
        };
        Some(self.text(id, &args))
    }

    /// The rate of `flight`, and whether it fills the path.
    fn rate_of(self, flight: &Figure, coverage: Option<Coverage>) -> String {
        let units = self.units();
        let rate_at = |bytes, seconds| {
            let rate = units.bits_per_second(tcpwhy_kernel::rate_of_window(bytes, seconds).bits_per_sec());
            self.open(flight, rate)
        };
        let Some(seconds) = self.buffers.question.round_trip_seconds else {
            let args = Args::new()
                .text("short", rate_at(flight.value, 1e-3))
                .text("middle", rate_at(flight.value, 10e-3))
                .text("long", rate_at(flight.value, 100e-3));
            return self.text("buffers-head-no-path", &args);
        };
        let args = Args::new().text("rtt", units.seconds(seconds)).text("rate", rate_at(flight.value, seconds));
        let Some((path, coverage)) = self.buffers.path().zip(coverage) else {
            return self.text("buffers-head-rate", &args);
        };
        let product = path.bandwidth_delay_product();
        let args = args
            .text("bandwidth", units.bits_per_second(path.bandwidth.bits_per_sec()))
            .text("product", self.rough(product))
            .text("rates", self.rates(flight, seconds))
            .text("share", units.share((flight.value as f64 / product.max(1) as f64).min(1.0)));
        let id = match coverage {
            Coverage::Covered => "buffers-head-covered",
            Coverage::Doubtful => "buffers-head-doubtful",
            Coverage::TooSmall => "buffers-head-too-small",
        };
        self.text(id, &args)
    }

    /// The third line: what to change.
    pub(crate) fn advice(self, side: &BufferSide) -> String {
        if let Some(remedy) = side.remedies.first() {
            return self.text("buffers-head-change", &Args::new().text("changes", self.remedy(remedy)));
        }
        let has_better = side.autotuned.filter(|(_, flight)| flight.value > side.flight.value);
        match (has_better, side.coverage) {
            (Some((_, flight)), _) => {
                let args =
                    Args::new().text("option", Self::option(side.kind, None)).text("flight", self.rough(flight.value));
                self.text("buffers-head-better-unset", &args)
            }
            (None, Some(Coverage::TooSmall)) => self.word("buffers-head-no-remedy"),
            (None, Some(_)) => self.word("buffers-head-nothing"),
            (None, None) if self.buffers.question.round_trip_seconds.is_some() => {
                self.word("buffers-head-give-bandwidth")
            }
            (None, None) => self.word("buffers-head-give-path"),
        }
    }

    pub(crate) fn remedy(self, remedy: &[Change]) -> String {
        let parts: Vec<_> = remedy.iter().map(|change| self.change(*change)).collect();
        parts.join(&self.word("fact-separator"))
    }

    fn change(self, change: Change) -> String {
        let id = format!("buffers-change-{}", change.id());
        let args = match change {
            Change::Unset(kind) | Change::AskEarly(kind) => Args::new().text("option", Self::option(kind, None)),
            Change::Ask(kind, bytes) => {
                Args::new().text("option", Self::option(kind, None)).text("bytes", self.exact(bytes))
            }
            Change::Raise(sysctl, bytes) => {
                let args = Args::new().text("sysctl", sysctl.name()).text("bytes", self.exact(bytes));
                let is_third = sysctl.shape() == SysctlShape::Triple;
                return self.text(if is_third { "buffers-change-raise-third" } else { "buffers-change-raise" }, &args);
            }
            Change::Enable(sysctl) => Args::new().text("sysctl", sysctl.name()),
            Change::Unclamp => Args::new(),
        };
        self.text(&id, &args)
    }

    /// The lines to copy.
    pub(crate) fn lines(self, remedy: &[Change]) -> Vec<String> {
        remedy.iter().filter_map(|change| self.line(*change)).collect()
    }

    fn line(self, change: Change) -> Option<String> {
        let question = &self.buffers.question;
        Some(match change {
            Change::Unset(kind) => {
                format!(
                    "setsockopt(fd, SOL_SOCKET, {}, …);  /* {} */",
                    Self::option(kind, None),
                    self.word("remark-delete")
                )
            }
            Change::Ask(kind, bytes) => {
                let option = Self::option(kind, self.buffers.request(kind));
                format!("setsockopt(fd, SOL_SOCKET, {option}, &(int){{{bytes}}}, sizeof(int));")
            }
            Change::AskEarly(_) => return None,
            Change::Raise(sysctl, bytes) => {
                let now = question.sysctls.triple_or_default(sysctl, question.version);
                let (value, condition) = match now.map(|now| now.value) {
                    Some([least, first, _]) => {
                        (SysctlValue::Triple([least, first, bytes]), "buffers-if-third-value-below")
                    }
                    None => (SysctlValue::Number(i64::try_from(bytes).unwrap_or(i64::MAX)), "buffers-if-below"),
                };
                let args = Args::new().text("sysctl", sysctl.name());
                format!("{}  # {}", sysctl.command(value), self.text(condition, &args))
            }
            Change::Enable(sysctl) => {
                let args = Args::new().text("sysctl", sysctl.name());
                format!("{}  # {}", sysctl.command(SysctlValue::Number(1)), self.text("buffers-if-off", &args))
            }
            Change::Unclamp => {
                format!("setsockopt(fd, IPPROTO_TCP, TCP_WINDOW_CLAMP, …);  /* {} */", self.word("remark-delete"))
            }
        })
    }

    pub(crate) fn note(self, side: &BufferSide, note: Note) -> String {
        let (max, third) = match side.kind {
            BufferKind::Send => (Sysctl::WmemMax, Sysctl::TcpWmem),
            BufferKind::Receive => (Sysctl::RmemMax, Sysctl::TcpRmem),
        };
        let option = Self::option(side.kind, None);
        let mut args = Args::new()
            .text("option", option)
            .text("max", max.name())
            .text("third", third.name())
            .text("buffer", self.rough(side.largest_buffer.value))
            .text("flight", self.rough(side.flight.value))
            .text("mss", self.units().count(self.buffers.question.link.mss()))
            .text("level", self.buffers.question.autotuning_level.name());
        if let Some(windows) = side.windows {
            args = args.text("cap", self.rough(windows.cap)).text("window", self.rough(windows.largest.value));
        }
        if let Some(granted) = side.granted {
            args = args.text("asked", self.asked(granted.request)).text("clamped", self.exact(granted.clamped));
        }
        let is_forced = side.granted.is_some_and(|granted| granted.cap.is_none());
        if note == Note::Clamped && is_forced {
            return self.text("buffers-note-clamped-doubling", &args);
        }
        self.text(&format!("buffers-note-{}", note.id()), &args)
    }

    pub(crate) fn rule(self, step: &Step) -> String {
        self.word(&format!("buffers-rule-{}", step.rule.id()))
    }

    pub(crate) fn ground(self, ground: Ground) -> String {
        self.word(&format!("buffers-ground-{}", ground_id(ground)))
    }

    pub(crate) fn when(self, when: When) -> String {
        self.word(&format!("buffers-when-{}", when_id(when)))
    }

    /// The assumptions of the answer: system, settings, MTU and sizes of writes.
    pub(crate) fn premises(self) -> String {
        let Buffers { question, origin, system, .. } = self.buffers;
        let system = match system {
            OperatingSystem::Linux(version) => {
                let args = Args::new()
                    .text("version", version.to_string())
                    .text("newest", KernelVersion::NEWEST_MEASURED.to_string());
                let id = if version.is_newer_than_measured() {
                    "buffers-linux-newer"
                } else if version.is_older_than_measured() {
                    "buffers-linux-older"
                } else {
                    "buffers-linux"
                };
                self.text(id, &args)
            }
            other => other.title().to_owned(),
        };
        let settings = match origin {
            SettingsOrigin::Host => self.word("buffers-settings-host"),
            SettingsOrigin::File(path) => self.text("buffers-settings-file", &Args::new().text("path", path.clone())),
            SettingsOrigin::Defaults => self.word("buffers-settings-defaults"),
        };
        let args = Args::new()
            .text("system", system)
            .text("settings", settings)
            .text("mtu", self.units().count(question.link.mtu.into()));
        let writes = match question.writer {
            Writer::Any => self.word("buffers-writes-any"),
            Writer::AnyWithNodelay => self.word("buffers-writes-any-nodelay"),
            Writer::Given(writing) => {
                self.text("buffers-writes-given", &Args::new().text("write", self.exact(writing.bytes)))
            }
        };
        let is_windows = matches!(self.buffers.system, OperatingSystem::Windows(_));
        let id = if is_windows { "buffers-premises-windows" } else { "buffers-premises" };
        self.text(id, &args.text("writes", writes))
    }
}

pub(crate) const fn ground_id(ground: Ground) -> &'static str {
    match ground {
        Ground::Exact => "exact",
        Ground::Measured => "measured",
        Ground::Source => "source",
        Ground::Documented => "documented",
        Ground::Assumed => "assumed",
    }
}

pub(crate) const fn when_id(when: When) -> &'static str {
    match when {
        When::BeforeConnect => "before-connect",
        When::OnListener => "on-listener",
        When::AfterConnect => "after-connect",
        When::AfterData => "after-data",
    }
}
