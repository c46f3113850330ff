//! Command-line arguments of `tcpwhy audit`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use tcpwhy_analysis::RULES;
use tcpwhy_audit::{Check, PathSpec, checks};
use tcpwhy_kernel::KernelVersion;
use tcpwhy_model::{Finding, Severity};

use crate::anonymize::AnonymizeArgs;
use crate::code_args::CodeArgs;
use crate::look_args::LookArgs;
use crate::message::{Failure, failure};
use crate::size::{Bandwidth, RoundTrip};
use crate::value;

/// Arguments of `tcpwhy audit`.
#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    #[arg(value_name = "SAVED")]
    pub(crate) saved: Option<PathBuf>,

    #[arg(long, value_name = "FILE", help_heading = "input")]
    pub(crate) sysctl_file: Option<PathBuf>,

    #[arg(long, value_name = "NAME=VALUE", help_heading = "input")]
    pub(crate) sysctl: Vec<String>,

    #[arg(long, value_name = "VERSION", value_parser = value::read::<KernelVersion>, help_heading = "input")]
    pub(crate) kernel: Option<KernelVersion>,

    #[arg(long, value_name = "RATE,RTT[,MTU]", help_heading = "input")]
    pub(crate) path: Vec<PathArg>,

    #[arg(long, value_name = "TIME", conflicts_with_all = ["saved", "sysctl_file"], help_heading = "input")]
    pub(crate) interval: Option<RoundTrip>,

    #[arg(long, value_name = "DIR", conflicts_with_all = ["saved", "sysctl_file"], help_heading = "output")]
    pub(crate) save: Option<PathBuf>,

    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "output")]
    pub(crate) top: usize,

    #[arg(long, help_heading = "output")]
    pub(crate) json: bool,

    #[command(flatten, next_help_heading = "output")]
    pub(crate) code: CodeArgs,

    #[command(flatten, next_help_heading = "output")]
    pub(crate) look: LookArgs,

    #[command(flatten, next_help_heading = "output")]
    pub(crate) anonymize: AnonymizeArgs,

    #[arg(long, value_name = "SEVERITY|RULE", help_heading = "output")]
    pub(crate) fail_on: Vec<FindingGate>,

    #[arg(short, long, help_heading = "output")]
    pub(crate) quiet: bool,
}

/// `--path`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PathArg(pub(crate) PathSpec);

impl FromStr for PathArg {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let mut parts = text.split(',').map(str::trim);
        let (Some(rate), Some(rtt)) = (parts.next(), parts.next()) else {
            return Err(failure("path-expected"));
        };
        let rate = rate.parse::<Bandwidth>()?.0;
        let rtt = rtt.parse::<RoundTrip>()?.0;
        let mtu =
            parts.next().map_or(Ok(PathSpec::ETHERNET_MTU), str::parse).ok().filter(|m| (68..=65_535).contains(m));
        let mtu = mtu.filter(|_| parts.next().is_none()).ok_or(failure("mtu-expected"))?;
        Ok(Self(PathSpec { rate, rtt, mtu }))
    }
}

/// `--fail-on`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FindingGate {
    /// Any finding of at least this severity.
    Severity(Severity),
    /// Any finding of this rule.
    Rule(String),
}

impl FromStr for FindingGate {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let severity = [Severity::Info, Severity::Warning, Severity::Critical].into_iter().find(|s| s.id() == text);
        if let Some(severity) = severity {
            return Ok(Self::Severity(severity));
        }
        let id = text.replace('_', "-");
        if checks().any(|check| check.id == id) {
            return Ok(Self::Rule(id));
        }
        let known: Vec<_> = checks().map(|check| check.id).collect();
        let expected = failure("gate-expected").with("known", known.join(", "));
        if RULES.iter().any(|rule| rule.id == id) {
            return Err(failure("gate-of-captures").with("expected", expected));
        }
        Err(expected)
    }
}

impl FindingGate {
    /// The spelling on the command line.
    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Severity(severity) => severity.id(),
            Self::Rule(id) => id,
        }
    }

    /// Whether a finding of `check` can trip this gate.
    pub(crate) fn may_be_hit_by(&self, check: &Check) -> bool {
        match self {
            Self::Severity(severity) => check.severity >= *severity,
            Self::Rule(id) => check.id == id,
        }
    }

    pub(crate) fn is_hit_by(&self, finding: &Finding) -> bool {
        match self {
            Self::Severity(severity) => finding.severity >= *severity,
            Self::Rule(id) => finding.rule == id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let path = "100mbit,20ms".parse::<PathArg>().unwrap().0;
        assert_eq!((path.bdp_bytes(), path.mtu), (250_000, 1500));
        assert_eq!("10gbit, 100ms, 9000".parse::<PathArg>().unwrap().0.mtu, 9000);
        for bad in ["", "100mbit", "20ms,100mbit", "100mbit,20ms,10", "100mbit,20ms,1500,1", "100mbit,20ms,x"] {
            assert!(bad.parse::<PathArg>().is_err(), "{bad}");
        }
    }

    #[test]
    fn gates() {
        assert_eq!("warning".parse(), Ok(FindingGate::Severity(Severity::Warning)));
        assert_eq!("memory_pressure".parse(), Ok(FindingGate::Rule("memory-pressure".into())));
        assert!("path-busy".parse::<FindingGate>().unwrap_err().to_string().contains("captures"));
        let unknown = "memory-presure".parse::<FindingGate>().unwrap_err().to_string();
        assert!(checks().all(|check| unknown.contains(check.id)), "{unknown}");
    }
}
