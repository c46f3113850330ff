//! What watching does not see.

/// What is not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Blind {
    /// What happens between two samples.
    Between,
    /// How long writers wait for room: the kernel is too old.
    Writers,
    /// Which buffers applications set, as they do.
    Settings,
    /// The same from some time on: watching it would have cost too many system calls.
    LaterSettings,
    /// Events that were more than the kernel had room for.
    LostEvents,
    /// Connections that ended, more than could be told.
    LostEnds,
    /// The oldest events: more happened than are kept until they are told.
    OldEvents,
    /// Names of other users' processes.
    Names,
    /// Other network namespaces, which nobody asked for.
    Namespaces,
    /// Connections of other network namespaces that rest.
    IdleNamespaces,
    /// Some network namespaces that were asked for.
    SomeNamespaces,
    /// What happens within a second: there are too many sockets.
    Slow,
    /// Clocks and windows, on old kernels.
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
