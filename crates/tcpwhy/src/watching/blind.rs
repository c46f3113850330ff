//! Events and sockets that watching cannot see.

/// A gap in the observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Blind {
    /// Changes between two samples.
    Between,
    /// How long writers wait for buffer space: the kernel is too old.
    Writers,
    /// Buffer sizes at the time when applications set them.
    Settings,
    /// The same from a certain time on: watching would have slowed too many system calls.
    LaterSettings,
    /// Events that did not fit into the kernel's buffer.
    LostEvents,
    /// Closed connections that did not fit into the kernel's buffer.
    LostEnds,
    /// The oldest events: more occurred than are kept until they are reported.
    OldEvents,
    /// Names of other users' processes.
    Names,
    /// Other network namespaces, which were not requested.
    Namespaces,
    /// Idle connections of other network namespaces.
    IdleNamespaces,
    /// Some of the requested network namespaces.
    SomeNamespaces,
    /// Changes within one second: there are too many sockets.
    Slow,
    /// Busy time and send window, which old kernels do not report.
    OldKernel,
}

impl Blind {
    pub(super) const ALL: [Self; 13] = [
        Self::Between,
        Self::Writers,
        Self::Settings,
        Self::LaterSettings,
        Self::LostEvents,
        Self::LostEnds,
        Self::OldEvents,
        Self::Names,
        Self::Namespaces,
        Self::IdleNamespaces,
        Self::SomeNamespaces,
        Self::Slow,
        Self::OldKernel,
    ];

    /// Stable kebab-case id, as in JSON and in the catalogues.
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::Between => "no-accounts",
            Self::Writers => "writers",
            Self::Settings => "settings",
            Self::LaterSettings => "later-settings",
            Self::LostEvents => "lost-events",
            Self::LostEnds => "lost-ends",
            Self::OldEvents => "old-events",
            Self::Names => "names",
            Self::Namespaces => "namespaces",
            Self::IdleNamespaces => "idle-namespaces",
            Self::SomeNamespaces => "some-namespaces",
            Self::Slow => "slow",
            Self::OldKernel => "old-kernel",
        }
    }
}
