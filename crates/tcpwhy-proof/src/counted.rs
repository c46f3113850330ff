//! The kernels' counters of a transfer, judged by the rules of an audit.

use tcpwhy_audit::audit_counters;
use tcpwhy_kernel::{KernelVersion, Sysctls};
use tcpwhy_lab::{Recording, settings};
use tcpwhy_report::lab::LabCounted;
use tcpwhy_scenario::{End, Scenario};

/// The judged counters at one end.
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

/// The settings of an end: the kernel's defaults, replaced by the settings of the scenario.
fn sysctls(scenario: &Scenario, end: End, version: Option<KernelVersion>) -> Sysctls {
    let mut sysctls = version.map_or_else(Sysctls::new, Sysctls::defaults);
    for (name, value) in settings(scenario, end) {
        // A setting that the audit does not know has no check, so an error does not matter.
        let _ = sysctls.assign(&format!("{name}={value}"));
    }
    sysctls
}
