//! Message ids from ids of domain values.

/// Turns `send_buffer` into `send-buffer`, the form in catalogues.
pub(crate) fn kebab(id: &str) -> String {
    id.replace('_', "-")
}
