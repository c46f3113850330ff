//! Settings of a scenario: some are simulated, some have no effect on a transfer, and all others are refused.

use tcpwhy_kernel::{KernelVersion, Sysctl, Sysctls};
use tcpwhy_scenario::{End, EndSpec, Scenario};

use super::refused::NotSimulated;

/// Settings of the lab for each run.
const LAB: [&str; 2] = ["net.ipv4.tcp_rmem=4096 131072 6291456", "net.ipv4.tcp_wmem=4096 16384 4194304"];

/// Effect of a setting on a transfer.
enum Effect {
    /// It is simulated, for kernels since this version.
    Since(u16, u16),
    /// Only this value is simulated.
    Only(i64),
    None,
}

const fn effect(sysctl: Sysctl) -> Effect {
    match sysctl {
        Sysctl::RmemMax
        | Sysctl::WmemMax
        | Sysctl::TcpRmem
        | Sysctl::TcpWmem
        | Sysctl::TcpModerateRcvbuf
        | Sysctl::TcpAdvWinScale
        | Sysctl::TcpAppWin
        | Sysctl::TcpWindowScaling
        | Sysctl::TcpLimitOutputBytes
        | Sysctl::TcpNotsentLowat
        | Sysctl::TcpSlowStartAfterIdle
        | Sysctl::TcpEarlyRetrans
        | Sysctl::TcpRetries2
        | Sysctl::TcpMinTsoSegs
        | Sysctl::TcpTsoWinDivisor
        | Sysctl::TcpAutocorking
        | Sysctl::TcpPacingSsRatio
        | Sysctl::TcpPacingCaRatio
        | Sysctl::TcpTimestamps
        | Sysctl::TcpSack
        | Sysctl::TcpEcn => Effect::Since(4, 20),
        Sysctl::TcpTsoRttLog => Effect::Since(5, 18),
        Sysctl::TcpPingpongThresh => Effect::Since(6, 7),
        Sysctl::TcpRtoMinUs => Effect::Since(6, 11),
        Sysctl::TcpRcvbufLowRtt => Effect::Since(6, 19),
        Sysctl::TcpDsack | Sysctl::TcpRecovery => Effect::Only(1),
        Sysctl::TcpShrinkWindow | Sysctl::TcpMtuProbing | Sysctl::TcpWorkaroundSignedWindows => Effect::Only(0),
        Sysctl::TcpRtoMaxMs => Effect::Only(120_000),
        // The scenario names the congestion control elsewhere.
        Sysctl::TcpCongestionControl
        | Sysctl::TcpAvailableCongestionControl
        | Sysctl::TcpAllowedCongestionControl
        // Settings of other sockets or connections, or that a single connection never uses.
        | Sysctl::RmemDefault
        | Sysctl::WmemDefault
        | Sysctl::NetdevMaxBacklog
        | Sysctl::Somaxconn
        | Sysctl::TcpNoMetricsSave
        | Sysctl::TcpBaseMss
        | Sysctl::TcpSyncookies
        | Sysctl::TcpMaxSynBacklog
        | Sysctl::TcpMaxOrphans
        | Sysctl::TcpKeepaliveTime
        | Sysctl::TcpTwReuse
        | Sysctl::IpLocalPortRange => Effect::None,
        // Memory pressure and fair queueing.
        Sysctl::TcpMem | Sysctl::DefaultQdisc => Effect::Only(i64::MIN),
    }
}

/// Further settings without effect on a transfer: they concern failing handshakes, closed connections, and
/// other connections.
const WITHOUT_EFFECT: [&str; 14] = [
    "net.ipv4.tcp_abort_on_overflow",
    "net.ipv4.tcp_challenge_ack_limit",
    "net.ipv4.tcp_ecn_fallback",
    "net.ipv4.tcp_fastopen",
    "net.ipv4.tcp_fin_timeout",
    "net.ipv4.tcp_invalid_ratelimit",
    "net.ipv4.tcp_keepalive_intvl",
    "net.ipv4.tcp_keepalive_probes",
    "net.ipv4.tcp_max_tw_buckets",
    "net.ipv4.tcp_orphan_retries",
    "net.ipv4.tcp_retries1",
    "net.ipv4.tcp_rfc1337",
    "net.ipv4.tcp_syn_retries",
    "net.ipv4.tcp_synack_retries",
];

/// Defaults of the kernel and the lab, overridden by the scenario.
pub(super) fn of(spec: &EndSpec, version: KernelVersion) -> Result<Sysctls, NotSimulated> {
    let mut sysctls = Sysctls::defaults(version);
    for setting in LAB {
        // These settings are well-formed.
        let _ = sysctls.assign(setting);
    }
    for (name, value) in &spec.sysctl {
        let refused = || NotSimulated::Setting(format!("{name} = {}", value.trim()));
        let Some(sysctl) = Sysctl::from_name(name) else {
            if WITHOUT_EFFECT.contains(&name.as_str()) {
                continue;
            }
            return Err(refused());
        };
        match effect(sysctl) {
            Effect::None => {}
            Effect::Since(major, minor) => {
                // A kernel without that setting would refuse it too.
                if !version.is_since(major, minor) {
                    return Err(refused());
                }
                sysctls.assign_value(sysctl, value).map_err(|_| refused())?;
            }
            Effect::Only(simulated) => match value.trim().parse::<i64>() {
                Ok(value) if value == simulated => {}
                _ => return Err(refused()),
            },
        }
    }
    Ok(sysctls)
}

/// `tcp_ecn`: 1 requests ECN, 2 (the default) only accepts it; 3 or more is accurate ECN, which is refused.
pub(super) fn check_agreed(scenario: &Scenario) -> Result<(), NotSimulated> {
    const AGREES: i64 = 2;
    let is_accurate = |end: End| setting(scenario, end, Sysctl::TcpEcn).is_some_and(|value| value > AGREES);
    if End::BOTH.into_iter().any(is_accurate) { Err(NotSimulated::AccurateEcn) } else { Ok(()) }
}

/// Whether both ends allow timestamps (`tcp_timestamps`).
pub(super) fn has_timestamps(scenario: &Scenario) -> bool {
    End::BOTH.into_iter().all(|end| setting(scenario, end, Sysctl::TcpTimestamps) != Some(0))
}

/// The number that the scenario sets; `None` if there is none.
fn setting(scenario: &Scenario, end: End, sysctl: Sysctl) -> Option<i64> {
    scenario.end(end).sysctl.get(sysctl.name()).and_then(|text| text.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str, value: &str, version: &str) -> Result<Sysctls, String> {
        let mut spec = EndSpec::default();
        spec.sysctl.insert(name.to_owned(), value.to_owned());
        of(&spec, version.parse().unwrap()).map_err(|why| why.to_string())
    }

    #[test]
    fn what_is_not_simulated_is_named() {
        for (name, value, said) in [
            ("net.ipv4.tcp_mem", "1 2 3", "the simulator does not support the setting net.ipv4.tcp_mem = 1 2 3"),
            ("net.ipv4.tcp_recovery", "0", "the simulator does not support the setting net.ipv4.tcp_recovery = 0"),
            ("net.ipv4.tcp_reordering", "9", "the simulator does not support the setting net.ipv4.tcp_reordering = 9"),
            (
                "net.ipv4.tcp_rcvbuf_low_rtt",
                "0",
                "the simulator does not support the setting net.ipv4.tcp_rcvbuf_low_rtt = 0",
            ),
            ("net.ipv4.tcp_rmem", "many", "the simulator does not support the setting net.ipv4.tcp_rmem = many"),
        ] {
            assert_eq!(with(name, value, "6.18").unwrap_err(), said);
        }
        assert!(with("net.ipv4.tcp_rcvbuf_low_rtt", "0", "6.19").is_ok());
        assert!(with("net.ipv4.tcp_fin_timeout", "5", "6.18").is_ok());
    }

    #[test]
    fn a_scenario_goes_over_the_lab_and_that_over_the_kernel() {
        let rmem = |sysctls: &Sysctls| sysctls.triple(Sysctl::TcpRmem).unwrap()[2];
        assert_eq!(rmem(&with("net.ipv4.tcp_sack", "1", "6.18").unwrap()), 6_291_456);
        assert_eq!(rmem(&with("net.ipv4.tcp_rmem", "1 2 3", "6.18").unwrap()), 3);
    }
}
