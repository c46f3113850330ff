//! The id of a flow in Zeek, Suricata and Wireshark.

use std::net::IpAddr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha1::{Digest as _, Sha1};
use tcpwhy_model::Endpoint;

/// Number of TCP in IP headers (RFC 9293 §3.1).
const TCP: u8 = 6;

/// Community ID, version 1 with seed 0, of the flow between two ends, in either order. It is the key for
/// joins with `conn.log` of Zeek and `eve.json` of Suricata. Source:
/// <https://github.com/corelight/community-id-spec>, "Version 1".
pub fn community_id(ends: [Endpoint; 2]) -> String {
    let [mut low, mut high] = ends.map(|end| (octets(end.address), end.port));
    // Ordered as bytes on the wire: by address, then by port.
    if low > high {
        std::mem::swap(&mut low, &mut high);
    }
    let mut hash = Sha1::new();
    hash.update([0, 0]);
    hash.update(&low.0);
    hash.update(&high.0);
    hash.update([TCP, 0]);
    hash.update(low.1.to_be_bytes());
    hash.update(high.1.to_be_bytes());
    format!("1:{}", STANDARD.encode(hash.finalize()))
}

fn octets(address: IpAddr) -> Vec<u8> {
    match address {
        IpAddr::V4(v4) => v4.octets().to_vec(),
        IpAddr::V6(v6) => v6.octets().to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(a: &str, b: &str) -> String {
        let end = |text: &str| text.parse::<std::net::SocketAddr>().unwrap();
        community_id([a, b].map(end).map(|end| Endpoint { address: end.ip(), port: end.port() }))
    }

    #[test]
    fn flows_have_the_names_that_the_package_communityid_gives_them() {
        // The first vector is from the specification's baseline; `communityid` 1.5 prints all of these ids.
        let vectors = [
            ("128.232.110.120:34855", "66.35.250.204:80", "1:LQU9qZlK+B5F3KDmev6m5PMibrg="),
            ("10.0.0.1:10", "10.0.0.2:11250", "1:0sVGL4noDpjYNbput2lNpE3wzpM="),
            ("[2001:db8::1]:443", "[2001:db8::2]:50000", "1:UFel+zfGDXB/GhABjlRQUzVNUI8="),
            ("192.0.2.1:6", "192.0.2.1:5", "1:U45LAO0IqTlOvdKp/ZcXVQxjC5s="),
            ("[::ffff:1.2.3.4]:1", "[2001:db8::1]:2", "1:mknovlwIqCk01+9AzYsrtZfB2dQ="),
        ];
        for (a, b, expected) in vectors {
            assert_eq!(id(a, b), expected, "{a} {b}");
            assert_eq!(id(b, a), expected, "{b} {a}");
        }
    }
}
