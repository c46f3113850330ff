//! What kernels start with, on a machine of 4 GiB or more (smaller ones lower the third values of `tcp_rmem` and `tcp_wmem`).

use super::{Sysctl, SysctlValue};
use crate::KernelVersion;

/// The default of `sysctl` in `version`; `None` where it depends on the machine, the distribution or is not known here.
///
/// Measured on 6.1, 6.12 and 6.16 to 7.3; `rmem_max` and `wmem_max` 4 MiB since 6.18 (a6d4f25888b8), `tcp_rmem[2]` 32 MiB and
/// `tcp_limit_output_bytes` 4 MiB since 6.16.
pub(super) fn of(sysctl: Sysctl, version: KernelVersion) -> Option<SysctlValue> {
    use SysctlValue::{Number, Triple};
    let since = |major, minor| version.is_since(major, minor);
    Some(match sysctl {
        Sysctl::RmemMax | Sysctl::WmemMax => Number(if since(6, 18) { 4_194_304 } else { 212_992 }),
        Sysctl::RmemDefault | Sysctl::WmemDefault => Number(212_992),
        // 131072 since a337531b942b (4.20, stable 4.19.86); before, 87380 (tcp_init).
        Sysctl::TcpRmem => {
            let default = if since(4, 20) || version.is_stable_since(4, 19, 86) { 131_072 } else { 87_380 };
            Triple([4096, default, if since(6, 16) { 33_554_432 } else { 6_291_456 }])
        }
        Sysctl::TcpWmem => Triple([4096, 16_384, 4_194_304]),
        Sysctl::TcpShrinkWindow if since(6, 1) => Number(0),
        Sysctl::TcpRcvbufLowRtt if since(6, 19) => Number(1000),
        Sysctl::TcpAppWin => Number(31),
        Sysctl::TcpLimitOutputBytes if since(6, 16) => Number(4_194_304),
        // 1 MiB since c73e5807e4f6 (4.20).
        Sysctl::TcpLimitOutputBytes if since(4, 20) => Number(1_048_576),
        Sysctl::TcpNotsentLowat => Number(i64::from(u32::MAX)),
        Sysctl::TcpModerateRcvbuf
        | Sysctl::TcpWindowScaling
        | Sysctl::TcpAdvWinScale
        | Sysctl::TcpSlowStartAfterIdle
        | Sysctl::TcpTimestamps
        | Sysctl::TcpSack => Number(1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Sysctls;
    use super::*;

    #[test]
    fn defaults_by_version() {
        for (version, rmem_max, tcp_rmem) in [
            (KernelVersion::series(3, 10), 212_992, [4096, 87_380, 6_291_456]),
            (KernelVersion::release(6, 1, 192), 212_992, [4096, 131_072, 6_291_456]),
            (KernelVersion::release(6, 17, 13), 212_992, [4096, 131_072, 33_554_432]),
            (KernelVersion::release(6, 18, 15), 4_194_304, [4096, 131_072, 33_554_432]),
        ] {
            let defaults = Sysctls::defaults(version);
            assert_eq!(defaults.number(Sysctl::RmemMax), Some(rmem_max), "{version}");
            assert_eq!(defaults.number(Sysctl::WmemMax), Some(rmem_max), "{version}");
            assert_eq!(defaults.triple(Sysctl::TcpRmem), Some(tcp_rmem), "{version}");
        }
    }
}
