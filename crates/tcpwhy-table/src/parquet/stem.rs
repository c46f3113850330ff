//! Prefixes of file names.

use std::path::{Component, Path};

use sha2::{Digest as _, Sha256};

/// Prefix of the names of parts, which depends only on the captures. Spellings of one path (`./DIR/` and
/// `DIR`) have the same prefix. It contains 16 digits of a SHA-256, which distinguish runs with different
/// captures in one folder.
pub fn stem_of<'a>(
    paths: impl IntoIterator<Item = &'a Path>,
    is_recursive: bool,
    shard: Option<&dyn std::fmt::Debug>,
) -> String {
    let mut digest = Sha256::new();
    for path in paths {
        // `./DIR/` equals `DIR`.
        for part in path.components().filter(|&part| part != Component::CurDir) {
            digest.update(part.as_os_str().as_encoded_bytes());
            digest.update([0]);
        }
        digest.update([0]);
    }
    digest.update(format!("{is_recursive:?} {shard:?}"));
    let begin = digest.finalize().first_chunk().copied().unwrap_or_default();
    format!("{:016x}", u64::from_be_bytes(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stem(path: &str) -> String {
        stem_of([Path::new(path)], false, None)
    }

    #[test]
    fn spellings_of_a_path_have_one_stem() {
        assert_eq!(stem("samples/loss.pcap.gz"), stem("./samples//loss.pcap.gz"));
        assert_eq!(stem("samples"), stem("./samples/"));
        assert_ne!(stem("samples"), stem("sample/s"));
        assert_ne!(stem("a"), stem_of([Path::new("a")], true, None));
        assert_ne!(stem("a"), stem_of([Path::new("a")], false, Some(&1)));
    }
}
