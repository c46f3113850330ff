use std::collections::BTreeMap;

/// A group of counters, as in the files of `/proc/net`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CounterGroup {
    /// `Tcp` of `/proc/net/snmp` (RFC 4022).
    Tcp,
    /// `TcpExt` of `/proc/net/netstat` (Linux `LINUX_MIB_*`).
    TcpExt,
    /// `Ip` of `/proc/net/snmp` (RFC 4293); only counters that concern TCP.
    Ip,
    /// `Ip6` of `/proc/net/snmp6`; only counters that concern TCP.
    Ip6,
}

/// Packets that this host could not send because it had no route. The only counter of `Ip` and `Ip6` that
/// concerns TCP.
const OUT_NO_ROUTES: &str = "OutNoRoutes";

impl CounterGroup {
    /// Prefix of this group in the names of `nstat`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Tcp => "Tcp",
            Self::TcpExt => "TcpExt",
            Self::Ip => "Ip",
            Self::Ip6 => "Ip6",
        }
    }

    /// Whether the counter `name` of this group is kept: all counters of TCP, and of IP only those that
    /// concern TCP.
    pub fn takes(self, name: &str) -> bool {
        match self {
            Self::Tcp | Self::TcpExt => true,
            Self::Ip | Self::Ip6 => name == OUT_NO_ROUTES,
        }
    }

    /// Group and name of a counter that `nstat` prints, such as `TcpExtPruneCalled`; `None` for any other
    /// text.
    pub fn split(text: &str) -> Option<(Self, &str)> {
        // `TcpExt` must come first, because the `Ext` after `Tcp` also begins with a capital letter.
        let (group, name) = [Self::TcpExt, Self::Tcp, Self::Ip6, Self::Ip]
            .into_iter()
            .find_map(|group| text.strip_prefix(group.id()).map(|name| (group, name)))?;
        (name.starts_with(|c: char| c.is_ascii_uppercase()) && group.takes(name)).then_some((group, name))
    }
}

/// Counters of the TCP stack under Linux's names, since the network namespace was created.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    values: BTreeMap<(CounterGroup, String), u64>,
}

impl Counters {
    /// Stores `value` under `name`. Readers skip negative values (`Tcp: MaxConn -1`), which are not counters.
    pub fn set(&mut self, group: CounterGroup, name: &str, value: u64) {
        self.values.insert((group, name.to_owned()), value);
    }

    /// `Tcp: name` of `/proc/net/snmp`; `None` if this kernel does not count it.
    pub fn tcp(&self, name: &str) -> Option<u64> {
        self.get(CounterGroup::Tcp, name)
    }

    /// `TcpExt: name` of `/proc/net/netstat`; `None` if this kernel does not count it.
    pub fn ext(&self, name: &str) -> Option<u64> {
        self.get(CounterGroup::TcpExt, name)
    }

    /// `OutNoRoutes` of IPv4 and IPv6: packets that were not sent because there was no route; 0 if this
    /// kernel does not count them.
    pub fn out_no_routes(&self) -> u64 {
        let of = |group| self.get(group, OUT_NO_ROUTES).unwrap_or(0);
        of(CounterGroup::Ip).saturating_add(of(CounterGroup::Ip6))
    }

    fn get(&self, group: CounterGroup, name: &str) -> Option<u64> {
        self.values.get(&(group, name.to_owned())).copied()
    }

    /// All counters, ordered by group and name.
    pub fn iter(&self) -> impl Iterator<Item = (CounterGroup, &str, u64)> {
        self.values.iter().map(|((group, name), &value)| (*group, name.as_str(), value))
    }

    /// Whether there are no counters.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Increments since `earlier`. A counter that decreased (another namespace, a wrap) counts from 0.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let difference = |key: &(CounterGroup, String), now: u64| {
            let before = earlier.values.get(key).copied().unwrap_or(0);
            if now >= before { now - before } else { now }
        };
        Self { values: self.values.iter().map(|(key, &now)| (key.clone(), difference(key, now))).collect() }
    }

    /// Adds the counters of `other`; existing values are replaced.
    pub fn extend(&mut self, other: Self) {
        self.values.extend(other.values);
    }
}

/// `/proc/net/sockstat`: sockets and memory of TCP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SockStat {
    /// IPv4 sockets in use in this network namespace.
    pub in_use: Option<u64>,
    /// IPv6 sockets in use in this network namespace (`/proc/net/sockstat6`).
    pub in_use6: Option<u64>,
    /// Connections without a process: of all namespaces before Linux 4.11, of this namespace since.
    pub orphans: Option<u64>,
    /// Connections in `TIME-WAIT`.
    pub time_wait: Option<u64>,
    /// Sockets with memory, in all namespaces.
    pub allocated: Option<u64>,
    /// Memory of the TCP sockets of all namespaces, in pages, comparable with `tcp_mem`. The kernel counts it
    /// per CPU in batches of up to 1 MiB (`SK_MEMORY_PCPU_RESERVE`), so idle hosts show a few hundred pages
    /// too many or too few.
    pub memory: Option<u64>,
}

/// The line of a protocol in `/proc/net/protocols`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProtocolUse {
    /// Number of sockets.
    pub sockets: Option<u64>,
    /// Memory in pages.
    pub memory: Option<u64>,
    /// Whether the protocol is under memory pressure now.
    pub is_under_pressure: Option<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_nstat() {
        assert_eq!(CounterGroup::split("TcpExtTCPRcvCollapsed"), Some((CounterGroup::TcpExt, "TCPRcvCollapsed")));
        assert_eq!(CounterGroup::split("TcpInSegs"), Some((CounterGroup::Tcp, "InSegs")));
        assert_eq!(CounterGroup::split("IpOutNoRoutes"), Some((CounterGroup::Ip, "OutNoRoutes")));
        assert_eq!(CounterGroup::split("Ip6OutNoRoutes"), Some((CounterGroup::Ip6, "OutNoRoutes")));
        for text in [
            "IpExtInOctets",
            "IpExtOutNoRoutes",
            "TcpExt",
            "Tcp",
            "PruneCalled",
            "TCPRcvCollapsed",
            "Tcp_InSegs",
            "IpInReceives",
            "",
        ] {
            assert_eq!(CounterGroup::split(text), None, "{text}");
        }
    }

    #[test]
    fn differences() {
        let make = |pruned, drops| {
            let mut counters = Counters::default();
            counters.set(CounterGroup::TcpExt, "PruneCalled", pruned);
            counters.set(CounterGroup::Tcp, "InErrs", drops);
            counters
        };
        let recent = make(12, 1).since(&make(10, 5));
        assert_eq!((recent.ext("PruneCalled"), recent.tcp("InErrs")), (Some(2), Some(1)));
        assert_eq!(recent.ext("InErrs"), None);
    }
}
