//! Text that is compressed into the program when it is built (`build.rs`). A run reads only a little of it,
//! and the program is 0.3 MB smaller.

use std::io::Read as _;

use flate2::read::DeflateDecoder;

/// Decompresses `packed`, raw deflate as a `build.rs` writes it with `flate2`.
pub fn unpacked(packed: &[u8]) -> String {
    // Most text is three to four times as long as its compressed form; a larger estimate avoids copies.
    let mut text = String::with_capacity(4 * packed.len());
    // Invariant: the data is what `build.rs` compressed; a test decompresses all of it.
    let _ = DeflateDecoder::new(packed).read_to_string(&mut text);
    text
}

/// The compressed file that `build.rs` of this crate wrote under this name.
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

    /// All files of `folder` with this extension, concatenated.
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

    /// The web page concatenates the files. Without a line break at its end, a file would absorb the first
    /// message of the next one.
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
