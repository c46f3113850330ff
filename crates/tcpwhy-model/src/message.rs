//! Messages before translation: an id and the values of its placeholders.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Write as _};
use std::io;
use std::str::FromStr;

/// A sentence by its id in the message catalogues (`error-ID`). Its text form, `id(name="value", …)`, parses
/// back to the same message. It can thus pass through interfaces that transport only text (serde,
/// [`io::Error`], lines of a child process).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Kebab-case id.
    pub id: Cow<'static, str>,
    /// Values of the placeholders, by name.
    pub values: Vec<(Cow<'static, str>, MessageValue)>,
}

/// Value of a placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageValue {
    /// Text that is the same in every language: a name, a number with its unit, words of another program.
    Text(String),
    /// A sentence within the sentence.
    Message(Message),
}

impl Message {
    /// The message `id` without values.
    pub const fn new(id: &'static str) -> Self {
        Self { id: Cow::Borrowed(id), values: Vec::new() }
    }

    /// The same message with `value` under this name.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<MessageValue>) -> Self {
        self.values.push((Cow::Borrowed(name), value.into()));
        self
    }

    /// The same message after applying `change` to each text value, nested messages included.
    #[must_use]
    pub fn with_texts(mut self, change: &dyn Fn(&str) -> String) -> Self {
        for (_, value) in &mut self.values {
            match value {
                MessageValue::Text(text) => *text = change(text),
                MessageValue::Message(inner) => *inner = std::mem::replace(inner, Self::new("")).with_texts(change),
            }
        }
        self
    }
}

/// A type that has a message for the reader.
pub trait Explained {
    /// The message.
    fn message(&self) -> Message;
}

impl Error for Message {}

impl Explained for Message {
    fn message(&self) -> Message {
        self.clone()
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.id)?;
        for (index, (name, value)) in self.values.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            write!(f, "{name}=")?;
            match value {
                MessageValue::Message(message) => message.fmt(f)?,
                MessageValue::Text(text) => {
                    f.write_char('"')?;
                    for sign in text.chars() {
                        if matches!(sign, '"' | '\\') {
                            f.write_char('\\')?;
                        }
                        f.write_char(sign)?;
                    }
                    f.write_char('"')?;
                }
            }
        }
        f.write_char(')')
    }
}

/// Error for a text that is not a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMessage;

impl FromStr for Message {
    type Err = NoMessage;

    fn from_str(text: &str) -> Result<Self, NoMessage> {
        match read(text, MOST_DEPTH).ok_or(NoMessage)? {
            (message, "") => Ok(message),
            _ => Err(NoMessage),
        }
    }
}

/// Maximum depth of nested messages.
const MOST_DEPTH: usize = 10;

/// Parses the message at the start of `text`, and returns it with the remaining text.
fn read(text: &str, depth: usize) -> Option<(Message, &str)> {
    let (id, mut rest) = text.split_once('(')?;
    let is_id = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    if depth == 0 || id.is_empty() || !id.chars().all(is_id) {
        return None;
    }
    let mut values = Vec::new();
    loop {
        if let Some(rest) = rest.strip_prefix(')') {
            return Some((Message { id: Cow::Owned(id.to_owned()), values }, rest));
        }
        rest = if values.is_empty() { rest } else { rest.strip_prefix(", ")? };
        let (name, value) = rest.split_once('=').filter(|(name, _)| name.chars().all(is_id))?;
        let (value, after) = match value.strip_prefix('"') {
            Some(text) => quoted(text).map(|(text, after)| (MessageValue::Text(text), after))?,
            None => read(value, depth - 1).map(|(message, after)| (MessageValue::Message(message), after))?,
        };
        values.push((Cow::Owned(name.to_owned()), value));
        rest = after;
    }
}

/// Parses a text up to its closing quotation mark, and returns it with the remaining text.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut signs = text.char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => value.push(signs.next()?.1),
            _ => value.push(sign),
        }
    }
    None
}

impl MessageValue {
    /// Value from a text: a message in its text form, or words of another program. Not for untrusted names.
    pub fn reread(text: &str) -> Self {
        text.parse().map_or_else(|_| Self::Text(text.to_owned()), Self::Message)
    }
}

impl From<String> for MessageValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for MessageValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Message> for MessageValue {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl From<$number> for MessageValue {
            fn from(number: $number) -> Self {
                Self::Text(number.to_string())
            }
        }
    )*};
}

numbers!(u8, u16, u32, u64, usize, i32);

impl From<&io::Error> for MessageValue {
    fn from(error: &io::Error) -> Self {
        // Error codes of other systems have texts of their own.
        if cfg!(not(unix)) && error.raw_os_error().is_some() {
            return Self::Text(error.to_string());
        }
        let id = match (error.kind(), error.raw_os_error()) {
            // These codes have no `ErrorKind` of their own.
            #[cfg(unix)]
            (_, Some(libc_numbers::EPERM)) => "os-not-permitted",
            #[cfg(unix)]
            (_, Some(libc_numbers::EIO)) => "os-input-output",
            #[cfg(unix)]
            (_, Some(libc_numbers::EMFILE)) => "os-too-many-files",
            (io::ErrorKind::NotFound, Some(_)) => "os-not-found",
            (io::ErrorKind::PermissionDenied, Some(_)) => "os-permission-denied",
            (io::ErrorKind::IsADirectory, Some(_)) => "os-is-a-directory",
            (io::ErrorKind::NotADirectory, Some(_)) => "os-not-a-directory",
            (io::ErrorKind::AlreadyExists, Some(_)) => "os-exists",
            (io::ErrorKind::StorageFull, Some(_)) => "os-no-space",
            (io::ErrorKind::ReadOnlyFilesystem, Some(_)) => "os-read-only",
            (io::ErrorKind::OutOfMemory, Some(_)) => "os-no-memory",
            (io::ErrorKind::AddrInUse, Some(_)) => "os-address-in-use",
            (io::ErrorKind::AddrNotAvailable, Some(_)) => "os-address-not-here",
            (io::ErrorKind::IsADirectory, None) => return Message::new("is-a-directory").into(),
            _ => return Self::reread(&error.to_string()),
        };
        let code = error.raw_os_error().unwrap_or_default();
        Message::new(id).with("code", code).into()
    }
}

/// Error numbers that are the same on all Unix systems.
#[cfg(unix)]
mod libc_numbers {
    pub(super) const EPERM: i32 = 1;
    pub(super) const EIO: i32 = 5;
    pub(super) const EMFILE: i32 = 24;
}

impl Explained for io::Error {
    fn message(&self) -> Message {
        match MessageValue::from(self) {
            MessageValue::Message(message) => message,
            text @ MessageValue::Text(_) => Message::new("words-of-others").with("words", text),
        }
    }
}

impl Explained for std::num::ParseIntError {
    fn message(&self) -> Message {
        use std::num::IntErrorKind;
        Message::new(match self.kind() {
            IntErrorKind::Empty => "number-empty",
            IntErrorKind::PosOverflow => "number-too-large",
            IntErrorKind::NegOverflow => "number-too-small",
            _ => "number-invalid",
        })
    }
}

impl Explained for std::net::AddrParseError {
    fn message(&self) -> Message {
        Message::new("socket-address")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_reads_back() {
        let inner = Message::new("os-not-found").with("code", 2);
        let message = Message::new("read").with("path", "a \"b\"\\(c)=, 中\n").with("cause", inner);
        assert_eq!(message.to_string().parse(), Ok(message.clone()));
        assert_eq!(MessageValue::reread(&message.to_string()), MessageValue::Message(message));
        assert_eq!(Message::new("key-empty").to_string(), "key-empty()");
    }

    #[test]
    fn other_texts_are_no_messages() {
        for text in ["", "(", "no such file", "a(b)", "A()", "a(b=c", "a(b=\"c", "a() ", "a(b=\"c\" d=\"e\")"] {
            assert_eq!(text.parse::<Message>(), Err(NoMessage), "{text}");
        }
        assert!("a(a=".repeat(100_000).parse::<Message>().is_err());
    }

    #[test]
    fn errors_of_the_system_have_ids() {
        let found = |error: io::Error| match MessageValue::from(&error) {
            MessageValue::Message(message) => message.id.into_owned(),
            MessageValue::Text(text) => text,
        };
        #[cfg(unix)]
        assert_eq!(found(io::Error::from_raw_os_error(2)), "os-not-found");
        assert_eq!(found(io::Error::other("odd")), "odd");
        assert_eq!(found(io::Error::other(Message::new("key-empty"))), "key-empty");
    }
}
