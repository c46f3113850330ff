//! What the kernels counted during a transfer, judged as an audit would.

use tcpwhy_audit::audit_counters;
use tcpwhy_kernel::{KernelVersion, Sysctls};
use tcpwhy_lab::{Recording, settings};
use tcpwhy_report::lab::LabCounted;
use tcpwhy_scenario::{End, Scenario};

/// At one end.
pub(crate) fn at(recording: &Recording, end: End) -> LabCounted {
    let (scenario, truth) = (recording.scenario(), recording.truth());
    let version = truth.kernel.parse().ok();
    let findings = truth.counted.counters(end).map_or_else(Vec::new, |counters| {
        audit_counters(&counters, truth.duration_s, &sysctls(scenario, end, version), version)
    });
    LabCounted {
        counters: truth.counted.at(end).clone(),
        expected: scenario.expect.counters.at(end).to_vec(),
        findings,
    }
}

/// The settings of an end: the kernel's defaults, and what was set over them.
fn sysctls(scenario: &Scenario, end: End, version: Option<KernelVersion>) -> Sysctls {
    let mut sysctls = version.map_or_else(Sysctls::new, Sysctls::defaults);
    for (name, value) in settings(scenario, end) {
        // One that the audit does not know has no check either.
        let _ = sysctls.assign(&format!("{name}={value}"));
    }
    sysctls
}
