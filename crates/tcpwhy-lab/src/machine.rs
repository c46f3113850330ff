//! Settings of the whole machine.

/// Whether a setting is not a namespace's own.
pub fn is_machine_wide(name: &str) -> bool {
    matches!(name, "net.core.rmem_max" | "net.core.wmem_max" | "net.ipv4.tcp_mem")
}
