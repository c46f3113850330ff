//! Rights that are given up once they are not needed any more.

#[cfg(target_os = "linux")]
pub(crate) use tcpwhy_lab::rights::{Right, keep_only};

/// A right of Linux that a thread may still need. Elsewhere there are none to give up one by one.
#[cfg(not(target_os = "linux"))]
#[derive(Clone, Copy)]
pub(crate) enum Right {
    /// To read and to write files whoever owns them.
    AnyFile,
    /// To look into other users' processes.
    OtherProcesses,
}

/// Nothing: elsewhere than on Linux only files that the user names are read.
#[cfg(not(target_os = "linux"))]
#[allow(clippy::unnecessary_wraps, reason = "as on Linux")]
pub(crate) fn keep_only(_: &[Right]) -> std::io::Result<()> {
    Ok(())
}
