//! Socket buffers of operating systems other than Linux and Windows: little is known, and none of it was
//! measured.

use crate::request::{BufferKind, BufferRequest};
use crate::{Figure, Ground, OperatingSystem};

/// A socket buffer of another operating system. Unknown parts are `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForeignBuffer {
    /// The request.
    pub request: Option<BufferRequest>,
    /// Value that `getsockopt` returns. FreeBSD and macOS accept the request unchanged, up to
    /// `kern.ipc.maxsockbuf`.
    pub reported: Option<Figure>,
    /// Whether setting it ends its autotuning.
    pub ends_autotuning: Option<bool>,
    /// Initial size if the option is not set.
    pub initial_buffer: Option<Figure>,
    /// Size that autotuning reaches with the system's defaults.
    pub largest_buffer: Option<Figure>,
}

/// Known properties of a buffer of `system`; `None` for Linux and Windows, which have rules of their own.
///
/// Sources: `SB_AUTOSIZE` is cleared by `SO_SNDBUF` and `SO_RCVBUF` in FreeBSD and XNU (`sbsetopt`,
/// `sosetoptlock`); FreeBSD's `net.inet.tcp.sendspace`, `recvspace`, `sendbuf_max`, `recvbuf_max`; XNU's
/// `autorcvbufmax` (512 KiB, later 2 MiB).
pub fn foreign_buffer(
    system: OperatingSystem,
    kind: BufferKind,
    request: Option<BufferRequest>,
) -> Option<ForeignBuffer> {
    let unknown =
        ForeignBuffer { request, reported: None, ends_autotuning: None, initial_buffer: None, largest_buffer: None };
    let assumed = |bytes| Figure::exact(bytes).trusted(Ground::Assumed);
    let as_asked = request.and_then(|request| u64::try_from(request.bytes).ok()).map(assumed);
    Some(match (system, kind) {
        (OperatingSystem::Linux(_) | OperatingSystem::Windows(_), _) => return None,
        (OperatingSystem::FreeBsd, kind) => ForeignBuffer {
            reported: as_asked,
            ends_autotuning: Some(true),
            initial_buffer: Some(assumed(if kind == BufferKind::Send { 32_768 } else { 65_536 })),
            largest_buffer: Some(assumed(2 << 20)),
            ..unknown
        },
        (OperatingSystem::MacOs, kind) => ForeignBuffer {
            reported: as_asked,
            ends_autotuning: Some(true),
            largest_buffer: (kind == BufferKind::Receive)
                .then(|| Figure::range(2 << 20, 512 << 10, Some(2 << 20), Ground::Assumed)),
            ..unknown
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KernelVersion, WindowsRelease};

    #[test]
    fn what_is_not_known_is_none() {
        let request = Some(BufferRequest::new(65_536));
        let windows = OperatingSystem::Windows(WindowsRelease::Server2012);
        assert!(foreign_buffer(windows, BufferKind::Send, request).is_none());
        let mac = foreign_buffer(OperatingSystem::MacOs, BufferKind::Send, request).unwrap();
        assert_eq!((mac.ends_autotuning, mac.initial_buffer, mac.largest_buffer), (Some(true), None, None));
        let bsd = foreign_buffer(OperatingSystem::FreeBsd, BufferKind::Send, request).unwrap();
        assert_eq!(bsd.reported.map(|figure| figure.value), Some(65_536), "not doubled");
        assert!(foreign_buffer(OperatingSystem::Linux(KernelVersion::series(6, 18)), BufferKind::Send, None).is_none());
    }
}
