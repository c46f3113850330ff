//! Ids of catalogues from ids of domain values.

/// `send_buffer` as catalogues have it: `send-buffer`.
pub(crate) fn kebab(id: &str) -> String {
    id.replace('_', "-")
}
