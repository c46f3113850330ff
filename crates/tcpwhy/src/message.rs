//! Messages on standard error.

use std::error::Error;
use std::fmt;
use std::io::{Write as _, stderr};
use std::sync::{LazyLock, OnceLock};

use tcpwhy_model::foreign::visible;
use tcpwhy_model::{Explained, Message, MessageValue};
use tcpwhy_report::{Catalogue, Language};

/// The language of errors, known once the command line was scanned.
static LANGUAGE: OnceLock<Language> = OnceLock::new();
static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new(LANGUAGE.get().copied().unwrap_or_default()));

/// The prefix of every message.
const SPEAKER: &str = "tcpwhy: ";

/// Sets the language of errors.
pub(crate) fn speak(language: Language) {
    // A second call has no effect.
    let _ = LANGUAGE.set(language);
}

/// An error of this program, printed in the user's language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure(Message);

/// The failure whose sentence is `error-ID` in the catalogues.
pub(crate) const fn failure(id: &'static str) -> Failure {
    Failure(Message::new(id))
}

impl Failure {
    /// Sets the placeholder `name` to `value`.
    #[must_use]
    pub(crate) fn with(self, name: &'static str, value: impl Into<MessageValue>) -> Self {
        Self(self.0.with(name, value))
    }
}

impl Error for Failure {}

impl Explained for Failure {
    fn message(&self) -> Message {
        self.0.clone()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&CATALOGUE.message(&self.0))
    }
}

impl From<Message> for Failure {
    fn from(message: Message) -> Self {
        Self(message)
    }
}

/// Fills an error's sentence into another message.
impl From<Failure> for MessageValue {
    fn from(failure: Failure) -> Self {
        failure.0.into()
    }
}

/// The text of an error in the user's language.
pub(crate) fn words(error: &impl Explained) -> String {
    CATALOGUE.message(&error.message())
}

/// A message or a text in the user's language.
pub(crate) fn value(value: &MessageValue) -> String {
    CATALOGUE.value(value)
}

/// The sentence for an error `what` at `place`.
pub(crate) fn at(place: String, what: String) -> String {
    CATALOGUE.message(&Message::new("at").with("place", place).with("what", what))
}

/// The catalogue of errors.
pub(crate) fn catalogue() -> &'static Catalogue {
    &CATALOGUE
}

/// The last message of another process of this program, without the prefix; `None` if it printed nothing.
#[cfg(target_os = "linux")]
pub(crate) fn of_another(said: &str) -> Option<String> {
    let last = said.lines().last()?;
    Some(last.strip_prefix(SPEAKER).unwrap_or(last).to_owned())
}

/// Prints `text` on a separate line. An error is ignored: standard error may be closed or its disk full.
pub(crate) fn say(text: impl AsRef<str>) {
    line(&format!("{SPEAKER}{}", text.as_ref()));
}

/// Prints a line without the prefix. Control and hidden characters are escaped, so that it stays one line.
pub(crate) fn line(text: &str) {
    print(&format!("{}\n", visible(text)));
}

/// Prints text without a newline.
pub(crate) fn print(text: &str) {
    // In one call, so that lines of several processes do not mix.
    let _ = stderr().lock().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::PathBuf;

    use tcpwhy_capture::CaptureError;
    use tcpwhy_files::WriteError;
    use tcpwhy_inputs::InputError;
    #[cfg(target_os = "linux")]
    use tcpwhy_lab::LabError;
    use tcpwhy_live::LiveError;
    #[cfg(target_os = "linux")]
    use tcpwhy_proof::ProofError;
    use tcpwhy_report::KeyError;

    use super::*;

    trait Shown: Explained + Error {}

    impl<E: Explained + Error> Shown for E {}

    /// `Display` serves developers and logs; the English catalogue must contain the same sentences.
    #[test]
    fn errors_of_the_libraries_say_in_english_what_the_catalogue_says() {
        let path = || "a.pcap".to_owned();
        let file = || PathBuf::from("a");
        let cause = || io::Error::from_raw_os_error(libc::ENOENT);
        let errors: Vec<Box<dyn Shown>> = vec![
            Box::new(CaptureError::Open { path: path(), cause: cause() }),
            Box::new(CaptureError::Read { path: path(), offset: 7, packets: 1, cause: cause() }),
            Box::new(CaptureError::Empty { path: "-".to_owned() }),
            Box::new(CaptureError::TruncatedHeader { path: path(), len: 5 }),
            Box::new(CaptureError::CorruptHeader { path: path() }),
            Box::new(CaptureError::Compression { path: path(), cause: cause() }),
            Box::new(InputError::Folder { path: path(), cause: cause() }),
            Box::new(InputError::NoMatch { pattern: path() }),
            Box::new(InputError::NoMember { path: path() }),
            Box::new(InputError::ReadOnce { path: path() }),
            Box::new(InputError::Archive { path: path(), cause: cause() }),
            Box::new(InputError::ArchiveEnds { path: path() }),
            Box::new(InputError::ArchiveCorrupt { path: path() }),
            Box::new(InputError::Encrypted { path: path() }),
            Box::new(InputError::Method { path: path(), method: 12 }),
            Box::new(InputError::ZipStream { path: path() }),
            Box::new(WriteError::Io { path: file(), error: cause() }),
            Box::new(WriteError::IsInput { path: file() }),
            Box::new(WriteError::NotOurs { path: file() }),
            Box::new(WriteError::Exists { path: file() }),
            Box::new(WriteError::ForeignLink { path: file(), link: file(), owner: 7 }),
            Box::new(WriteError::ForeignFifo { path: file(), owner: 7 }),
            Box::new(WriteError::IsLink { path: file() }),
            Box::new(WriteError::ForeignFolder { path: file(), owner: 7 }),
            Box::new(WriteError::OpenToOthers { path: file(), mode: 0o77 }),
            Box::new(WriteError::NotEmpty { path: file() }),
            Box::new(LiveError::Unsupported),
            Box::new(LiveError::Read { path: file(), error: cause() }),
            Box::new(LiveError::TooLarge { path: file(), most: 9 }),
            Box::new(LiveError::NotAFile { path: file() }),
            Box::new(LiveError::Silent { path: file() }),
            Box::new(LiveError::NothingFound { path: file() }),
            Box::new(KeyError::Empty),
            Box::new("x".parse::<tcpwhy_kernel::OperatingSystem>().unwrap_err()),
            Box::new("x".parse::<tcpwhy_kernel::KernelVersion>().unwrap_err()),
            Box::new(tcpwhy_kernel::Sysctls::new().assign("x").unwrap_err()),
            Box::new(tcpwhy_kernel::Sysctls::new().assign("net.core.rmem_max=x").unwrap_err()),
            #[cfg(target_os = "linux")]
            Box::new(LabError::Namespace(cause())),
            #[cfg(target_os = "linux")]
            Box::new(LabError::Tap(cause())),
            #[cfg(target_os = "linux")]
            Box::new(LabError::MachineBusy { name: "a".to_owned(), holder: Some(3) }),
            #[cfg(target_os = "linux")]
            Box::new(LabError::Netem),
            #[cfg(target_os = "linux")]
            Box::new(LabError::Deadline(9)),
            #[cfg(target_os = "linux")]
            Box::new(LabError::NoScratch),
            #[cfg(target_os = "linux")]
            Box::new(ProofError::NoConnection(9)),
            #[cfg(target_os = "linux")]
            Box::new(ProofError::NoPicture("a".to_owned())),
            #[cfg(target_os = "linux")]
            Box::new(tcpwhy_bpf::Refused::Platform),
        ];
        for error in errors {
            assert_eq!(CATALOGUE.message(&error.message()), error.to_string());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn another_process_is_quoted_without_its_name() {
        let said = |text: &str| of_another(text);
        assert_eq!(said("tcpwhy: careful\ntcpwhy: a.html: no room\n").as_deref(), Some("a.html: no room"));
        assert_eq!(said("thread panicked\n").as_deref(), Some("thread panicked"));
        assert_eq!(said(""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn refused_scenarios_are_said_in_chinese() {
        let catalogue = Catalogue::new(Language::SimplifiedChinese);
        let link = |keys: &str| format!("[link]\n{keys}\n[work.stream]\nphases = [{{ bytes = \"1MB\" }}]\n");
        for (file, expected) in [
            (
                link("rate = \"900tbit\""),
                "t.toml：第 2 行：link.rate：速率应在 8kbit 到 100gbit 之间（比特每秒），而不是 900tbit",
            ),
            (link("rtt = \"abc\""), "t.toml：第 2 行：link.rtt：\"abc\"：应为时间，例如 20ms、350us 或 0.2s"),
            ("mtu = 5\n[work]".to_owned(), "t.toml：第 2 行：work：[work]：没有要做的事"),
        ] {
            let said = catalogue.message(&tcpwhy_scenario::Scenario::from_toml("t", &file).unwrap_err());
            assert!(said.starts_with(expected), "{said}");
        }
    }
}
