//! Whether the machine forbids transfers of the lab. Every other failure is a fault of the program.

/// The reasons of the machine that a failed command of the lab may give.
const REASONS: [&str; 4] = ["no network namespace", "no TAP device", "is not installed", "this kernel has no"];

/// The error `said`, if the machine is the reason for it.
pub(crate) fn forbidden(said: &str) -> Option<String> {
    REASONS.iter().any(|reason| said.contains(reason)).then(|| said.trim().to_owned())
}
