//! Replacements for names of files, interfaces and programs. Addresses keep their prefixes; a replaced name
//! only stays equal to itself.

use std::path::Path;

use hmac::Mac as _;

use super::Anonymizer;
use super::keyed::keyed;

/// Bytes of a keyed hash that replace a name. With 2⁴⁸ values, a collision among a million names is unlikely.
const SHOWN: usize = 6;
/// File extensions that name a type of file and identify nobody. Any other extension may name a customer.
const KINDS: [&str; 8] = [".pcapng", ".pcap", ".cap", ".txt", ".toml", ".conf", ".gz", ".zst"];

/// What a name belongs to. It is hashed too, so that equal names of different kinds get different hashes.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    File,
    Interface,
    Host,
    CongestionControl,
    Qdisc,
    Program,
}

impl Anonymizer {
    /// The replacement for a path: a keyed hash of the path as typed, and the known extensions of its name.
    /// `-`, standard input, is kept.
    pub fn path(&self, path: &Path) -> String {
        if path == Path::new("-") {
            return "-".to_owned();
        }
        let bytes = path.as_os_str().as_encoded_bytes();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let mut ends = Vec::new();
        let mut rest = name.as_str();
        while let Some((kind, stem)) = KINDS.iter().find_map(|&kind| Some((kind, rest.strip_suffix(kind)?))) {
            ends.insert(0, kind);
            rest = stem;
        }
        format!("file-{}{}", self.hash(Kind::File, bytes), ends.concat())
    }

    /// The replacement for the name of an interface, also of the zone in an address. `lo` is kept: every host
    /// has it.
    pub fn interface(&self, name: &str) -> String {
        if name == "lo" { name.to_owned() } else { format!("if-{}", self.hash(Kind::Interface, name.as_bytes())) }
    }

    /// The replacement for the name of a host.
    pub fn host(&self, name: &str) -> String {
        format!("host-{}", self.hash(Kind::Host, name.as_bytes()))
    }

    /// The program of a process. Arguments and clients that programs show (`postgres: anna orders 192.0.2.1`)
    /// are left out, and so is the folder of the executable. The name of a program that is not widespread is
    /// replaced.
    pub fn process(&self, name: &str) -> String {
        let word = name.split(char::is_whitespace).next().unwrap_or_default().trim_end_matches(':');
        let program = if word.starts_with(['/', '.']) { word.rsplit('/').next().unwrap_or_default() } else { word };
        self.program(program)
    }

    pub(super) fn hash(&self, kind: Kind, name: &[u8]) -> String {
        let mut mac = keyed(&self.names_key);
        mac.update(match kind {
            Kind::File => &b"file\0"[..],
            Kind::Interface => b"interface\0",
            Kind::Host => b"host\0",
            Kind::CongestionControl => b"congestion control\0",
            Kind::Qdisc => b"qdisc\0",
            Kind::Program => b"program\0",
        });
        mac.update(name);
        let mut bytes = [0; 8];
        bytes[8 - SHOWN..].copy_from_slice(&mac.finalize().into_bytes()[..SHOWN]);
        format!("{:0width$x}", u64::from_be_bytes(bytes), width = 2 * SHOWN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KEY_LEN;

    fn shown(path: &str) -> String {
        Anonymizer::new([7; KEY_LEN]).path(Path::new(path))
    }

    #[test]
    fn paths_keep_what_they_are_and_not_whose() {
        let path = shown("/srv/acme-bank/10.0.0.1/db.acme.PCAPNG.gz");
        assert!(path.starts_with("file-") && path.ends_with(".pcapng.gz") && path.len() == 5 + 12 + 10, "{path}");
        assert_eq!(path, shown("/srv/acme-bank/10.0.0.1/db.acme.PCAPNG.gz"));
        assert_ne!(path, shown("/srv/acme-band/10.0.0.1/db.acme.PCAPNG.gz"));
        assert_ne!(path, Anonymizer::new([8; KEY_LEN]).path(Path::new("/srv/acme-bank/10.0.0.1/db.acme.PCAPNG.gz")));
        assert!(!shown("trace.acme").contains("acme") && !shown(".pcap.acme.gz").contains("acme"));
        assert_eq!(shown("-"), "-");
        assert!(shown("").starts_with("file-"));
    }

    #[test]
    fn programs_without_their_clients() {
        let anonymizer = Anonymizer::new([7; KEY_LEN]);
        for (name, shown) in [
            ("sshd", "sshd"),
            ("npm view secret", "npm"),
            ("postgres: anna", "postgres"),
            ("/usr/sbin/nginx", "nginx"),
            ("", ""),
        ] {
            assert_eq!(anonymizer.process(name), shown);
        }
        assert_eq!(anonymizer.process("/opt/acme/bin/x"), anonymizer.process("x"));
        assert!(anonymizer.process("x: acme").starts_with("program-"));
        assert!(!anonymizer.process("192.0.2.1:80").contains("192.0.2.1"));
        assert_eq!(anonymizer.interface("lo"), "lo");
        assert!(!anonymizer.interface("vpn-acme").contains("acme"));
        assert_eq!(anonymizer.text("[fe80::1%vpn-acme]:22").matches("acme").count(), 0);
    }
}
