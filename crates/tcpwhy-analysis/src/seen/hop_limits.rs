//! Number of routers that the packets of an end had passed.

/// TTL or hop limit of one end's packets, as captured; 0 while unknown.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HopLimits {
    /// Hop limit of its first SYN.
    pub(crate) syn: u8,
    /// Hop limit of its last SYN.
    pub(crate) last_syn: u8,
    /// Hop limit of its first packet after that.
    pub(crate) usual: u8,
    /// Later packets had different hop limits.
    pub(crate) is_mixed: bool,
}

impl HopLimits {
    /// Records a packet whose hop limit differs from the usual one.
    pub(crate) fn note(&mut self, hop_limit: u8, is_syn: bool) {
        if is_syn {
            self.last_syn = hop_limit;
        }
        match (is_syn, self.usual) {
            (true, _) if self.syn == 0 => self.syn = hop_limit,
            (true, _) => {}
            (false, 0) => self.usual = hop_limit,
            (false, _) => self.is_mixed = true,
        }
    }

    /// Whether its packets start with at most 64 hops, as on Linux. The BSDs and macOS do so as well; Windows
    /// starts with 128.
    pub(crate) fn may_be_linux(self) -> bool {
        const LINUX: u8 = 64;
        self.syn.max(self.usual) <= LINUX
    }

    /// Whether no router is between this end and the capture point; `None` if that is unclear. Hosts start
    /// with one of a few values, and each router decrements it (RFC 9293 §3.9.2, RFC 8200 §3).
    pub(crate) fn is_unrouted(self) -> Option<bool> {
        // Initial values of Linux, the BSDs and macOS; Windows; Solaris and network devices.
        const FIRST: [u8; 3] = [64, 128, 255];
        let is_first = FIRST.contains(&self.usual);
        (self.usual > 0 && !(is_first && self.is_mixed)).then_some(is_first)
    }

    /// Same as [`Self::is_unrouted`], for SYNs alone.
    pub(crate) fn is_syn_unrouted(self) -> Option<bool> {
        Self { usual: self.syn, is_mixed: false, ..self }.is_unrouted()
    }

    /// Hop limits of the SYN and of all later packets, if these came from another host.
    pub(crate) fn answered_for(self) -> Option<(u8, u8)> {
        let is_other = self.syn > 0 && self.usual > 0 && self.syn != self.usual && !self.is_mixed;
        is_other.then_some((self.syn, self.usual))
    }
}
