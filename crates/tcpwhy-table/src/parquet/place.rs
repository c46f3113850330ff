//! Words that look like a folder and mean something else.

use std::path::Path;

use tcpwhy_model::Message;

/// Why tables cannot be written to `typed`; `None` if it names a folder. As a folder, `s3://bucket/x` would
/// be `s3:` beside the caller, who would look for the tables in a store.
pub fn refusal(typed: &Path) -> Option<Message> {
    let text = typed.to_str()?;
    if text == "-" {
        return Some(Message::new("parquet-standard-output"));
    }
    is_url(text).then(|| Message::new("parquet-url").with("url", tcpwhy_model::foreign::quoted(text)))
}

/// Whether `text` begins with a scheme (RFC 3986, section 3.1) and `//`.
fn is_url(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|other| other.is_ascii_alphanumeric() || "+-.".contains(other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_and_standard_output_are_no_folders() {
        let id = |typed: &str| refusal(Path::new(typed)).map(|message| message.id);
        for url in
            ["s3://x/y", "gs://b", "abfs://c@a.dfs.core.windows.net/d", "file:///tmp/t", "S3://x", "hdfs://n:8/p"]
        {
            assert_eq!(id(url).as_deref(), Some("parquet-url"), "{url}");
        }
        assert_eq!(id("-").as_deref(), Some("parquet-standard-output"));
        for folder in ["t", "./-", "/data/t", "s3:", "C:\\t", "a/b://c", "./s3://x", "://x", "date=2026-11-22", "--"] {
            assert_eq!(id(folder), None, "{folder}");
        }
    }
}
