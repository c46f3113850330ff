//! Lines that set a sysctl.
//!
//! The settings of the host are unknown. So the remark of each line with a number contains the values of the
//! setting for which the line is right. No limit in a line is below the default of a kernel
//! ([`Sysctl::advised`]).

use tcpwhy_kernel::{Sysctl, SysctlShape, SysctlValue};
use tcpwhy_model::{FixLine, Remark};

/// Raises a limit, or the third value of a triple, if it is below `needed`. The remark has that number as
/// `$needed`.
pub(crate) fn raise(limit: Sysctl, needed: u64, remark: &'static str) -> FixLine {
    let value = match limit.shape() {
        SysctlShape::Triple => SysctlValue::Triple([0, 0, needed]),
        SysctlShape::Number | SysctlShape::Words => number(needed),
    };
    raise_to(limit, value, needed, remark)
}

/// Raises the second value of a triple if it is below `needed`.
pub(crate) fn raise_start(limit: Sysctl, needed: u64, remark: &'static str) -> FixLine {
    raise_to(limit, SysctlValue::Triple([0, needed, 0]), needed, remark)
}

/// Lowers a time or a number of attempts, if it is larger.
pub(crate) fn lower(sysctl: Sysctl, value: u64, remark: &'static str) -> FixLine {
    FixLine::remarked(format!("{}  # ", sysctl.command(number(value))), remark)
}

fn raise_to(limit: Sysctl, value: SysctlValue, needed: u64, remark: &'static str) -> FixLine {
    // Linux's byte limits have the type `int`, so no host has more.
    let needed = needed.min(i32::MAX as u64);
    FixLine::remarked(format!("{}  # ", limit.command(value)), Remark::new(remark).with("needed", &needed))
}

fn number(value: u64) -> SysctlValue {
    SysctlValue::Number(i64::try_from(value).unwrap_or(i64::MAX))
}
