//! Sentences about socket buffers.

use tcpwhy_kernel::{
    BufferKind, BufferRequest, Change, Coverage, Figure, Ground, KernelVersion, Note, OperatingSystem, Step, Sysctl,
    SysctlShape, When,
};
use tcpwhy_model::ByteCount;

use super::{BufferSide, Buffers, SettingsOrigin};
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

    /// All digits: `425,984 B`.
    pub(crate) fn exact(self, bytes: ByteCount) -> String {
        self.text("unit-bytes", &Args::new().text("n", self.units().count(bytes)))
    }

    /// `456 kB`.
    pub(crate) fn rough(self, bytes: ByteCount) -> String {
        self.units().bytes(bytes)
    }

    /// A power of two as programs write it: `64 KiB`.
    pub(crate) fn binary(bytes: f64) -> String {
        if bytes >= 1_048_576.0 { format!("{} MiB", bytes / 1_048_576.0) } else { format!("{} KiB", bytes / 1024.0) }
    }

    /// `64.1 kB (51.2 kB to 64.1 kB, measured)`; all digits where nothing is in doubt.
    pub(crate) fn figure(self, figure: &Figure) -> String {
        let ground = self.word(&format!("buffers-ground-{}", ground_id(figure.ground)));
        let args = Args::new()
            .text("value", self.rough(figure.value))
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

    /// `SO_SNDBUF`, `SO_RCVBUFFORCE`.
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
            .text("first", self.rough(side.initial_buffer.value))
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

    /// `text`, and that it may be more where nothing bounds it.
    fn open(self, flight: &Figure, text: String) -> String {
        if flight.high.is_some() { text } else { self.text("buffers-at-least", &Args::new().text("value", text)) }
    }

    /// The first line: what the buffer becomes.
    pub(crate) fn grant(self, side: &BufferSide) -> String {
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

    /// The second line: what rate that is, and whether it fills the path.
    pub(crate) fn rate(self, side: &BufferSide) -> String {
        let units = self.units();
        let rate_at = |flight, seconds| {
            let rate = units.bits_per_second(tcpwhy_kernel::rate_of_window(flight, seconds).bits_per_sec());
            self.open(&side.flight, rate)
        };
        let Some(seconds) = self.buffers.question.round_trip_seconds else {
            let args = Args::new()
                .text("short", rate_at(side.flight.value, 1e-3))
                .text("middle", rate_at(side.flight.value, 10e-3))
                .text("long", rate_at(side.flight.value, 100e-3));
            return self.text("buffers-head-no-path", &args);
        };
        let args = Args::new().text("rtt", units.seconds(seconds)).text("rate", rate_at(side.flight.value, seconds));
        let Some((path, coverage)) = self.buffers.path().zip(side.coverage) else {
            return self.text("buffers-head-rate", &args);
        };
        let product = path.bandwidth_delay_product();
        let args = args
            .text("bandwidth", units.bits_per_second(path.bandwidth.bits_per_sec()))
            .text("product", self.rough(product))
            .text("low", rate_at(side.flight.low, seconds))
            .text("share", units.share((side.flight.value as f64 / product.max(1) as f64).min(1.0)));
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
            Change::Raise(sysctl, bytes) => match question.sysctls.triple_or_default(sysctl, question.version) {
                Some(now) => format!("sysctl -w {}='{} {} {bytes}'", sysctl.name(), now.value[0], now.value[1]),
                None => format!("sysctl -w {}={bytes}", sysctl.name()),
            },
            Change::Enable(sysctl) => format!("sysctl -w {}=1", sysctl.name()),
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
            .text("mss", self.units().count(self.buffers.question.link.mss()));
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

    /// What all of it rests on.
    pub(crate) fn premises(self) -> String {
        let Buffers { question, origin, system, .. } = self.buffers;
        let system = match system {
            OperatingSystem::Linux(version) => {
                let args = Args::new()
                    .text("version", version.to_string())
                    .text("newest", KernelVersion::NEWEST_MEASURED.to_string());
                let is_newer = version.is_newer_than_measured();
                self.text(if is_newer { "buffers-linux-newer" } else { "buffers-linux" }, &args)
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
            .text("mtu", self.units().count(question.link.mtu.into()))
            .text("write", self.exact(question.writing.bytes));
        self.text("buffers-premises", &args)
    }
}

pub(crate) const fn ground_id(ground: Ground) -> &'static str {
    match ground {
        Ground::Exact => "exact",
        Ground::Measured => "measured",
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
