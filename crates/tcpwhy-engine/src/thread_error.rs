//! The error of a thread that could not be started.

/// Adds to `error` that a thread could not be started.
pub(crate) fn no_thread(error: &std::io::Error) -> std::io::Error {
    std::io::Error::new(error.kind(), format!("cannot start a thread: {error}"))
}
