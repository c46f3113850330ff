//! The languages that tcpwhy speaks: each is a folder of `locales/` and a line here.

use std::sync::LazyLock;

use unic_langid::LanguageIdentifier;

use crate::catalogue::messages::{Messages, PackedFiles};

/// The languages: name, tag (the folder's name), and whether each message has words. Where some have none yet
/// (`begun`), English stands in for them.
macro_rules! languages {
    ($($(#[doc = $doc:literal])+ $name:ident = $tag:literal $state:ident;)+) => {
        /// A language that tcpwhy speaks.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum Language {
            #[default]
            $($(#[doc = $doc])+ $name,)+
        }

        impl Language {
            /// All languages, English first.
            pub const ALL: [Self; { [$($tag),+].len() }] = [$(Self::$name),+];

            /// BCP 47 tag, as `--lang` takes it.
            pub const fn tag(self) -> &'static str {
                match self { $(Self::$name => $tag,)+ }
            }

            /// Whether each message has words in it.
            pub const fn is_complete(self) -> bool {
                match self { $(Self::$name => matches!(State::$state, State::complete),)+ }
            }

            /// Its Fluent files.
            #[allow(clippy::unreadable_literal, clippy::large_stack_arrays, reason = "constants that `build.rs` wrote")]
            pub(crate) fn packed(self) -> PackedFiles {
                match self {
                    $(Self::$name => const { include!(concat!(env!("OUT_DIR"), "/", $tag, ".rs")) },)+
                }
            }

            /// Its messages by id, the same for all catalogues.
            pub(crate) fn messages(self) -> &'static Messages {
                match self {
                    $(Self::$name => {
                        static MESSAGES: LazyLock<Messages> = LazyLock::new(|| Language::$name.read());
                        &MESSAGES
                    })+
                }
            }
        }
    };
}

/// How far the words of a language are.
#[allow(non_camel_case_types, dead_code, reason = "they stand in the table as words")]
enum State {
    complete,
    begun,
}

languages! {
    /// English.
    English = "en" complete;
    /// Simplified Chinese.
    SimplifiedChinese = "zh-CN" complete;
}

impl Language {
    /// The language of a tag (`zh-CN`), of its beginning (`zh`) or of the same with `_`.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let tag = tag.replace('_', "-");
        let is_asked = |one: &Self| one.tag().eq_ignore_ascii_case(&tag) || one.primary().eq_ignore_ascii_case(&tag);
        Self::ALL.into_iter().find(is_asked)
    }

    /// The language that a POSIX locale (`zh_CN.UTF-8`) or a BCP 47 tag (`zh-CN`) asks for; English unless it
    /// is one of the others.
    pub fn from_locale(locale: &str) -> Self {
        let name = locale.split(['.', '@']).next().unwrap_or_default();
        let asked = name.split(['_', '-']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|one| one.primary() == asked).unwrap_or_default()
    }

    /// The tag's first part: the language without its country.
    pub fn primary(self) -> &'static str {
        self.tag().split('-').next().unwrap_or_default()
    }

    pub(crate) fn identifier(self) -> LanguageIdentifier {
        // Every tag parses (tested); the default only lacks plural rules.
        self.tag().parse().unwrap_or_default()
    }

    /// Its messages, with those of English where it has none.
    fn read(self) -> Messages {
        let own = Messages::new(self.packed());
        if self.is_complete() { own } else { own.with_stand_ins(Messages::standing_in(Self::English.packed())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_locales() {
        for (locale, language) in [
            ("zh_CN.UTF-8", Language::SimplifiedChinese),
            ("zh-CN", Language::SimplifiedChinese),
            ("zh", Language::SimplifiedChinese),
            ("en_US.UTF-8", Language::English),
            ("de_DE", Language::English),
            ("C", Language::English),
            ("", Language::English),
        ] {
            assert_eq!(Language::from_locale(locale), language, "{locale}");
        }
        for language in Language::ALL {
            for tag in [language.tag().to_owned(), language.primary().to_owned(), language.tag().replace('-', "_")] {
                assert_eq!(Language::from_tag(&tag), Some(language), "{tag}");
            }
            assert_eq!(language.identifier().to_string(), language.tag());
        }
        assert_eq!(Language::from_tag("tlh"), None);
    }

    #[test]
    fn each_folder_is_a_language() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/locales");
        let mut folders: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        folders.sort();
        let mut tags = Language::ALL.map(|language| language.tag().to_owned());
        tags.sort();
        assert_eq!(folders, tags);
    }
}
