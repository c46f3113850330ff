//! How far the packets of an end had come.

/// TTL or hop limit of the packets of one end, as captured; 0 where none was seen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HopLimits {
    /// Of its SYN.
    pub(crate) syn: u8,
    /// That of its last SYN.
    pub(crate) last_syn: u8,
    /// Of what it sent after that, first.
    pub(crate) usual: u8,
    /// What it sent after that had different ones.
    pub(crate) is_mixed: bool,
}

impl HopLimits {
    /// A packet came with a hop limit that is not the usual one.
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

    /// Whether its packets start with no more than Linux's 64 hops. Those of the BSDs and macOS do so as
    /// well, and Windows begins with 128.
    pub(crate) fn may_be_linux(self) -> bool {
        const LINUX: u8 = 64;
        self.syn.max(self.usual) <= LINUX
    }

    /// Whether routers lie between this end (`true`: none) and where its packets were captured; `None` where
    /// that is not clear. Hosts start at one of a few values, and each router takes one away (RFC 9293
    /// §3.9.2, RFC 8200 §3).
    pub(crate) fn is_unrouted(self) -> Option<bool> {
        // Linux, the BSDs and macOS; Windows; Solaris and network devices.
        const FIRST: [u8; 3] = [64, 128, 255];
        let is_first = FIRST.contains(&self.usual);
        (self.usual > 0 && !(is_first && self.is_mixed)).then_some(is_first)
    }

    /// As [`Self::is_unrouted`], of SYNs alone.
    pub(crate) fn is_syn_unrouted(self) -> Option<bool> {
        Self { usual: self.syn, is_mixed: false, ..self }.is_unrouted()
    }

    /// The hop limits of the SYN and of all that followed, where all of that came from elsewhere.
    pub(crate) fn answered_for(self) -> Option<(u8, u8)> {
        let is_other = self.syn > 0 && self.usual > 0 && self.syn != self.usual && !self.is_mixed;
        is_other.then_some((self.syn, self.usual))
    }
}
