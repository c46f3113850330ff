//! The forms of an address with its port: `192.0.2.1:80`, `[2001:db8::1]:443`, `[fe80::1]%eth0:22`,
//! `127.0.0.53%lo:53`, `*:22`, `localhost:ssh` without `-n`, and `:::22` and `::1:22` of old versions.

use std::net::IpAddr;

use tcpwhy_model::host::SocketAddress;

/// Parses an address with its port; `None` if no colon separates them. Names become unknown addresses and
/// ports.
pub(super) fn parse(text: &str) -> Option<SocketAddress> {
    let (host, port) = text.rsplit_once(':')?;
    let port = port.parse().ok();
    // An address contains no `%`, but the name of an interface may.
    let (host, zone) = match host.split_once('%') {
        // `[fe80::1%eth0]`, not `[fe80::1]%eth0`.
        Some((host, zone)) if host.starts_with('[') && !host.ends_with(']') => {
            (host, Some(zone.strip_suffix(']').unwrap_or(zone)))
        }
        Some((host, zone)) => (host, Some(zone)),
        None => (host, None),
    };
    let zone = zone.filter(|zone| !zone.is_empty()).map(ToOwned::to_owned);
    let host = host.strip_prefix('[').unwrap_or(host);
    let host = host.strip_suffix(']').unwrap_or(host);
    let address = host.parse::<IpAddr>().ok();
    Some(SocketAddress { address, zone, port })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_addresses() {
        for (text, address, zone, port) in [
            ("192.0.2.1:80", Some("192.0.2.1"), None, Some(80)),
            ("127.0.0.53%lo:53", Some("127.0.0.53"), Some("lo"), Some(53)),
            ("[2001:db8::1]:443", Some("2001:db8::1"), None, Some(443)),
            ("[fe80::1]%eth0:22", Some("fe80::1"), Some("eth0"), Some(22)),
            ("[fe80::1%eth0]:22", Some("fe80::1"), Some("eth0"), Some(22)),
            ("fe80::1%eth0:22", Some("fe80::1"), Some("eth0"), Some(22)),
            ("[fe80::1]%a%b]:22", Some("fe80::1"), Some("a%b]"), Some(22)),
            ("[::ffff:192.0.2.1]:443", Some("::ffff:192.0.2.1"), None, Some(443)),
            ("::ffff:192.0.2.1:443", Some("::ffff:192.0.2.1"), None, Some(443)),
            (":::22", Some("::"), None, Some(22)),
            ("[::]:*", Some("::"), None, None),
            ("*:22", None, None, Some(22)),
            ("*:*", None, None, None),
            ("*%eth0:67", None, Some("eth0"), Some(67)),
            ("localhost:ssh", None, None, None),
        ] {
            let expected =
                SocketAddress { address: address.map(|a| a.parse().unwrap()), zone: zone.map(Into::into), port };
            assert_eq!(parse(text), Some(expected), "{text}");
        }
        assert_eq!(parse("nothing"), None);
    }
}
