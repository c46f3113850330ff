//! The TCP files of `/proc/net`, and the format in which `nstat` prints them.

use tcpwhy_model::host::{CounterGroup, Counters, ProtocolUse, SockStat};

/// Parses the counters of `/proc/net/netstat` and `/proc/net/snmp`: pairs of lines, one with names and one
/// with values. It also reads the lines of `/proc/net/snmp6` and of `nstat -az`, such as `TcpExtPruneCalled 0
/// 0.0`. Only the counters that matter to TCP are kept. Values that are not counts (`MaxConn -1`) are left
/// out.
pub fn parse_counters(text: &str) -> Counters {
    let mut counters = Counters::default();
    let mut names: Option<(&str, &str)> = None;
    for line in text.lines() {
        if let Some((group, rest)) = line.split_once(':') {
            match names.take() {
                Some((names_group, names)) if names_group == group && starts_with_number(rest) => {
                    let Some(group) = counter_group(group) else { continue };
                    for (name, value) in names.split_ascii_whitespace().zip(rest.split_ascii_whitespace()) {
                        if let Some(value) = value.parse().ok().filter(|_| is_counter_name(name) && group.takes(name)) {
                            counters.set(group, name, value);
                        }
                    }
                }
                _ => names = Some((group, rest)),
            }
        } else if let Some((group, name, value)) = nstat_line(line) {
            counters.set(group, name, value);
        }
    }
    counters
}

fn starts_with_number(text: &str) -> bool {
    text.trim_start().trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit())
}

fn counter_group(name: &str) -> Option<CounterGroup> {
    [CounterGroup::Tcp, CounterGroup::TcpExt, CounterGroup::Ip].into_iter().find(|group| group.id() == name)
}

/// A line such as `TcpExtTCPHPHits 25 0.0`.
fn nstat_line(line: &str) -> Option<(CounterGroup, &str, u64)> {
    let mut words = line.split_ascii_whitespace();
    let (name, value) = (words.next()?, words.next()?.parse().ok()?);
    let (group, name) = CounterGroup::split(name)?;
    is_counter_name(name).then_some((group, name, value))
}

/// Only letters, digits and `_` pass, because names are saved and shown unescaped. All names of the kernel
/// pass (`net/ipv4/proc.c`).
fn is_counter_name(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Parses `/proc/net/sockstat`, `/proc/net/sockstat6`, or both in one text.
pub fn parse_sockstat(text: &str) -> SockStat {
    let mut stat = SockStat::default();
    for line in text.lines() {
        let Some((protocol, rest)) = line.split_once(':') else { continue };
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        for pair in words.chunks_exact(2) {
            let field = match (protocol.trim(), pair[0]) {
                ("TCP", "inuse") => &mut stat.in_use,
                ("TCP6", "inuse") => &mut stat.in_use6,
                ("TCP", "orphan") => &mut stat.orphans,
                ("TCP", "tw") => &mut stat.time_wait,
                ("TCP", "alloc") => &mut stat.allocated,
                ("TCP", "mem") => &mut stat.memory,
                _ => continue,
            };
            if let Ok(value) = pair[1].parse() {
                *field = Some(value);
            }
        }
    }
    stat
}

/// Parses the line `TCP` of `/proc/net/protocols`. It finds the columns by their headings, because kernels
/// may add columns.
pub fn parse_tcp_protocol(text: &str) -> Option<ProtocolUse> {
    let mut lines = text.lines();
    let headings: Vec<&str> = lines.by_ref().find(|l| l.starts_with("protocol "))?.split_ascii_whitespace().collect();
    let values: Vec<&str> =
        lines.map(|l| l.split_ascii_whitespace().collect::<Vec<_>>()).find(|w| w.first() == Some(&"TCP"))?;
    let column = |name: &str| headings.iter().position(|&h| h == name).and_then(|at| values.get(at)).copied();
    Some(ProtocolUse {
        sockets: column("sockets").and_then(|v| v.parse().ok()),
        memory: column("memory").and_then(|v| v.parse().ok()),
        is_under_pressure: column("press").and_then(|v| match v {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        }),
    })
}

/// Parses `ip_local_port_range`: the first and the last local port of outgoing connections.
pub fn parse_port_range(text: &str) -> Option<(u16, u16)> {
    let mut words = text.split_ascii_whitespace();
    let (first, last) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    (words.next().is_none() && first <= last).then_some((first, last))
}

/// Seconds since boot: the first number of `/proc/uptime`.
pub(crate) fn parse_uptime(text: &str) -> Option<f64> {
    let mut words = text.split_ascii_whitespace();
    let uptime: f64 = words.next()?.parse().ok()?;
    let _idle: f64 = words.next()?.parse().ok()?;
    (words.next().is_none() && uptime.is_finite() && uptime > 0.0).then_some(uptime)
}

/// Bytes of memory: `MemTotal` of `/proc/meminfo`.
pub(crate) fn parse_memory(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Bytes of a page: `PAGESIZE` of `getconf -a`.
pub(crate) fn parse_page_size(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix("PAGESIZE").or_else(|| l.strip_prefix("PAGE_SIZE")))?;
    line.trim().parse().ok().filter(|size: &u64| size.is_power_of_two())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_by_name() {
        let netstat = "TcpExt: SyncookiesSent PruneCalled\nTcpExt: 3 12\nIpExt: InOctets\nIpExt: 5\n";
        let ip = "Ip: Forwarding InReceives OutNoRoutes\nIp: 1 9 4\n";
        let snmp6 = "Ip6InReceives                   \t17\nIp6OutNoRoutes                  \t3\n";
        assert_eq!(parse_counters(&format!("{ip}{snmp6}")).out_no_routes(), 7);
        assert_eq!(parse_counters(&format!("{ip}{snmp6}")).iter().count(), 2);
        let snmp = "Tcp: RtoAlgorithm MaxConn RetransSegs\nTcp: 1 -1 42\nUdp: InDatagrams\nUdp: 9\n";
        let counters = parse_counters(&format!("{netstat}{snmp}"));
        assert_eq!((counters.ext("SyncookiesSent"), counters.ext("PruneCalled")), (Some(3), Some(12)));
        assert_eq!((counters.tcp("RetransSegs"), counters.tcp("MaxConn")), (Some(42), None));
        assert_eq!(counters.ext("InOctets"), None);
        assert_eq!(counters.iter().count(), 4);
    }

    #[test]
    fn counters_of_nstat() {
        let text = "#kernel\nIpInReceives                    5582               0.0\nTcpRetransSegs   42  0.0\nTcpExtPruneCalled 7 0.0\n";
        let counters = parse_counters(text);
        assert_eq!((counters.tcp("RetransSegs"), counters.ext("PruneCalled")), (Some(42), Some(7)));
        assert_eq!(counters.iter().count(), 2);
    }

    #[test]
    fn damaged_pairs() {
        for text in
            ["TcpExt: A B\n", "TcpExt: A B\nTcpExt: 1", "TcpExt: 1 2\nTcpExt: 3 4", "TcpExt:\nTcpExt:\n", ":\n:"]
        {
            assert!(parse_counters(text).iter().count() <= 2, "{text}");
        }
        let hostile = "TcpExt: A \u{1b}[2J B\u{202e}\nTcpExt: 1 2 3\nTcpExtX\u{9b} 7 0.0\nTcpExtY 8 0.0\n";
        assert_eq!(parse_counters(hostile).iter().map(|(_, name, _)| name).collect::<Vec<_>>(), ["A", "Y"]);
        // A stray line of names does not shift the pairs after it.
        let counters = parse_counters("Ip: A\nTcpExt: X Y\nTcpExt: 1 2\n");
        assert_eq!(counters.ext("Y"), Some(2));
    }

    #[test]
    fn sockstat_of_both_families() {
        let text = "sockets: used 26\nTCP: inuse 5 orphan 1 tw 2 alloc 6 mem 33\nUDP: inuse 0 mem 7\nTCP6: inuse 3\n";
        let expected = SockStat {
            in_use: Some(5),
            in_use6: Some(3),
            orphans: Some(1),
            time_wait: Some(2),
            allocated: Some(6),
            memory: Some(33),
        };
        assert_eq!(parse_sockstat(text), expected);
        assert_eq!(parse_sockstat("TCP: inuse"), SockStat::default());
    }

    #[test]
    fn protocols_by_heading() {
        let text = "protocol  size sockets  memory press maxhdr  slab module     cl\n\
            TCPv6     2304      0      33   no     320   yes  kernel      y\n\
            TCP       2176      5      33   yes    320   yes  kernel      y\n";
        let expected = ProtocolUse { sockets: Some(5), memory: Some(33), is_under_pressure: Some(true) };
        assert_eq!(parse_tcp_protocol(text), Some(expected));
        assert_eq!(parse_tcp_protocol("TCP 1 2 3"), None);
    }

    #[test]
    fn port_ranges() {
        assert_eq!(parse_port_range("32768\t60999\n"), Some((32_768, 60_999)));
        for bad in ["", "1", "2 1", "1 2 3", "-1 5", "1 65536"] {
            assert_eq!(parse_port_range(bad), None, "{bad}");
        }
    }

    #[test]
    fn uptime_and_memory() {
        assert_eq!(parse_uptime("12345.67 54321.00\n"), Some(12_345.67));
        assert_eq!(parse_uptime("0.00 0.00"), None);
        assert_eq!(parse_uptime(" 10:00:00 up 3 days"), None);
        assert_eq!(parse_memory("MemTotal:       16384 kB\nMemFree: 1 kB\n"), Some(16_777_216));
        assert_eq!(parse_memory("MemFree: 1 kB"), None);
        assert_eq!(parse_page_size("PATH_MAX 4096\nPAGESIZE                           16384\n"), Some(16_384));
        assert_eq!(parse_page_size("PAGESIZE 3"), None);
    }
}
