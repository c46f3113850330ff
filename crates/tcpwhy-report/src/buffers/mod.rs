//! The answer about socket buffers, ready to be shown.

mod svg;
mod words;

use tcpwhy_kernel::{
    BufferKind, BufferRequest, Coverage, Figure, ForeignBuffer, Granted, Note, OperatingSystem, Path, Point, Question,
    ReceiveLimits, Remedy, Seconds, SendLimits, Side, Step, WindowSettings, WindowsQuestion, WindowsRates, WriterRow,
    answer_receive, answer_send, foreign_buffer, rate_by_request, rate_by_round_trip, settings_for_window,
};
use tcpwhy_model::{ByteCount, Rate};

pub use svg::svg;
pub(crate) use words::{BufferWords, ground_id, when_id};

/// Where the settings were taken from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsOrigin {
    /// The running kernel.
    Host,
    /// A saved `sysctl -a`.
    File(String),
    /// Defaults of the kernel.
    Defaults,
}

/// The answer of `tcpwhy buffers`.
#[derive(Clone, Debug)]
pub struct Buffers<'a> {
    /// The operating system asked about.
    pub system: OperatingSystem,
    /// Where its settings come from.
    pub origin: SettingsOrigin,
    /// The question that was asked.
    pub question: Question<'a>,
    /// The sides that were asked about, for Linux and Windows.
    pub sides: Vec<BufferSide>,
    /// The buffers of another system.
    pub foreign: Vec<(BufferKind, ForeignBuffer)>,
    /// Rates of Windows by buffer and round-trip time.
    pub windows_rates: Option<WindowsRates>,
    /// The answer about a window that was asked about; `sides` is then empty.
    pub window: Option<WindowAnswer>,
}

/// The effect of a given window on the path.
#[derive(Clone, Copy, Debug)]
pub struct WindowAnswer {
    /// Buffer sizes and sysctls that give the window.
    pub settings: WindowSettings,
    /// Bytes of the window that carry data: whole segments.
    pub flight: Figure,
    /// Whether it fills the path.
    pub coverage: Option<Coverage>,
    /// Time of the transfer that was asked about.
    pub transfer: Option<Seconds>,
}

/// One side's answer, the sender's and the receiver's alike.
#[derive(Clone, Debug)]
pub struct BufferSide {
    /// Whether this is the send or the receive buffer.
    pub kind: BufferKind,
    /// Result of the request in the kernel.
    pub granted: Option<Granted>,
    /// Size that `getsockopt` returns at first.
    pub initial_buffer: Figure,
    /// Largest size that it may grow to.
    pub largest_buffer: Figure,
    /// Bytes in flight at first.
    pub initial_flight: Figure,
    /// Bytes in flight in the long run.
    pub flight: Figure,
    /// Most bytes that wait unsent, if the sender has a limit for them (`TCP_NOTSENT_LOWAT`).
    pub unsent: Option<Figure>,
    /// Round trips until autotuning has grown the receive buffer.
    pub growth_round_trips: Option<u64>,
    /// The receiver's windows.
    pub windows: Option<Windows>,
    /// Largest buffer and bytes in flight without the request.
    pub autotuned: Option<(Figure, Figure)>,
    /// Whether it fills the path.
    pub coverage: Option<Coverage>,
    /// Time of the transfer that was asked about.
    pub transfer: Option<Seconds>,
    /// Bytes in flight by size of the writes; for a sender whose size of writes was not given.
    pub writers: Vec<WriterRow>,
    /// Changes that would fill the path.
    pub remedies: Vec<Remedy>,
    /// Unexpected effects that the reader should know.
    pub notes: Vec<Note>,
    /// Steps of the derivation.
    pub steps: Vec<Step>,
    /// Rate by round-trip time, with and without the request.
    pub by_round_trip: (Vec<Point>, Option<Vec<Point>>),
    /// Rate by requested size; empty without a round-trip time.
    pub by_request: Vec<Point>,
}

/// Windows that a receiver advertises.
#[derive(Clone, Copy, Debug)]
pub struct Windows {
    /// Window scale in the SYN or SYN-ACK.
    pub scale: u8,
    /// Window field of the SYN, if this end connects.
    pub syn: Figure,
    /// Window field of the SYN-ACK, if this end listens.
    pub syn_ack: Figure,
    /// First window after the handshake.
    pub initial: Figure,
    /// Largest window, while the application keeps up.
    pub largest: Figure,
    /// Largest window that the scale can express.
    pub cap: ByteCount,
}

impl<'a> Buffers<'a> {
    /// Answers `question` for the sides in `kinds`.
    pub fn new(system: OperatingSystem, origin: SettingsOrigin, question: Question<'a>, kinds: &[BufferKind]) -> Self {
        let mut buffers = Self {
            system,
            origin,
            question,
            sides: Vec::new(),
            foreign: Vec::new(),
            windows_rates: None,
            window: None,
        };
        if let Some(window) = question.window {
            buffers.window = Some(buffers.window(window));
            return buffers;
        }
        if let OperatingSystem::Windows(release) = system {
            let windows = WindowsQuestion { question, release };
            buffers.sides = kinds.iter().map(|kind| BufferSide::windows(&windows, *kind)).collect();
            buffers.windows_rates = kinds.contains(&BufferKind::Send).then(|| windows.rates());
            return buffers;
        }
        for &kind in kinds {
            let request = buffers.request(kind);
            match foreign_buffer(system, kind, request) {
                Some(foreign) => buffers.foreign.push((kind, foreign)),
                None => buffers.sides.push(match kind {
                    BufferKind::Send => BufferSide::sender(&question, answer_send(&question)),
                    BufferKind::Receive => BufferSide::receiver(&question, answer_receive(&question)),
                }),
            }
        }
        buffers
    }

    fn window(&self, window: ByteCount) -> WindowAnswer {
        let question = &self.question;
        let flight = Figure::exact(tcpwhy_kernel::window::usable(window, question.link.mss()));
        let settings = match self.system {
            OperatingSystem::Linux(_) => {
                settings_for_window(&question.send(), &question.receive(), question.writer, window)
            }
            // These systems do not change the requested size.
            OperatingSystem::Windows(_) | OperatingSystem::MacOs | OperatingSystem::FreeBsd => WindowSettings {
                window,
                scale: tcpwhy_kernel::window::scale_for(window),
                rcvbuf: Some(window),
                rmem_third: None,
                sndbuf: Some(window),
                wmem_third: None,
            },
        };
        let coverage = question.path().map(|path| Coverage::of(&flight, path.bandwidth_delay_product()));
        WindowAnswer { settings, flight, coverage, transfer: question.transfer(&flight, BufferKind::Receive) }
    }

    /// The buffer size requested on one side.
    pub const fn request(&self, kind: BufferKind) -> Option<BufferRequest> {
        match kind {
            BufferKind::Send => self.question.sndbuf,
            BufferKind::Receive => self.question.rcvbuf,
        }
    }

    /// The path, if both bandwidth and round-trip time were given.
    pub fn path(&self) -> Option<Path> {
        self.question.path()
    }

    /// The side with the fewest bytes in flight.
    pub(crate) fn narrowest(&self) -> Option<&BufferSide> {
        self.sides.iter().min_by_key(|side| side.flight.value)
    }

    /// The rate that `flight` bytes allow on the path; `None` without a round-trip time.
    pub fn rate(&self, flight: ByteCount) -> Option<Rate> {
        let seconds = self.question.round_trip_seconds?;
        Some(tcpwhy_kernel::rate_of_window(flight, seconds))
    }
}

impl BufferSide {
    /// Whether its bytes in flight are a range over programs that write differently.
    pub(crate) const fn is_over_writers(&self) -> bool {
        self.granted.is_some() && !self.writers.is_empty()
    }

    fn windows(windows: &WindowsQuestion<'_>, kind: BufferKind) -> Self {
        let question = &windows.question;
        let side = match kind {
            BufferKind::Send => Self::sender(question, windows.send()),
            BufferKind::Receive => Self::receiver(question, windows.receive()),
        };
        let by_request = question.round_trip_seconds.map(|seconds| windows.rate_by_request(kind, seconds));
        Self { by_request: by_request.unwrap_or_default(), ..side }
    }

    fn sender(question: &Question<'_>, side: Side<SendLimits>) -> Self {
        let limits = side.limits;
        let autotuned = side.autotuned.map(|limits| (limits.largest_buffer, limits.largest_flight));
        Self {
            kind: BufferKind::Send,
            granted: limits.granted,
            initial_buffer: limits.initial_buffer,
            largest_buffer: limits.largest_buffer,
            initial_flight: limits.initial_flight,
            flight: side.flight,
            unsent: limits.largest_unsent,
            growth_round_trips: None,
            windows: None,
            autotuned,
            coverage: side.coverage,
            transfer: question.transfer(&side.flight, BufferKind::Send),
            writers: side.writers,
            remedies: side.remedies,
            notes: side.notes,
            steps: limits.steps,
            by_round_trip: curves(question, side.flight, autotuned),
            by_request: by_request(question, BufferKind::Send),
        }
    }

    fn receiver(question: &Question<'_>, side: Side<ReceiveLimits>) -> Self {
        let limits = side.limits;
        let autotuned = side.autotuned.map(|limits| (limits.largest_buffer, limits.largest_flight));
        Self {
            kind: BufferKind::Receive,
            granted: limits.granted,
            initial_buffer: limits.initial_buffer,
            largest_buffer: limits.largest_buffer,
            initial_flight: limits.initial_window,
            flight: side.flight,
            unsent: None,
            growth_round_trips: limits.growth_round_trips,
            windows: Some(Windows {
                scale: limits.window_scale,
                syn: limits.syn_window,
                syn_ack: limits.syn_ack_window,
                initial: limits.initial_window,
                largest: limits.largest_window,
                cap: limits.wire_cap,
            }),
            autotuned,
            coverage: side.coverage,
            transfer: question.transfer(&side.flight, BufferKind::Receive),
            writers: side.writers,
            remedies: side.remedies,
            notes: side.notes,
            steps: limits.steps,
            by_round_trip: curves(question, side.flight, autotuned),
            by_request: by_request(question, BufferKind::Receive),
        }
    }
}

fn curves(
    question: &Question<'_>,
    flight: Figure,
    autotuned: Option<(Figure, Figure)>,
) -> (Vec<Point>, Option<Vec<Point>>) {
    let of = |flight: Figure| rate_by_round_trip(flight.value, question.bandwidth);
    (of(flight), autotuned.map(|(_, flight)| of(flight)))
}

fn by_request(question: &Question<'_>, kind: BufferKind) -> Vec<Point> {
    question.round_trip_seconds.map_or_else(Vec::new, |seconds| rate_by_request(question, kind, seconds))
}
