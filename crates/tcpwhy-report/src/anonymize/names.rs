//! What stands for names: of files, interfaces, programs. Addresses keep their prefixes, names keep nothing but being the same.

use std::path::Path;

use hmac::Mac as _;

use super::Anonymizer;
use super::keyed::keyed;

/// Bytes of a keyed hash that stand for a name: 2⁴⁸ of them, so that a million names are not mistaken for each other.
const SHOWN: usize = 6;
/// Ends of file names that say what a file is and nothing of whose. What else stands behind a dot may be a customer.
const KINDS: [&str; 8] = [".pcapng", ".pcap", ".cap", ".txt", ".toml", ".conf", ".gz", ".zst"];

/// What a name is of: equal names of different kinds are not shown as the same.
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
    /// What stands for the path of a file: a keyed hash of it as it was typed, and the ends of its name that are known. `-` is
    /// standard input, and stays.
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

    /// What stands for the name of an interface, an address' zone among them. The loopback interface is everybody's.
    pub fn interface(&self, name: &str) -> String {
        if name == "lo" { name.to_owned() } else { format!("if-{}", self.hash(Kind::Interface, name.as_bytes())) }
    }

    /// What stands for the name of a host.
    pub fn host(&self, name: &str) -> String {
        format!("host-{}", self.hash(Kind::Host, name.as_bytes()))
    }

    /// A process by its program alone. The arguments and clients that programs show (`postgres: anna orders
    /// 192.0.2.1`) are left out, and so is the folder that they were started from. A program that is not
    /// widespread is replaced.
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
