//! Parsing and printing of `sysctl -a`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use proptest::prelude::*;
use tcpwhy_kernel::{KernelVersion, Sysctl, SysctlError, SysctlShape, SysctlValue, Sysctls};

#[test]
fn reads_what_sysctl_prints() {
    let text = "\
# saved on a server
abi.vsyscall32 = 1
net.core.rmem_max = 212992
net/core/wmem_max=212992
net.ipv4.tcp_rmem = 4096\t131072\t6291456
net.ipv4.tcp_wmem = 4096 16384 4194304
-net.ipv4.tcp_adv_win_scale = -2
net.ipv4.tcp_allowed_congestion_control = reno cubic
net.ipv4.tcp_mem = much
kernel.core_pattern = |/bin/core=%e
net.core.rmem_max = 4194304
not a line at all
";
    let (sysctls, errors) = Sysctls::parse(text);
    assert_eq!(sysctls.number(Sysctl::RmemMax), Some(4_194_304), "the later line wins");
    assert_eq!(sysctls.number(Sysctl::WmemMax), Some(212_992));
    assert_eq!(sysctls.triple(Sysctl::TcpRmem), Some([4096, 131_072, 6_291_456]));
    assert_eq!(sysctls.triple(Sysctl::TcpWmem), Some([4096, 16_384, 4_194_304]));
    assert_eq!(sysctls.number(Sysctl::TcpAdvWinScale), Some(-2));
    assert_eq!(sysctls.words(Sysctl::TcpAllowedCongestionControl), Some("reno cubic"));
    assert_eq!(sysctls.value(Sysctl::TcpMem), None, "unreadable is unknown, not 0");
    assert_eq!(errors, [SysctlError::BadValue { sysctl: Sysctl::TcpMem, value: "much".into() }]);
}

#[test]
fn assignments_are_strict() {
    let mut sysctls = Sysctls::new();
    assert_eq!(sysctls.assign("net.ipv4.tcp_rmem=4096 4096 4096"), Ok(Sysctl::TcpRmem));
    assert_eq!(sysctls.assign("net.ipv4.tcp_rmem='4096 4096 4096'"), Ok(Sysctl::TcpRmem));
    assert_eq!(sysctls.assign("/proc/sys/net/core/rmem_max=1"), Ok(Sysctl::RmemMax));
    for text in ["net.core.rmem_max", "net.core.rmen_max=1", "net.core.rmem_max=", "net.ipv4.tcp_rmem=1 2"] {
        let before = sysctls.clone();
        let error = sysctls.assign(text).unwrap_err();
        assert!(!error.to_string().is_empty());
        assert_eq!(sysctls, before, "{text}");
    }
}

#[test]
fn names_are_unique_and_read_back() {
    for sysctl in Sysctl::ALL {
        assert_eq!(Sysctl::from_name(sysctl.name()), Some(*sysctl));
        assert_eq!(Sysctl::from_name(&sysctl.name().replace('.', "/")), Some(*sysctl));
    }
}

#[test]
fn what_a_namespace_sees_depends_on_the_version() {
    let (old, new) = (KernelVersion::release(6, 1, 192), KernelVersion::release(6, 12, 117));
    assert!(!Sysctl::RmemMax.is_visible_in_namespace(old));
    assert!(Sysctl::RmemMax.is_visible_in_namespace(new));
    assert!(!Sysctl::TcpMem.is_visible_in_namespace(new));
    assert!(Sysctl::TcpRmem.is_visible_in_namespace(old));
    assert!(Sysctl::TcpAdvWinScale.has_effect(old) && !Sysctl::TcpAdvWinScale.has_effect(new));
}

fn value(sysctl: Sysctl) -> BoxedStrategy<SysctlValue> {
    match sysctl.shape() {
        SysctlShape::Number => any::<i64>().prop_map(SysctlValue::Number).boxed(),
        SysctlShape::Triple => any::<[u64; 3]>().prop_map(SysctlValue::Triple).boxed(),
        SysctlShape::Words => "[a-z][a-z_]{0,8}( [a-z]{1,8}){0,3}".prop_map(SysctlValue::Words).boxed(),
    }
}

fn sysctls() -> impl Strategy<Value = Sysctls> {
    let one = prop::sample::select(Sysctl::ALL).prop_flat_map(|sysctl| (Just(sysctl), value(sysctl)));
    prop::collection::vec(one, 0..20).prop_map(|values| {
        let mut sysctls = Sysctls::new();
        for (sysctl, value) in values {
            sysctls.set(sysctl, value);
        }
        sysctls
    })
}

proptest! {
    #[test]
    fn reading_what_was_written_gives_the_same(sysctls in sysctls()) {
        prop_assert_eq!(Sysctls::parse(&sysctls.to_string()), (sysctls, vec![]));
    }

    #[test]
    fn versions_read_back(major in any::<u16>(), minor in any::<u16>(), patch in any::<Option<u16>>()) {
        let version = KernelVersion { major, minor, patch };
        prop_assert_eq!(version.to_string().parse(), Ok(version));
    }

    #[test]
    fn no_text_panics(text in "\\PC*") {
        let _ = Sysctls::parse(&text);
        let _ = Sysctls::new().assign(&text);
        let _ = text.parse::<KernelVersion>();
    }
}

/// A file with many unreadable lines gives one warning per sysctl.
#[test]
fn errors_are_bounded_by_the_sysctls() {
    let text = "net.ipv4.tcp_rmem = many\nnet.ipv4.tcp_wmem = 1\n".repeat(1000);
    let (_, errors) = Sysctls::parse(&text);
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors.into_iter().all(|error| !error.without_value().to_string().contains("many")));
}
