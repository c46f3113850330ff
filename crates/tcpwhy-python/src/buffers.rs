//! `tcpwhy.buffers`: computes the real effect of a socket buffer.

use std::collections::BTreeMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tcpwhy_kernel::{
    AutotuningLevel, BufferKind, BufferRequest, Device, KernelVersion, Link, OperatingSystem, Question, Sysctl,
    Sysctls, When, Writer,
};
use tcpwhy_model::foreign::quoted;
use tcpwhy_model::{Explained, Message, Rate, typed};
use tcpwhy_report::buffers::{Buffers as Answer, SettingsOrigin, svg};
use tcpwhy_report::dto::BuffersDocument;
use tcpwhy_report::text::{BuffersDetail, buffers_page};

use crate::audit::{LOOK, live_error};
use crate::chart::Picture;
use crate::errors::{bad_argument, raised};
use crate::language::Words;

/// Smallest and largest packets of a link, in bytes.
const MTUS: std::ops::RangeInclusive<u32> = 68..=65_536;

/// The result of `buffers()`. `str()` of it is the page of `tcpwhy buffers`.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Buffers {
    json: String,
    text: String,
    svg: String,
}

#[pymethods]
impl Buffers {
    /// The document of schema `tcpwhy/1`, as written by `tcpwhy buffers --json`.
    fn to_json(&self) -> &str {
        &self.json
    }

    /// The document as `dict`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.json.as_str(),))
    }

    /// Rates by requested size and by round trip, as an SVG picture.
    fn chart(&self) -> Picture {
        Picture::new(self.svg.clone())
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<tcpwhy.Buffers: {}>", self.text.lines().next().unwrap_or_default())
    }
}

/// A number in its default unit, or text with a unit: `16384` or `"16KiB"`, `0.02` or `"20ms"`.
#[derive(FromPyObject)]
pub(crate) enum Quantity {
    #[pyo3(transparent)]
    Number(f64),
    #[pyo3(transparent)]
    Typed(String),
}

/// The name of an argument, and the language of error messages.
#[derive(Clone, Copy)]
struct Argument {
    name: &'static str,
    words: Words,
}

impl Argument {
    /// The exception for an invalid value of this argument.
    fn wrong(self, error: &impl Explained) -> PyErr {
        bad_argument(self.name, error, self.words)
    }
}

impl Quantity {
    fn read<T>(
        self,
        argument: Argument,
        of_number: impl Fn(f64) -> T,
        read: fn(&str) -> Result<T, Message>,
    ) -> PyResult<T> {
        match self {
            Self::Number(number) if number.is_finite() => Ok(of_number(number)),
            Self::Number(_) => Err(argument.wrong(&Message::new("python-finite"))),
            Self::Typed(text) => read(&text).map_err(|error| argument.wrong(&error)),
        }
    }
}

fn size(argument: Argument, quantity: Option<Quantity>) -> PyResult<Option<u64>> {
    let negative = || argument.wrong(&Message::new("python-negative"));
    let bytes =
        quantity.map(|quantity| quantity.read(argument, |number| number as i64, |text| Ok(typed::bytes(text)? as i64)));
    bytes.transpose()?.map(|bytes| u64::try_from(bytes).map_err(|_| negative())).transpose()
}

fn request(
    argument: Argument,
    quantity: Option<Quantity>,
    when: When,
    is_forced: bool,
) -> PyResult<Option<BufferRequest>> {
    let bytes =
        quantity.map(|quantity| quantity.read(argument, |number| number as i32, typed::buffer_size)).transpose()?;
    Ok(bytes.map(|bytes| BufferRequest { bytes, is_forced, when }))
}

/// Computes the real effect of a socket buffer: bytes in flight, rates, and the size that would fill the
/// path.
///
/// `sndbuf`, `rcvbuf` (bytes, or text such as `"64KiB"`) are the values passed to `setsockopt`; without both,
/// autotuning is computed. `window` asks about a window instead. `rtt` (seconds, or `"20ms"`), `bandwidth`
/// (bits per second, or `"100mbit"`) and `bytes` describe the transfer. `kernel` is a version such as `"6.1"`
/// or another system; without it the running kernel with its settings is used (Linux). `sysctls` is a `dict`
/// of settings by name. `when` is `"before-connect"`, `"on-listener"`, `"after-connect"` or `"after-data"`,
/// `device` is `"nic"`, `"local"` or `"local-single"`.
///
/// Raises `ValueError` for invalid values, and `OSError` if the settings of this host cannot be read.
#[pyfunction]
#[pyo3(signature = (
    *, sndbuf = None, rcvbuf = None, window = None, rtt = None, bandwidth = None, bytes = None, mtu = 1500, ipv6 = false,
    device = "nic", when = "before-connect", force = false, window_clamp = None, notsent_lowat = None, kernel = None,
    sysctls = None, lang = Words::default()
))]
#[pyo3(
    text_signature = "(*, sndbuf=None, rcvbuf=None, window=None, rtt=None, bandwidth=None, bytes=None, mtu=1500, ipv6=False, device='nic', when='before-connect', force=False, window_clamp=None, notsent_lowat=None, kernel=None, sysctls=None, lang='en')"
)]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn buffers(
    sndbuf: Option<Quantity>,
    rcvbuf: Option<Quantity>,
    window: Option<Quantity>,
    rtt: Option<Quantity>,
    bandwidth: Option<Quantity>,
    bytes: Option<Quantity>,
    mtu: u32,
    ipv6: bool,
    device: &str,
    when: &str,
    force: bool,
    window_clamp: Option<Quantity>,
    notsent_lowat: Option<Quantity>,
    kernel: Option<&str>,
    sysctls: Option<BTreeMap<String, Bound<'_, PyAny>>>,
    lang: Words,
) -> PyResult<Buffers> {
    let argument = |name| Argument { name, words: lang };
    if !MTUS.contains(&mtu) {
        return Err(raised::<PyValueError>(lang, &Message::new("python-mtu")));
    }
    if rtt.is_none() && (bandwidth.is_some() || bytes.is_some()) {
        return Err(raised::<PyValueError>(lang, &Message::new("python-needs-rtt")));
    }
    let settings = Settings::gather(kernel, sysctls.unwrap_or_default(), lang)?;
    let when = moment(when, lang)?;
    let round_trip =
        rtt.map(|rtt| rtt.read(argument("rtt"), |seconds| seconds, typed::round_trip_seconds)).transpose()?;
    if round_trip.is_some_and(|seconds| seconds <= 0.0) {
        return Err(raised::<PyValueError>(lang, &Message::new("python-rtt")));
    }
    let rate = bandwidth.map(|rate| rate.read(argument("bandwidth"), |bits| bits, typed::bits_per_sec)).transpose()?;
    if rate.is_some_and(|bits| bits <= 0.0) {
        return Err(raised::<PyValueError>(lang, &Message::new("python-bandwidth")));
    }
    let known = &settings.sysctls;
    let question = Question {
        version: settings.version(),
        sysctls: known,
        sndbuf: request(argument("sndbuf"), sndbuf, when, force)?,
        rcvbuf: request(argument("rcvbuf"), rcvbuf, when, force)?,
        window_clamp: size(argument("window_clamp"), window_clamp)?,
        notsent_lowat: size(argument("notsent_lowat"), notsent_lowat)?,
        link: Link {
            is_ipv6: ipv6,
            has_timestamps: known.number(Sysctl::TcpTimestamps) != Some(0),
            ..Link::new(mtu, kind_of_device(device, lang)?)
        },
        writer: Writer::Any,
        is_bbr: settings.system.linux().is_some()
            && known.words(Sysctl::TcpCongestionControl).is_some_and(|name| name.starts_with("bbr")),
        round_trip_seconds: round_trip,
        bandwidth: rate.map(Rate::from_bits_per_sec),
        transfer_bytes: size(argument("bytes"), bytes)?,
        window: size(argument("window"), window)?,
        autotuning_level: AutotuningLevel::Normal,
    };
    let kinds: &[BufferKind] = match (&question.sndbuf, &question.rcvbuf) {
        (Some(_), None) => &[BufferKind::Send],
        (None, Some(_)) => &[BufferKind::Receive],
        _ => &[BufferKind::Send, BufferKind::Receive],
    };
    let answer = Answer::new(settings.system, settings.origin, question, kinds);
    let wording = lang.wording();
    let mut json = Vec::new();
    tcpwhy_report::json::to_writer(&mut json, &BuffersDocument::new(wording, &answer))
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(Buffers {
        json: String::from_utf8(json)?,
        text: buffers_page(wording, LOOK, &answer, BuffersDetail { is_brief: false, with_steps: false }),
        svg: svg(wording, &answer),
    })
}

fn moment(text: &str, words: Words) -> PyResult<When> {
    match text {
        "before-connect" => Ok(When::BeforeConnect),
        "on-listener" => Ok(When::OnListener),
        "after-connect" => Ok(When::AfterConnect),
        "after-data" => Ok(When::AfterData),
        other => Err(raised::<PyValueError>(words, &Message::new("python-when").with("given", quoted(other)))),
    }
}

fn kind_of_device(text: &str, words: Words) -> PyResult<Device> {
    match text {
        "nic" => Ok(Device::Nic),
        "local" => Ok(Device::Local),
        "local-single" => Ok(Device::LocalSingle),
        other => Err(raised::<PyValueError>(words, &Message::new("python-device").with("given", quoted(other)))),
    }
}

/// A system and its settings.
struct Settings {
    system: OperatingSystem,
    sysctls: Sysctls,
    origin: SettingsOrigin,
}

impl Settings {
    /// The settings of this host, or the defaults of `kernel`, overridden by `assigned`.
    fn gather(kernel: Option<&str>, assigned: BTreeMap<String, Bound<'_, PyAny>>, words: Words) -> PyResult<Self> {
        let mut settings = match kernel {
            Some(kernel) => {
                let system = kernel.parse().map_err(|error| bad_argument("kernel", &error, words))?;
                let sysctls = Sysctls::defaults(version_of(system));
                Self { system, sysctls, origin: SettingsOrigin::Defaults }
            }
            None => Self::of_this_host(words)?,
        };
        for (name, value) in assigned {
            let assignment = format!("{name}={}", value.str()?);
            settings.sysctls.assign(&assignment).map_err(|error| bad_argument("sysctls", &error, words))?;
        }
        Ok(settings)
    }

    fn of_this_host(words: Words) -> PyResult<Self> {
        let unknown = || raised::<PyValueError>(words, &Message::new("python-kernel"));
        let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").map_err(|_| unknown())?;
        let version: KernelVersion = release.trim().parse().map_err(|error| bad_argument("kernel", &error, words))?;
        let system = OperatingSystem::of_kernel(version).map_err(|error| bad_argument("kernel", &error, words))?;
        let text = tcpwhy_live::sysctl_text().map_err(|error| live_error(&error, words))?;
        Ok(Self { system, sysctls: Sysctls::parse(&text).0, origin: SettingsOrigin::Host })
    }

    fn version(&self) -> KernelVersion {
        version_of(self.system)
    }
}

/// The version of Linux; for another system a recent one, because some computations need it.
const fn version_of(system: OperatingSystem) -> KernelVersion {
    match system.linux() {
        Some(version) => version,
        None => KernelVersion::series(6, 18),
    }
}
