//! Whether the machine forbids transfers of the lab. Any other failure is a bug of the program.

/// The reasons of the machine that a failed command of the lab may give.
const REASONS: [&str; 4] =
    ["cannot create a network namespace", "cannot create a TAP device", "is not installed", "this kernel lacks"];

/// The error `said`, if the machine is the reason for it.
pub(crate) fn forbidden(said: &str) -> Option<String> {
    REASONS.iter().any(|reason| said.contains(reason)).then(|| said.trim().to_owned())
}
