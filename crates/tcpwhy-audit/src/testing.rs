//! Hosts for tests, and helpers to check their findings.

use tcpwhy_kernel::{KernelVersion, Sysctls};
use tcpwhy_model::host::{BufferLocks, CounterGroup, HostObservation, ProcessRef, SocketSample, TcpState};
use tcpwhy_model::{Finding, Rate, Value};

use super::{HostFacts, HostReport, PathSpec, audit};

/// Builder of a host.
#[derive(Clone, Debug, Default)]
pub(crate) struct Host {
    pub(crate) observation: HostObservation,
    pub(crate) sysctls: Sysctls,
    pub(crate) version: Option<KernelVersion>,
    pub(crate) paths: Vec<PathSpec>,
}

impl Host {
    /// A host with its kernel's defaults.
    pub(crate) fn with_defaults(version: &str) -> Self {
        let version = version.parse().unwrap();
        let observation = HostObservation {
            page_size: Some(4096),
            memory: Some(16 << 30),
            uptime: Some(86_400.0),
            ..HostObservation::default()
        };
        Self { observation, sysctls: Sysctls::defaults(version), version: Some(version), paths: vec![] }
    }

    pub(crate) fn sysctl(mut self, assignment: &str) -> Self {
        self.sysctls.assign(assignment).unwrap();
        self
    }

    pub(crate) fn uptime(mut self, seconds: f64) -> Self {
        self.observation.uptime = Some(seconds);
        self
    }

    pub(crate) fn counter(mut self, name: &str, value: u64) -> Self {
        self.observation.counters.get_or_insert_default().set(CounterGroup::TcpExt, name, value);
        self
    }

    pub(crate) fn tcp_counter(mut self, name: &str, value: u64) -> Self {
        self.observation.counters.get_or_insert_default().set(CounterGroup::Tcp, name, value);
        self
    }

    /// Packets that the host could not send because it had no route.
    pub(crate) fn no_routes(mut self, value: u64) -> Self {
        self.observation.counters.get_or_insert_default().set(CounterGroup::Ip, "OutNoRoutes", value);
        self
    }

    /// Sets a count of an interval of 1 s.
    pub(crate) fn recent(mut self, name: &str, value: u64) -> Self {
        let recent = self.observation.recent.get_or_insert_with(|| (tcpwhy_model::host::Counters::default(), 1.0));
        recent.0.set(CounterGroup::TcpExt, name, value);
        self
    }

    pub(crate) fn path(mut self, mbit: f64, milliseconds: f64) -> Self {
        self.paths.push(PathSpec {
            rate: Rate::from_bits_per_sec(mbit * 1e6),
            rtt: milliseconds / 1e3,
            mtu: PathSpec::ETHERNET_MTU,
        });
        self
    }

    pub(crate) fn socket(mut self, socket: SocketSample) -> Self {
        self.observation.sockets.get_or_insert_default().push(socket);
        self
    }

    pub(crate) fn facts(&self) -> HostFacts<'_> {
        HostFacts { host: &self.observation, sysctls: &self.sysctls, version: self.version, paths: &self.paths }
    }

    pub(crate) fn audit(&self) -> HostReport {
        audit(&self.facts())
    }

    /// The findings of a check. Asserts that each finding, also of other checks, has a sentence.
    #[track_caller]
    pub(crate) fn findings(&self, id: &str) -> Vec<Finding> {
        assert!(super::checks().any(|c| c.id == id), "{id} is in no table");
        let report = self.audit();
        report.findings.iter().for_each(tcpwhy_testkit::has_sentence);
        report.findings.into_iter().filter(|f| f.rule == id).collect()
    }

    /// The only finding of a check. Asserts that it has evidence and a fix.
    #[track_caller]
    pub(crate) fn fires(&self, id: &str) -> Finding {
        let mut findings = self.findings(id);
        assert_eq!(findings.len(), 1, "{findings:?}");
        let finding = findings.remove(0);
        assert!(!finding.evidence.is_empty() && !finding.fixes.is_empty(), "{finding:?}");
        finding
    }

    #[track_caller]
    pub(crate) fn is_silent(&self, id: &str) {
        assert_eq!(self.findings(id), []);
    }
}

/// An established connection with a round trip of 20 ms and autotuned buffers.
pub(crate) fn connection() -> SocketSample {
    let mut socket = SocketSample { state: Some(TcpState::Established), ..SocketSample::default() };
    socket.local.address = Some("192.0.2.10".parse().unwrap());
    socket.local.port = Some(3306);
    socket.peer.address = Some("198.51.100.20".parse().unwrap());
    socket.peer.port = Some(26_494);
    socket.processes = vec![ProcessRef { name: "mysqld".into(), pid: 4127, fd: 51 }];
    socket.locks = Some(BufferLocks::default());
    socket.memory.receive_buffer = Some(131_072);
    socket.memory.send_buffer = Some(87_040);
    socket.info.rtt = Some(20_000);
    socket.info.snd_mss = Some(1448);
    socket.info.advmss = Some(1448);
    socket.info.pmtu = Some(1500);
    socket.info.snd_wscale = Some(9);
    socket.info.rcv_wscale = Some(9);
    socket
}

/// A number from a finding's evidence.
#[track_caller]
pub(crate) fn number(finding: &Finding, name: &str) -> f64 {
    let evidence = finding.evidence.iter().find(|e| e.key.id() == name);
    match evidence.map(|e| &e.value) {
        Some(Value::Integer(i)) => *i as f64,
        Some(Value::Real(r)) => *r,
        other => panic!("{name}: {other:?} in {finding:?}"),
    }
}

/// All lines of a finding's fixes.
pub(crate) fn lines(finding: &Finding) -> String {
    finding
        .fixes
        .iter()
        .flat_map(|f| &f.lines)
        .map(|line| line.code.unfilled().into_owned())
        .collect::<Vec<_>>()
        .join("\n")
}
