/// A network interface composed of several (`Documentation/networking/bonding.rst` of Linux).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bond {
    /// Name of the interface: `bond0`.
    pub name: String,
    /// Mode of distribution; `None` if unknown.
    pub mode: Option<BondMode>,
}

/// How a bond distributes packets over its interfaces, in the order of Linux's `BOND_MODE_…`
/// (`include/uapi/linux/if_bonding.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BondMode {
    /// Packets alternate between the interfaces.
    RoundRobin,
    /// One interface at a time.
    ActiveBackup,
    /// By a hash of the addresses.
    Xor,
    /// Each packet on all of them.
    Broadcast,
    /// By flow, agreed with the switch (IEEE 802.3ad).
    Lacp,
    /// By load when sending.
    TransmitBalanced,
    /// By load in both directions.
    AdaptivelyBalanced,
}

impl BondMode {
    /// All modes.
    pub const ALL: [Self; 7] = [
        Self::RoundRobin,
        Self::ActiveBackup,
        Self::Xor,
        Self::Broadcast,
        Self::Lacp,
        Self::TransmitBalanced,
        Self::AdaptivelyBalanced,
    ];

    /// Name in the module's parameter and in `ip link`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::RoundRobin => "balance-rr",
            Self::ActiveBackup => "active-backup",
            Self::Xor => "balance-xor",
            Self::Broadcast => "broadcast",
            Self::Lacp => "802.3ad",
            Self::TransmitBalanced => "balance-tlb",
            Self::AdaptivelyBalanced => "balance-alb",
        }
    }

    /// Title in `/proc/net/bonding/NAME` (`bond_mode_name`).
    const fn title(self) -> &'static str {
        match self {
            Self::RoundRobin => "load balancing (round-robin)",
            Self::ActiveBackup => "fault-tolerance (active-backup)",
            Self::Xor => "load balancing (xor)",
            Self::Broadcast => "fault-tolerance (broadcast)",
            Self::Lacp => "IEEE 802.3ad Dynamic link aggregation",
            Self::TransmitBalanced => "transmit load balancing",
            Self::AdaptivelyBalanced => "adaptive load balancing",
        }
    }

    /// The mode of this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.id() == id)
    }

    /// The mode whose title begins `title`. The file may append more: `fault-tolerance (active-backup)
    /// (fail_over_mac active)`.
    pub fn from_title(title: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| title.starts_with(mode.title()))
    }

    /// Whether packets of one flow use several interfaces, or are duplicated.
    pub const fn splits_flows(self) -> bool {
        matches!(self, Self::RoundRobin | Self::Broadcast)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_ids() {
        for mode in BondMode::ALL {
            assert_eq!(BondMode::from_id(mode.id()), Some(mode));
            assert_eq!(BondMode::from_title(mode.title()), Some(mode));
        }
        let title = "fault-tolerance (active-backup) (fail_over_mac active)";
        assert_eq!(BondMode::from_title(title), Some(BondMode::ActiveBackup));
        assert_eq!(BondMode::from_title("something new"), None);
    }
}
