//! The server according to the ports, if no SYN was captured.

use crate::side::Side;
use crate::thresholds::CONNECTING_PORTS;

/// IANA assigns the ports below only to services (system ports, RFC 6335 §6). Some old clients use them as
/// well.
const SYSTEM_PORTS_END: u16 = 1024;

/// Common services, as registered by IANA. Hosts may also assign these registered ports to clients.
const SERVICES: [u16; 97] = [
    20, 21, 22, 23, 25, 53, 80, 88, 102, 110, 111, 135, 139, 143, 179, 389, 443, 445, 465, 502, 514, 515, 548, 554,
    587, 631, 636, 853, 873, 989, 990, 993, 995, 1080, 1194, 1433, 1521, 1723, 1883, 1935, 2049, 2181, 2375, 2376,
    2379, 2380, 2404, 3128, 3260, 3268, 3269, 3306, 3389, 3690, 4369, 4840, 5060, 5061, 5222, 5269, 5432, 5671, 5672,
    5900, 5984, 5985, 5986, 6379, 6514, 6667, 8008, 8080, 8086, 8443, 8883, 9042, 9092, 9100, 9200, 9418, 10_050,
    10_051, 11_211, 20_000, 27_017, 33_060, 34_962, 34_963, 34_964, 34_980, 40_000, 41_794, 41_795, 44_818, 47_808,
    47_809, 48_653,
];

/// Returns the end with the port of a service, if the other end has none.
///
/// Known services come first, then system ports, then ports that hosts do not assign to clients.
pub(crate) fn serving_by_ports(ports: [u16; 2]) -> Option<Side> {
    let only = |is_of_service: fn(u16) -> bool| match ports.map(is_of_service) {
        [true, false] => Some(Side::A),
        [false, true] => Some(Side::B),
        [true, true] | [false, false] => None,
    };
    only(is_known).or_else(|| only(is_system)).or_else(|| only(|port| port < CONNECTING_PORTS.get()))
}

/// Returns the same, but only if no end can have such a port by chance.
pub(crate) fn surely_serving_by_ports(ports: [u16; 2]) -> Option<Side> {
    let is_by_chance = |port: u16| is_known(port) && !is_system(port);
    serving_by_ports(ports).filter(|_| ports.into_iter().any(is_system) && !ports.into_iter().any(is_by_chance))
}

/// Whether the port belongs to a service: a known one, or a system port.
pub(crate) fn is_of_service(port: u16) -> bool {
    is_known(port) || is_system(port)
}

fn is_known(port: u16) -> bool {
    SERVICES.binary_search(&port).is_ok()
}

const fn is_system(port: u16) -> bool {
    port < SYSTEM_PORTS_END
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_are_sorted() {
        assert!(SERVICES.is_sorted_by(|a, b| a < b));
    }

    /// Each condition, with the ends in both orders.
    #[test]
    fn a_service_has_a_port_that_its_client_has_not() {
        let (high, low) = (CONNECTING_PORTS.get(), CONNECTING_PORTS.get() - 1);
        for (what, client, server) in [
            ("a known service with a high port", 1057, 44_818),
            ("a known service, asked from a system port", 800, 2049),
            ("two known services, one with a system port", 8080, 443),
            ("a system port", 1024, 1023),
            ("a port that no host gives away", high, low),
        ] {
            assert_eq!(serving_by_ports([client, server]), Some(Side::B), "{what}");
            assert_eq!(serving_by_ports([server, client]), Some(Side::A), "{what}");
        }
        for ports in [[high, high], [low, low], [443, 80], [1024, 1025]] {
            assert_eq!(serving_by_ports(ports), None, "{ports:?}");
        }
    }

    #[test]
    fn services_have_known_and_system_ports() {
        assert_eq!([1023, 1024, 3306, 3307].map(is_of_service), [true, false, true, false]);
    }

    /// A host with a known service port above the system ports may be a client by chance.
    #[test]
    fn only_system_ports_are_sure() {
        for (ports, expected) in [
            ([40_000, 443], None),
            ([40_001, 443], Some(Side::B)),
            ([443, 50_000], Some(Side::A)),
            ([1057, 44_818], None),
            ([50_000, 1025], None),
            ([443, 80], None),
        ] {
            assert_eq!(surely_serving_by_ports(ports), expected, "{ports:?}");
        }
    }
}
