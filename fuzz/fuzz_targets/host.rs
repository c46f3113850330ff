//! Arbitrary texts as the files of a saved host: it is parsed and audited. Saving the result must give a host
//! again.
#![no_main]

use std::path::PathBuf;

use libfuzzer_sys::fuzz_target;
use tcpwhy_audit::{HostFacts, audit};
use tcpwhy_kernel::Sysctls;
use tcpwhy_live::SavedHost;
use tcpwhy_model::foreign::is_hidden;

/// Separates the files.
const SEPARATOR: u8 = 0x1e;

fuzz_target!(|bytes: &[u8]| {
    let names: Vec<PathBuf> = ["a", "uptime", "b"].into_iter().map(PathBuf::from).collect();
    let parts = bytes.split(|&byte| byte == SEPARATOR);
    let files = parts.enumerate().map(|(i, part)| (names[i % names.len()].as_path(), part));
    let Some(host) = SavedHost::from_files(files) else { return };
    let (sysctls, errors) = Sysctls::parse(host.sysctls.as_deref().unwrap_or_default());
    assert!(errors.iter().all(|error| !error.to_string().contains('\n')));
    let release = host.observation.kernel_release.as_deref();
    let facts = HostFacts {
        host: &host.observation,
        sysctls: &sysctls,
        version: release.and_then(|release| release.parse().ok()),
        paths: &[],
    };
    let _ = audit(&facts);
    let texts = host.texts();
    // Settings are saved unchanged, because they come from a live host, whose reader accepts no hidden
    // characters.
    for (name, text) in texts.iter().filter(|(name, _)| *name != "sysctl") {
        assert!(!text.contains(|c| c != '\n' && is_hidden(c)), "{name}: {text:?}");
    }
    let files: Vec<_> = texts.iter().map(|(name, text)| (PathBuf::from(name), text)).collect();
    let again = SavedHost::from_files(files.iter().map(|(name, text)| (name.as_path(), text.as_bytes())));
    let sockets = |host: &SavedHost| host.observation.sockets.as_ref().map_or(0, Vec::len);
    assert_eq!(again.as_ref().map_or(0, sockets), sockets(&host));
});
