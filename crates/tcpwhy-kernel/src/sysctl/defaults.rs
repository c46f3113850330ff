//! Default sysctls of kernels, on a machine of 4 GiB or more (smaller ones have lower third values of
//! `tcp_rmem` and `tcp_wmem`).

use super::{Sysctl, SysctlValue};
use crate::KernelVersion;

/// The default of `sysctl` in `version`; `None` if unknown, or if it depends on the machine or the
/// distribution.
///
/// Measured on 6.1, 6.12 and 6.16 to 7.3. `rmem_max` and `wmem_max` are 4 MiB since 6.18 (a6d4f25888b8).
/// `tcp_rmem[2]` is 32 MiB and `tcp_limit_output_bytes` 4 MiB since 6.16.
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

/// The largest default of all kernels since [`KernelVersion::OLDEST_ADVISED`], for each number separately.
///
/// `None` for words, if no default is known, and for `tcp_mem`, which grows with the memory ([`tcp_mem`]).
///
/// Defaults depend on the machine too. These numbers apply to machines with enough memory:
///
/// - `tcp_wmem[2]` and `tcp_rmem[2]` are the low memory divided by 128 on machines below 512 MiB and 4 GiB
///   (`tcp_init`: `nr_free_buffer_pages() << (PAGE_SHIFT - 7)`). A small machine has smaller defaults than a
///   large one, so the large machine's values suffice.
/// - `tcp_max_syn_backlog` (`tcp_sk_init`) and `tcp_max_orphans` (`tcp_init`) are the number of entries of
///   the connection hash table divided by 128 and 2. `alloc_large_system_hash` limits that table to 524,288
///   entries.
/// - The first values of `tcp_wmem` and `tcp_rmem` are one page, here 4,096 bytes. Kernels with pages of 64
///   KiB have larger ones.
pub(super) fn largest(sysctl: Sysctl) -> Option<SysctlValue> {
    use SysctlValue::{Number, Triple, Words};
    /// Maximum number of entries of the connection hash table.
    const HASH_ENTRIES: i64 = 512 << 10;
    match sysctl {
        // 128 until 5.3, 4096 since 19f92a030ca6 (5.4).
        Sysctl::Somaxconn => return Some(Number(4096)),
        Sysctl::TcpMaxSynBacklog => return Some(Number(HASH_ENTRIES / 128)),
        Sysctl::TcpMaxOrphans => return Some(Number(HASH_ENTRIES / 2)),
        // `net_hotdata.max_backlog`, before 6.9 `netdev_max_backlog`.
        Sysctl::NetdevMaxBacklog => return Some(Number(1000)),
        _ => {}
    }
    KernelVersion::advised().filter_map(|version| of(sysctl, version)).reduce(|a, b| match (a, b) {
        (Number(a), Number(b)) => Number(a.max(b)),
        (Triple(a), Triple(b)) => Triple([0, 1, 2].map(|i| a[i].max(b[i]))),
        (a, Number(_) | Triple(_) | Words(_)) => a,
    })
}

/// The default of `tcp_mem`, in pages, on a machine with `memory` bytes and pages of `page_size` bytes.
///
/// Pressure begins at 1/16 of the low memory; the other two values are 3/4 and 3/2 of that (`tcp_init_mem`
/// since b66e91ccbc34, 4.2). The kernel counts the free pages at boot, a few percent less than `memory`.
pub fn tcp_mem(memory: u64, page_size: u64) -> [u64; 3] {
    /// Minimum number of pages (`tcp_init_mem`).
    const LEAST: u64 = 128;
    let pressure = (memory / page_size.max(1) / 16).max(LEAST);
    let least = pressure / 4 * 3;
    [least, pressure, least * 2]
}

#[cfg(test)]
mod tests {
    use super::super::Sysctls;
    use super::*;

    /// A host of 16 GiB.
    #[test]
    fn memory_of_all_sockets() {
        assert_eq!(tcp_mem(16 << 30, 4096), [196_608, 262_144, 393_216]);
        assert_eq!(tcp_mem(0, 0), [96, 128, 192]);
    }

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
