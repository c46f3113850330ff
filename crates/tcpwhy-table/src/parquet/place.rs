//! Arguments that look like a folder and mean something else.

use std::path::Path;

use tcpwhy_model::Message;

/// Reason why tables cannot be written to `typed`; `None` if it names a folder.
pub fn refusal(typed: &Path) -> Option<Message> {
    (typed == Path::new("-")).then(|| Message::new("parquet-standard-output"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_output_is_no_folder() {
        let id = |typed: &str| refusal(Path::new(typed)).map(|message| message.id);
        assert_eq!(id("-").as_deref(), Some("parquet-standard-output"));
        for folder in ["t", "./-", "/data/t", "s3:", "C:\\t", "date=2026-11-22", "--"] {
            assert_eq!(id(folder), None, "{folder}");
        }
    }
}
