use serde::Serialize;
use tcpwhy_audit::{HostFacts, HostReport};
use tcpwhy_kernel::{SysctlUnit, SysctlValue};
use tcpwhy_model::Timestamp;

use crate::clock::rfc3339;
use crate::dto::{Finding, Presentation, SCHEMA, Tool, rounded};

/// The document that `tcpwhy audit --json` writes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct AuditDocument {
    /// Always `tcpwhy/1`.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = SCHEMA)))]
    pub(crate) schema: String,
    /// Program that wrote the document.
    pub(crate) tool: Tool,
    /// Time of the scan as RFC 3339 in UTC, by the clock of the scanned machine.
    pub(crate) generated_at: String,
    /// The host, and which of its data could be read.
    pub(crate) host: AuditedHost,
    /// Problems of the host, also future ones, most severe first.
    pub(crate) findings: Vec<Finding>,
    /// For each path that was asked for, what the settings allow.
    pub(crate) paths: Vec<PathCheck>,
    /// Connections with a buffer that their application has set, slowest first.
    pub(crate) set_buffers: Vec<SetBuffer>,
    /// Error counters that are not 0.
    pub(crate) counters: Vec<Counter>,
    /// Settings that affect TCP performance.
    pub(crate) settings: Vec<Setting>,
}

/// Origin of the host's data.
#[derive(Clone, Copy, Debug)]
pub struct AuditOrigin<'a> {
    /// Name of the host, or its replacement.
    pub name: Option<&'a str>,
    /// File that the data was read from; `None` for the live host.
    pub source: Option<&'a str>,
    /// Time at which the host was scanned.
    pub time: Timestamp,
}

/// A host.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct AuditedHost {
    /// Its name, or the replacement for it; null if unknown.
    pub(crate) name: Option<String>,
    /// File that the data was read from; null for the live host.
    pub(crate) source: Option<String>,
    /// Kernel release; null if unknown.
    pub(crate) kernel_release: Option<String>,
    /// Kernel version whose rules were used.
    pub(crate) assumed_kernel: String,
    /// Seconds since boot; null if unknown.
    pub(crate) uptime_s: Option<f64>,
    /// Size of a page of memory; null if unknown.
    pub(crate) page_size_bytes: Option<u64>,
    /// Size of the memory; null if unknown.
    pub(crate) memory_bytes: Option<u64>,
    /// Whether this is the initial network namespace; null if unknown.
    pub(crate) is_initial_namespace: Option<bool>,
    /// Number of TCP sockets, listeners included; null if none could be read.
    pub(crate) sockets: Option<u64>,
    /// Time between two readings of the counters: `--interval`, a moment without that option; null for saved
    /// hosts.
    pub(crate) interval_s: Option<f64>,
    /// Data that is missing.
    pub(crate) gaps: Vec<GapNote>,
}

/// Data that is missing.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct GapNote {
    /// Stable kebab-case id.
    pub(crate) id: String,
    /// Description in the language asked for.
    pub(crate) text: String,
    /// Whether checks need this data; without it, no finding does not mean that nothing is wrong.
    pub(crate) hides_findings: bool,
}

/// A path and the buffers that fill it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct PathCheck {
    /// Rate of the path.
    pub(crate) rate_bits_per_s: f64,
    /// Round-trip time of the path.
    pub(crate) rtt_us: f64,
    /// Largest packet of the path.
    pub(crate) mtu_bytes: u32,
    /// Bandwidth-delay product.
    pub(crate) bdp_bytes: u64,
    /// Limits by kind of buffer.
    pub(crate) limits: Vec<PathReach>,
}

/// The limit of one kind of buffer on a path.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct PathReach {
    /// `autotuned-send`, `autotuned-receive`, `set-send` or `set-receive`.
    pub(crate) reach: String,
    /// Setting that is the limit.
    pub(crate) setting: String,
    /// Bytes that can be in flight, best single value.
    pub(crate) flight_bytes: u64,
    /// Bytes that can be in flight, low end of the range.
    pub(crate) flight_low_bytes: u64,
    /// Rate that these bytes in flight allow, at most the rate of the path.
    pub(crate) rate_bits_per_s: f64,
    /// Whether they fill the path.
    pub(crate) is_enough: bool,
    /// Value that the setting needs; null if it is sufficient or no value would be.
    pub(crate) needed_bytes: Option<u64>,
}

/// A buffer that an application has set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct SetBuffer {
    /// `send` or `receive`.
    pub(crate) side: String,
    /// Size that `getsockopt` returns.
    pub(crate) buffer_bytes: u64,
    /// Evidence that the application set it: `kernel`, `below-start`, `above-ceiling`, `at-cap` or
    /// `round-size`.
    pub(crate) ground: String,
    /// Confidence, from 0 to 1.
    pub(crate) confidence: f64,
    /// Address and port of this end.
    pub(crate) local: String,
    /// Address and port of the other end.
    pub(crate) peer: String,
    /// Processes that have the socket open; empty if they could not be read.
    pub(crate) processes: Vec<SocketProcess>,
    /// Measured round-trip time; null if there is none.
    pub(crate) rtt_us: Option<u64>,
    /// Most bytes in flight that the buffer allows.
    pub(crate) flight_bytes: u64,
    /// Most bytes in flight if the writes are small, or the network driver wastes memory.
    pub(crate) flight_low_bytes: u64,
    /// Rate that `flight_bytes` allow; null without a round-trip time, and if the socket has exceeded the
    /// computed rate.
    pub(crate) ceiling_bits_per_s: Option<f64>,
    /// Rate that `flight_low_bytes` allow.
    pub(crate) ceiling_low_bits_per_s: Option<f64>,
    /// Highest rate that the socket is known to have reached; null if none is known.
    pub(crate) reached_bits_per_s: Option<f64>,
    /// Rate that autotuning would reach; null without a round-trip time, and if the socket has exceeded it.
    pub(crate) autotuned_bits_per_s: Option<f64>,
    /// Whether the socket is at this limit now.
    pub(crate) is_at_limit: bool,
    /// Whether both ends are on this machine.
    pub(crate) is_local: bool,
}

/// A process that has a socket open.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct SocketProcess {
    /// Its name, at most 15 bytes.
    pub(crate) name: String,
    /// Process id.
    pub(crate) pid: u32,
    /// File descriptor.
    pub(crate) fd: u32,
}

/// A counter.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Counter {
    /// Name of the counter in Linux.
    pub(crate) name: String,
    /// Count since boot, or since the network namespace was created.
    pub(crate) count: u64,
    /// Rate since boot; null if unknown.
    pub(crate) per_hour: Option<f64>,
    /// Share of the counter `share_of`; null if there is none.
    pub(crate) share: Option<f64>,
    /// Name of the counter that is the whole.
    pub(crate) share_of: Option<String>,
    /// Count while the counters were watched; null for saved hosts.
    pub(crate) recent_count: Option<u64>,
    /// Description in the language asked for.
    pub(crate) text: String,
}

/// A setting.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Setting {
    /// Name of the sysctl.
    pub(crate) name: String,
    /// Value in its own unit.
    pub(crate) value: SettingValue,
    /// `bytes`, `pages`, `us`, `ms`, `s`, `flag`, `mode`, `shift`, `segments`, `count`, `percent` or `names`.
    pub(crate) unit: String,
    /// Value in bytes, if its unit is pages; null otherwise.
    pub(crate) value_bytes: Option<[u64; 3]>,
    /// `global` or `namespace`.
    pub(crate) scope: String,
    /// Whether it has the kernel's default value; null if unknown.
    pub(crate) is_default: Option<bool>,
    /// Whether the kernel uses it; null if the kernel is unknown.
    pub(crate) has_effect: Option<bool>,
    /// Description in the language asked for.
    pub(crate) text: String,
}

/// One number, three numbers, or words.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum SettingValue {
    /// One number.
    Number(i64),
    /// Minimum, default and maximum; for `tcp_mem`: low, pressure and high.
    Triple([u64; 3]),
    /// Names.
    Words(String),
}

impl AuditDocument {
    /// The document about a host with data from `origin`.
    pub fn new(
        origin: AuditOrigin<'_>,
        facts: &HostFacts<'_>,
        report: &HostReport,
        presentation: Presentation<'_>,
    ) -> Self {
        let wording = presentation.wording;
        Self {
            schema: SCHEMA.into(),
            tool: Tool::this(),
            generated_at: rfc3339(origin.time),
            host: AuditedHost::new(origin, facts, presentation),
            findings: report.findings.iter().map(|f| Finding::new(f, 0.0, presentation)).collect(),
            paths: report.paths.iter().map(PathCheck::new).collect(),
            set_buffers: report.set_buffers.iter().map(SetBuffer::new).collect(),
            counters: report
                .counters
                .iter()
                .map(|c| Counter {
                    name: c.name.into(),
                    count: c.count,
                    per_hour: c.per_hour.map(rounded),
                    share: c.share.map(|s| s.share),
                    share_of: c.share.map(|s| s.of.into()),
                    recent_count: c.recent,
                    text: wording.counter(c.name),
                })
                .collect(),
            settings: report
                .settings
                .iter()
                .map(|s| Setting {
                    name: s.sysctl.name().into(),
                    value: match &s.value {
                        SysctlValue::Number(n) => SettingValue::Number(*n),
                        SysctlValue::Triple(t) => SettingValue::Triple(*t),
                        SysctlValue::Words(w) => SettingValue::Words(w.clone()),
                    },
                    unit: unit_id(s.sysctl.unit()).into(),
                    value_bytes: s.bytes,
                    scope: s.scope.id().into(),
                    is_default: s.is_default,
                    has_effect: s.has_effect,
                    text: wording.setting(s.sysctl),
                })
                .collect(),
        }
    }
}

impl AuditedHost {
    fn new(origin: AuditOrigin<'_>, facts: &HostFacts<'_>, presentation: Presentation<'_>) -> Self {
        let host = facts.host;
        let gap = |&gap: &tcpwhy_model::host::Gap| GapNote {
            id: gap.id().into(),
            text: presentation.wording.gap(gap, facts.effective_version()),
            hides_findings: tcpwhy_audit::hides_findings(gap),
        };
        Self {
            name: origin.name.map(Into::into),
            source: origin.source.map(Into::into),
            kernel_release: host.kernel_release.clone(),
            assumed_kernel: facts.effective_version().to_string(),
            uptime_s: host.uptime,
            page_size_bytes: host.page_size,
            memory_bytes: host.memory,
            is_initial_namespace: host.is_initial_namespace,
            sockets: host.sockets.as_ref().map(|s| s.len() as u64),
            interval_s: host.recent.as_ref().map(|(_, seconds)| *seconds),
            gaps: host.gaps.iter().map(gap).collect(),
        }
    }
}

impl PathCheck {
    fn new(report: &tcpwhy_audit::PathReport) -> Self {
        let reach = |l: &tcpwhy_audit::PathLimit| PathReach {
            reach: l.reach.id().into(),
            setting: l.reach.sysctl().name().into(),
            flight_bytes: l.flight,
            flight_low_bytes: l.flight_low,
            rate_bits_per_s: l.rate.bits_per_sec().round(),
            is_enough: l.is_enough,
            needed_bytes: l.needed,
        };
        Self {
            rate_bits_per_s: report.path.rate.bits_per_sec(),
            rtt_us: (report.path.rtt * 1e9).round() / 1e3,
            mtu_bytes: report.path.mtu,
            bdp_bytes: report.path.bdp_bytes(),
            limits: report.limits.iter().map(reach).collect(),
        }
    }
}

impl SetBuffer {
    fn new(buffer: &tcpwhy_audit::SetBuffer) -> Self {
        let rate = |rate: Option<tcpwhy_model::Rate>| rate.map(|r| r.bits_per_sec().round());
        Self {
            side: buffer.side.id().into(),
            buffer_bytes: buffer.buffer,
            ground: buffer.ground.id().into(),
            confidence: buffer.ground.confidence(),
            local: buffer.local.to_string(),
            peer: buffer.peer.to_string(),
            processes: buffer
                .processes
                .iter()
                .map(|p| SocketProcess { name: p.name.clone(), pid: p.pid, fd: p.fd })
                .collect(),
            rtt_us: buffer.rtt,
            flight_bytes: buffer.flight,
            flight_low_bytes: buffer.flight_low,
            ceiling_bits_per_s: rate(buffer.ceiling),
            ceiling_low_bits_per_s: rate(buffer.ceiling_low),
            reached_bits_per_s: rate(buffer.reached),
            autotuned_bits_per_s: rate(buffer.autotuned),
            is_at_limit: buffer.is_binding,
            is_local: buffer.is_local,
        }
    }
}

const fn unit_id(unit: SysctlUnit) -> &'static str {
    match unit {
        SysctlUnit::Bytes => "bytes",
        SysctlUnit::Pages => "pages",
        SysctlUnit::Microseconds => "us",
        SysctlUnit::Milliseconds => "ms",
        SysctlUnit::Seconds => "s",
        SysctlUnit::Flag => "flag",
        SysctlUnit::Mode => "mode",
        SysctlUnit::Shift => "shift",
        SysctlUnit::Segments => "segments",
        SysctlUnit::Count => "count",
        SysctlUnit::Percent => "percent",
        SysctlUnit::Names => "names",
    }
}
