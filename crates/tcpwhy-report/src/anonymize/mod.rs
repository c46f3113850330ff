//! Replacement of identifying data. Addresses are replaced here, files, interfaces and programs in `names`;
//! the key is made in `key`.
//!
//! Addresses keep their prefixes: Crypto-PAn (Xu, Fan, Ammar, Moon, ICNP 2002), for IPv4 and IPv6. A keyed
//! pseudo-random function of the first i bits of an address decides whether bit i is flipped. So two
//! addresses that share exactly n leading bits share exactly n leading bits afterwards, and the map is one to
//! one. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) is replaced like its IPv4 address, so that a host is
//! recognizable in both forms.
//!
//! `docs/anonymize.md` describes what that leaks. An attacker who injects packets or knows some addresses
//! learns the prefixes that others share with them (Brekne, Årnes, Øslebø, PET 2005).

mod algorithms;
mod key;
mod keyed;
mod names;
mod programs;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use aes::Aes128;
use aes::cipher::{BlockCipherEncrypt, KeyInit};
use tcpwhy_analysis::Connection;
use tcpwhy_model::{Finding, LineCode, Value};

pub use key::{KEY_LEN, KeyError};

/// Replaces addresses and names, consistently for one key.
pub struct Anonymizer {
    cipher: Aes128,
    pad: u128,
    names_key: [u8; KEY_LEN],
}

impl Anonymizer {
    /// Uses key material in the format of other Crypto-PAn programs.
    pub fn new(key: [u8; KEY_LEN]) -> Self {
        let mut aes_key = [0; 16];
        let mut pad = [0; 16];
        aes_key.copy_from_slice(&key[..16]);
        pad.copy_from_slice(&key[16..]);
        let cipher = Aes128::new(&aes_key.into());
        let mut this = Self { cipher, pad: 0, names_key: keyed::names_key(&key) };
        this.pad = this.encrypt(u128::from_be_bytes(pad));
        this
    }

    /// Derives the key from a passphrase by Argon2id (0.1 s, 64 MiB); 64 hexadecimal digits are used as the
    /// key itself.
    ///
    /// # Errors
    /// The passphrase is empty, or Argon2 fails.
    pub fn from_passphrase(passphrase: &[u8]) -> Result<Self, KeyError> {
        key::from_passphrase(passphrase).map(Self::new)
    }

    /// The replacement for `address`.
    pub fn address(&self, address: IpAddr) -> IpAddr {
        match address {
            IpAddr::V4(a) => IpAddr::V4(self.v4(a)),
            IpAddr::V6(a) => IpAddr::V6(match a.to_ipv4_mapped() {
                Some(a) => self.v4(a).to_ipv6_mapped(),
                None => Ipv6Addr::from_bits(self.scramble(a.to_bits(), 128)),
            }),
        }
    }

    fn v4(&self, address: Ipv4Addr) -> Ipv4Addr {
        let bits = u128::from(address.to_bits()) << 96;
        Ipv4Addr::from_bits((self.scramble(bits, 32) >> 96) as u32)
    }

    /// Replaces every address in `text`, with its zone.
    pub fn text(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        let is_part = |c: char| c.is_ascii_hexdigit() || c == '.' || c == ':';
        while let Some(start) = rest.find(is_part) {
            out.push_str(&rest[..start]);
            rest = &rest[start..];
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            out.push_str(&self.token(&rest[..end]));
            let is_address = rest[..end].parse::<IpAddr>().is_ok();
            rest = &rest[end..];
            // `fe80::1%eth0`
            if let Some(zone) = rest.strip_prefix('%').filter(|_| is_address) {
                let end = zone.find(|c: char| !c.is_alphanumeric() && !"-_.@".contains(c)).unwrap_or(zone.len());
                out.push('%');
                out.push_str(&self.interface(&zone[..end]));
                rest = &zone[end..];
            }
        }
        out.push_str(rest);
        out
    }

    /// Replaces a word that is an address, one with a port, or one with punctuation after it.
    fn token(&self, token: &str) -> String {
        let end = token.trim_end_matches(['.', ':']).len();
        let (word, punctuation) = token.split_at(end);
        if let Ok(address) = word.parse() {
            return format!("{}{punctuation}", self.address(address));
        }
        // Two tokens need a cut: `10.0.0.1:80`, and `10.0.0.1.` with the hexadecimal start of a word, as in
        // `10.0.0.1.cap`.
        for (at, _) in word.rmatch_indices([':', '.']) {
            if let Ok(address) = word[..at].parse() {
                return format!("{}{}{punctuation}", self.address(address), &word[at..]);
            }
        }
        token.to_owned()
    }

    /// Replaces the addresses of a connection, also in its evidence and in the lines of its fixes, and names
    /// of processes. The server name and control groups are removed.
    pub fn connection(&self, connection: &mut Connection) {
        for endpoint in &mut connection.endpoints {
            endpoint.address = self.address(endpoint.address);
        }
        connection.server_name = None;
        for socket in connection.kernel.iter_mut().flat_map(|view| &mut view.sockets) {
            if let Some(process) = &mut socket.process {
                process.name = self.process(&process.name);
                process.cgroup = None;
            }
        }
        let of_halves = connection.halves.iter_mut().flat_map(|h| &mut h.findings);
        for finding in connection.findings.iter_mut().chain(of_halves) {
            self.finding(finding);
        }
    }

    fn finding(&self, finding: &mut Finding) {
        for evidence in &mut finding.evidence {
            if let Value::Word(word) = &mut evidence.value {
                *word = self.text(word);
            }
        }
        for line in finding.fixes.iter_mut().flat_map(|f| &mut f.lines) {
            if let LineCode::Text(code) = &mut line.code {
                *code = self.text(code).into();
            }
            for (_, value) in line.remark.iter_mut().flat_map(|remark| &mut remark.values) {
                *value = self.text(value);
            }
        }
    }

    /// Flips the first `len` bits of `bits`.
    fn scramble(&self, bits: u128, len: u32) -> u128 {
        (0..len).fold(bits, |out, i| {
            // The first i bits of the address, the others from the pad.
            let mask = if i == 0 { 0 } else { u128::MAX << (128 - i) };
            let flip = self.encrypt((bits & mask) | (self.pad & !mask)) >> 127;
            out ^ (flip << (127 - i))
        })
    }

    fn encrypt(&self, block: u128) -> u128 {
        let mut block = block.to_be_bytes().into();
        self.cipher.encrypt_block(&mut block);
        u128::from_be_bytes(block.into())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The key and addresses of the authors' sample trace.
    const SAMPLE_KEY: [u8; KEY_LEN] = [
        21, 34, 23, 141, 51, 164, 207, 128, 19, 10, 91, 22, 73, 144, 125, 16, 216, 152, 143, 131, 121, 121, 101, 39,
        98, 87, 76, 45, 42, 132, 34, 2,
    ];

    #[test]
    fn agrees_with_the_original() {
        let a = Anonymizer::new(SAMPLE_KEY);
        for (raw, expected) in [
            ("128.11.68.132", "135.242.180.132"),
            ("129.118.74.4", "134.136.186.123"),
            ("130.132.252.244", "133.68.164.234"),
        ] {
            assert_eq!(a.address(raw.parse().unwrap()).to_string(), expected);
        }
    }

    #[test]
    fn finds_addresses_in_text() {
        let a = Anonymizer::new(SAMPLE_KEY);
        assert_eq!(a.text("to 128.11.68.132:80, then"), "to 135.242.180.132:80, then");
        assert_eq!(a.text("128.11.68.132.pcap.gz"), "135.242.180.132.pcap.gz");
        assert_eq!(a.text("dead beef 1.5 12:30 cafe.cap"), "dead beef 1.5 12:30 cafe.cap");
        assert!(!a.text("[2001:db8::1]:443").contains("2001:db8"));
        assert_eq!(a.text("at 128.11.68.132."), "at 135.242.180.132.");
    }

    #[test]
    fn one_host_in_two_forms_stays_one() {
        let a = Anonymizer::new(SAMPLE_KEY);
        assert_eq!(a.address("::ffff:128.11.68.132".parse().unwrap()).to_string(), "::ffff:135.242.180.132");
        assert_eq!(a.text("from [::ffff:128.11.68.132]:80"), "from [::ffff:135.242.180.132]:80");
    }

    proptest! {
        #[test]
        fn shares_exactly_the_same_prefix_v4(key: [u8; KEY_LEN], a: u32, b: u32, keep in 0..32_u32) {
            // Random pairs rarely share much: force a common prefix of at least `keep` bits.
            let b = if keep == 0 { b } else { (a & (u32::MAX << (32 - keep))) | (b & (u32::MAX >> keep)) };
            let anonymizer = Anonymizer::new(key);
            let bits = |x: u32| match anonymizer.address(Ipv4Addr::from_bits(x).into()) {
                IpAddr::V4(v4) => v4.to_bits(),
                IpAddr::V6(_) => unreachable!("IPv4 stays IPv4"),
            };
            prop_assert_eq!((bits(a) ^ bits(b)).leading_zeros(), (a ^ b).leading_zeros());
        }

        #[test]
        fn shares_exactly_the_same_prefix_v6(key: [u8; KEY_LEN], a: u128, b: u128, keep in 1..128_u32) {
            let b = (a & (u128::MAX << (128 - keep))) | (b & (u128::MAX >> keep));
            let anonymizer = Anonymizer::new(key);
            let bits = |x: u128| match anonymizer.address(Ipv6Addr::from_bits(x).into()) {
                IpAddr::V6(v6) => v6.to_bits(),
                IpAddr::V4(_) => unreachable!("IPv6 stays IPv6"),
            };
            prop_assert_eq!((bits(a) ^ bits(b)).leading_zeros(), (a ^ b).leading_zeros());
        }

        #[test]
        fn text_without_addresses_stays(text in "[g-z ]{0,40}") {
            prop_assert_eq!(Anonymizer::new(SAMPLE_KEY).text(&text), text);
        }
    }
}
