//! Names of network settings: where the kernel has them, and which belong to the whole machine.

/// Where a network setting is; `None`: not the name of one.
pub fn path(name: &str) -> Option<String> {
    let is_name =
        |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b));
    (name.starts_with("net.") && name.split('.').all(is_name)).then(|| format!("/proc/sys/{}", name.replace('.', "/")))
}

/// Settings that are not a namespace's own.
const MACHINE_WIDE: [&str; 3] = ["net.core.rmem_max", "net.core.wmem_max", "net.ipv4.tcp_mem"];

/// Whether a setting is not a namespace's own.
pub fn is_machine_wide(name: &str) -> bool {
    MACHINE_WIDE.contains(&name)
}
