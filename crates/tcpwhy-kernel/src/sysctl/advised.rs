//! Values of sysctls that advice may print.
//!
//! A copied line may reach unknown hosts. On a kernel with a larger default it would lower the limits of
//! every connection, and a line in `/etc/sysctl.d` may do so after the next upgrade. So no limit is advised
//! below the largest default of any kernel since [`KernelVersion::OLDEST_ADVISED`]. Every line that sets a
//! sysctl comes from [`Sysctl::command`] or has its value from [`Sysctl::advised`].

use super::{Sysctl, SysctlValue, defaults};

/// `sysctl_tcp_rmem`, `sysctl_tcp_wmem`, `sysctl_rmem_max` and `sysctl_wmem_max` have the type `int`. The
/// kernel refuses larger numbers (`proc_dointvec_minmax`).
const MOST_OF_INT: u64 = i32::MAX as u64;

impl Sysctl {
    /// Whether it is a limit, so that a smaller number restricts connections. Other sysctls are times,
    /// switches and modes without a safe direction.
    pub const fn is_limit(self) -> bool {
        matches!(
            self,
            Self::RmemMax
                | Self::WmemMax
                | Self::RmemDefault
                | Self::WmemDefault
                | Self::NetdevMaxBacklog
                | Self::Somaxconn
                | Self::TcpMem
                | Self::TcpRmem
                | Self::TcpWmem
                | Self::TcpLimitOutputBytes
                | Self::TcpNotsentLowat
                | Self::TcpMaxSynBacklog
                | Self::TcpMaxOrphans
        )
    }

    /// The largest default of all kernels since [`KernelVersion::OLDEST_ADVISED`], for each number
    /// separately.
    ///
    /// `None` if no default is known, or if it grows with the memory of the machine ([`default_tcp_mem`]).
    ///
    /// [`default_tcp_mem`]: crate::default_tcp_mem
    ///
    /// [`KernelVersion::OLDEST_ADVISED`]: crate::KernelVersion::OLDEST_ADVISED
    pub fn largest_default(self) -> Option<SysctlValue> {
        defaults::largest(self)
    }

    /// The value to print for `wanted`. Numbers of a limit are at least
    /// [`largest_default`](Self::largest_default), and at most the kernel's maximum.
    #[must_use]
    pub fn advised(self, wanted: SysctlValue) -> SysctlValue {
        use SysctlValue::{Number, Triple};
        if !self.is_limit() {
            return wanted;
        }
        let most = match self {
            Self::RmemMax | Self::WmemMax | Self::TcpRmem | Self::TcpWmem => MOST_OF_INT,
            _ => u64::MAX,
        };
        match (wanted, self.largest_default()) {
            (Number(wanted), Some(Number(floor))) => {
                Number(wanted.max(floor).min(i64::try_from(most).unwrap_or(i64::MAX)))
            }
            (Triple(wanted), Some(Triple(floor))) => Triple([0, 1, 2].map(|i| wanted[i].max(floor[i]).min(most))),
            (wanted, _) => wanted,
        }
    }

    /// The command that sets it to [`advised`](Self::advised)`(wanted)`: `sysctl -w
    /// net.core.wmem_max=4194304`.
    pub fn command(self, wanted: SysctlValue) -> String {
        let value = self.advised(wanted).to_string().replace('\t', " ");
        let quote = if value.contains(' ') { "'" } else { "" };
        format!("sysctl -w {}={quote}{value}{quote}", self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Sysctls;
    use super::*;
    use crate::KernelVersion;
    use proptest::prelude::*;

    /// Versions on both sides of every possible change of a default.
    fn versions() -> impl Iterator<Item = KernelVersion> {
        let series = (4..=8).flat_map(|major| (0..=20).map(move |minor| (major, minor)));
        series.filter(|&series| series >= (4, 19)).flat_map(|(major, minor)| {
            let releases = [0, 1, 85, 86, 87, u16::MAX].map(|patch| KernelVersion::release(major, minor, patch));
            releases.into_iter().chain([KernelVersion::series(major, minor)])
        })
    }

    /// The numbers of a value, one or three.
    fn numbers(value: &SysctlValue) -> Vec<u64> {
        match value {
            SysctlValue::Number(number) => vec![u64::try_from(*number).unwrap()],
            SysctlValue::Triple(triple) => triple.to_vec(),
            SysctlValue::Words(words) => panic!("{words}"),
        }
    }

    fn wanted(sysctl: Sysctl, bytes: u64) -> SysctlValue {
        match sysctl.shape() {
            super::super::SysctlShape::Triple => SysctlValue::Triple([1, 1, bytes]),
            _ => SysctlValue::Number(i64::try_from(bytes).unwrap()),
        }
    }

    /// `tcp_init` and `sock_init` of Linux 4.19 to 7.3.
    #[test]
    fn largest_defaults() {
        for (sysctl, expected) in [
            (Sysctl::TcpWmem, &[4096, 16_384, 4_194_304][..]),
            (Sysctl::TcpRmem, &[4096, 131_072, 33_554_432]),
            (Sysctl::WmemMax, &[4_194_304]),
            (Sysctl::RmemMax, &[4_194_304]),
            (Sysctl::Somaxconn, &[4096]),
            (Sysctl::TcpLimitOutputBytes, &[4_194_304]),
        ] {
            assert_eq!(numbers(&sysctl.largest_default().unwrap()), expected, "{sysctl:?}");
        }
        assert_eq!(Sysctl::TcpMem.largest_default(), None);
    }

    /// No advised limit is below the default of a kernel or above its maximum.
    #[test]
    fn every_limit_has_its_floor() {
        let limits = Sysctl::ALL.iter().filter(|sysctl| sysctl.is_limit());
        for &sysctl in limits {
            for shift in 0..=31 {
                let advised = sysctl.advised(wanted(sysctl, 1 << shift));
                for version in versions() {
                    let Some(default) = Sysctls::defaults(version).value(sysctl).cloned() else { continue };
                    let (advised, default) = (numbers(&advised), numbers(&default));
                    assert!(advised.iter().zip(&default).all(|(a, d)| a >= d), "{sysctl:?} {advised:?} {version}");
                }
            }
            // The minimum is known unless it grows with the machine.
            assert_eq!(sysctl.largest_default().is_none(), sysctl == Sysctl::TcpMem, "{sysctl:?}");
        }
    }

    #[test]
    fn larger_wishes_stay_and_none_is_refused() {
        let third = |bytes| numbers(&Sysctl::TcpRmem.advised(SysctlValue::Triple([8192, 200_000, bytes])));
        assert_eq!(third(40_000_000), [8192, 200_000, 40_000_000]);
        assert_eq!(third(u64::MAX), [8192, 200_000, i32::MAX as u64]);
        assert_eq!(Sysctl::WmemMax.advised(SysctlValue::Number(i64::MAX)), SysctlValue::Number(i64::from(i32::MAX)));
        // Switches and times are printed unchanged.
        for (sysctl, value) in [(Sysctl::TcpSack, 0), (Sysctl::TcpKeepaliveTime, 1), (Sysctl::TcpRetries2, 8)] {
            assert_eq!(sysctl.advised(SysctlValue::Number(value)), SysctlValue::Number(value), "{sysctl:?}");
        }
    }

    #[test]
    fn commands() {
        assert_eq!(Sysctl::WmemMax.command(SysctlValue::Number(65_536)), "sysctl -w net.core.wmem_max=4194304");
        assert_eq!(
            Sysctl::TcpWmem.command(SysctlValue::Triple([1, 2, 65_536])),
            "sysctl -w net.ipv4.tcp_wmem='4096 16384 4194304'"
        );
        assert_eq!(Sysctl::TcpSack.command(SysctlValue::Number(1)), "sysctl -w net.ipv4.tcp_sack=1");
    }

    proptest! {
        /// From one byte to one gigabyte, the printed number is enough for the request and for every kernel.
        #[test]
        fn what_is_advised_is_enough(bytes in 1u64..=1 << 30, index in 0..Sysctl::ALL.len()) {
            let sysctl = Sysctl::ALL[index];
            prop_assume!(sysctl.is_limit());
            let wish = wanted(sysctl, bytes);
            let advised = numbers(&sysctl.advised(wish.clone()));
            let floor = sysctl.largest_default().map_or(vec![0; advised.len()], |floor| numbers(&floor));
            for ((advised, wish), floor) in advised.iter().zip(numbers(&wish)).zip(floor) {
                prop_assert!(*advised >= wish && *advised >= floor);
            }
        }
    }
}
