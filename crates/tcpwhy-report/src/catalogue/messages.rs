use std::sync::OnceLock;

use hashbrown::HashMap;

use super::id_hash::{bucket, hash};
use super::message::{Message, messages};
use crate::packed::unpacked;

/// The packed Fluent files of a language, as `build.rs` writes them.
#[derive(Clone, Copy)]
pub(crate) struct PackedFiles {
    /// The packed files, sorted by name.
    pub(crate) files: &'static [&'static [u8]],
    /// The hash of each message's id, the index of its file and its index in that file, sorted by hash. Empty
    /// if all messages are in one file.
    pub(crate) places: &'static [(u32, u8, u16)],
    /// Index in `places` at which each bucket of hashes begins, and the end of the last bucket.
    pub(crate) starts: &'static [u16],
}

/// The messages of a language. A file is unpacked on first use of one of its messages. A run needs few of the
/// files, and unpacking all took half of the time to start.
pub(crate) struct Messages {
    packed: PackedFiles,
    files: Box<[OnceLock<File>]>,
    /// Indexes in the only file, by id.
    in_only: OnceLock<HashMap<&'static str, usize>>,
    /// Whether they are English, in an incomplete language.
    stand_in: bool,
    /// English messages for those that are missing.
    stand_ins: Option<Box<Self>>,
}

/// The messages of a file with their ids, in order.
type File = Vec<(&'static str, Message)>;

impl Messages {
    pub(crate) fn new(packed: PackedFiles) -> Self {
        let files = packed.files.iter().map(|_| OnceLock::new()).collect();
        Self { packed, files, in_only: OnceLock::new(), stand_in: false, stand_ins: None }
    }

    /// The English messages in `packed`, for a language that does not have these messages yet.
    pub(crate) fn standing_in(packed: PackedFiles) -> Self {
        Self { stand_in: true, ..Self::new(packed) }
    }

    /// Adds `others`, which replace missing messages.
    pub(crate) fn with_stand_ins(self, others: Self) -> Self {
        Self { stand_ins: Some(Box::new(others)), ..self }
    }

    /// The message `id`.
    pub(crate) fn get(&self, id: &str) -> Option<&Message> {
        self.own_of(id).or_else(|| self.stand_ins.as_ref()?.get(id))
    }

    fn own_of(&self, id: &str) -> Option<&Message> {
        if self.packed.places.is_empty() {
            let only = self.file(0)?;
            let places = || only.iter().enumerate().map(|(place, (id, _))| (*id, place)).collect();
            let place = *self.in_only.get_or_init(places).get(id)?;
            return only.get(place).map(|(_, message)| message);
        }
        let hash = hash(id);
        let bucket = bucket(hash) as usize;
        let [first, end] = [bucket, bucket + 1].map(|at| self.packed.starts.get(at).copied().map_or(0, usize::from));
        let mut places = self.packed.places.get(first..end)?.iter().filter(|place| place.0 == hash);
        places.find_map(|&(_, file, index)| {
            let (own, message) = self.file(file.into())?.get(usize::from(index))?;
            (*own == id).then_some(message)
        })
    }

    /// All messages with their ids, in no particular order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &Message)> {
        let others = self.stand_ins.iter().flat_map(|others| others.own());
        self.own().chain(others.filter(|(id, _)| self.own_of(id).is_none()))
    }

    fn own(&self) -> impl Iterator<Item = (&'static str, &Message)> {
        let files = (0..self.files.len()).filter_map(|index| self.file(index));
        files.flat_map(|file| file.iter().map(|(id, message)| (*id, message)))
    }

    fn file(&self, index: usize) -> Option<&File> {
        let (packed, file) = (self.packed.files.get(index)?, self.files.get(index)?);
        Some(file.get_or_init(|| {
            // Messages are parsed on first use and live until the end of the program.
            let source: &'static str = Box::leak(unpacked(packed).into_boxed_str());
            let all = messages(source);
            if self.stand_in { all.map(|(id, m)| (id, m.standing_in())).collect() } else { all.collect() }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn each_message_is_found_by_its_id() {
        for language in Language::ALL {
            let all = language.messages();
            assert!(all.iter().count() > 2000, "{}", all.iter().count());
            for (id, message) in all.iter() {
                assert_eq!(all.get(id).map(|found| found.source), Some(message.source), "{id}");
            }
            assert!(all.get("no-such-message").is_none());
        }
    }

    #[test]
    fn a_message_unpacks_its_own_file_only() {
        let all = Messages::new(Language::English.packed());
        all.get("limit-send-buffer").unwrap();
        assert_eq!(all.files.iter().filter(|file| file.get().is_some()).count(), 1);
    }

    /// In a browser, all messages are in one file.
    #[test]
    fn each_message_is_found_in_one_file() {
        let all = Language::English.messages();
        let files = Language::English.packed().files;
        for (index, packed) in files.iter().enumerate() {
            let one = PackedFiles { files: Box::leak(Box::new([*packed])), places: &[], starts: &[] };
            let one = Messages::new(one);
            let ids: Vec<_> = all.file(index).unwrap().iter().map(|(id, _)| *id).collect();
            assert!(ids.iter().all(|id| one.get(id).map(|m| m.source) == all.get(id).map(|m| m.source)));
            assert!(one.get("no-such-message").is_none());
        }
    }

    #[test]
    fn english_stands_in_for_what_is_missing() {
        const NONE: PackedFiles = PackedFiles { files: &[], places: &[], starts: &[] };
        let begun = Messages::new(NONE).with_stand_ins(Messages::standing_in(Language::English.packed()));
        let english = Language::English.messages();
        assert_eq!(begun.iter().count(), english.iter().count());
        let id = "limit-send-buffer";
        let [found, own] = [&begun, english].map(|all| all.get(id).unwrap());
        assert_eq!((found.source, found.stands_in), (own.source, true));
        let complete = Messages::new(Language::English.packed()).with_stand_ins(begun);
        assert!(!complete.get(id).unwrap().stands_in);
        assert_eq!(complete.iter().count(), english.iter().count());
    }
}
