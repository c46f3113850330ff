//! Text that is part of the program, packed when that is built (`build.rs`): most of it no run reads, and the program is a third
//! of a megabyte smaller.

use std::io::Read as _;

use flate2::read::DeflateDecoder;

/// The text that `packed` holds: what a `build.rs` wrote with `flate2`, raw deflate.
pub fn unpacked(packed: &[u8]) -> String {
    // Most text has three to four times the bytes that it is packed in: a block that grows is copied.
    let mut text = String::with_capacity(4 * packed.len());
    // Invariant: it is what was written when the program was built; a test unpacks all there is.
    let _ = DeflateDecoder::new(packed).read_to_string(&mut text);
    text
}

/// One of those that `build.rs` of this crate packs, by its name there.
macro_rules! packed {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name)).as_slice()
    };
}
pub(crate) use packed;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::unpacked;
    use crate::Language;

    /// All files of `folder` that end so, one after the other.
    fn files(folder: &str, extension: &str) -> String {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut all: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        all.retain(|path| path.extension().is_some_and(|e| e == extension));
        all.sort();
        assert!(!all.is_empty());
        all.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
    }

    #[test]
    fn what_is_packed_comes_out_whole() {
        for language in Language::ALL {
            let all: String = language.packed().files.iter().map(|file| unpacked(file)).collect();
            assert_eq!(all, files(&format!("locales/{}", language.tag()), "ftl"));
        }
    }

    /// Each file ends its last line, or the first message of the next one would go on in it: in the page they
    /// are one text.
    #[test]
    fn catalogues_can_stand_one_after_the_other() {
        for language in Language::ALL.map(|language| format!("locales/{}", language.tag())) {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(language);
            for file in fs::read_dir(folder).unwrap() {
                assert!(fs::read_to_string(file.unwrap().path()).unwrap().ends_with('\n'));
            }
        }
    }
}
