//! The options that anonymize names and addresses, and the key for it.

use std::path::{Path, PathBuf};

use clap::Args;
use tcpwhy_live::{LiveError, text_file};
use tcpwhy_model::foreign::{decode, visible_path};
use tcpwhy_report::{Anonymizer, Args as Words, Catalogue, KEY_LEN};

use crate::message;
use crate::message::failure;
use crate::wrong::{Context as _, Foreign as _, Result};

/// Longest key file, bytes: a key is one line.
const MOST_KEY: u64 = 4 << 10;

/// `--anonymize` and its key: the same for every subcommand that shows addresses.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct AnonymizeArgs {
    #[arg(long)]
    anonymize: bool,

    #[arg(long, value_name = "FILE")]
    anonymize_key_file: Option<PathBuf>,

    // Hidden but still accepted, so that existing scripts work; a warning recommends `--anonymize-key-file`.
    #[arg(long, value_name = "KEY", hide = true, conflicts_with = "anonymize_key_file")]
    anonymize_key: Option<String>,
}

impl AnonymizeArgs {
    /// The key file, one of the input files.
    pub(crate) fn key_file(&self) -> Option<&PathBuf> {
        self.anonymize_key_file.as_ref()
    }

    /// Whether names are replaced.
    pub(crate) const fn is_asked_for(&self) -> bool {
        self.anonymize || self.anonymize_key_file.is_some() || self.anonymize_key.is_some()
    }

    /// Whether each run replaces names differently, because there is no key.
    pub(crate) const fn is_different_each_time(&self) -> bool {
        self.anonymize && self.anonymize_key_file.is_none() && self.anonymize_key.is_none()
    }

    /// The anonymizer, if the options request one.
    pub(crate) fn anonymizer(&self, catalogue: &Catalogue, is_quiet: bool) -> Result<Option<Anonymizer>> {
        let warn = |text: String| {
            if !is_quiet {
                message::say(text);
            }
        };
        if let Some(path) = &self.anonymize_key_file {
            let key = text_file::read(path, MOST_KEY)?;
            if can_be_read_by_others(path) {
                let args = Words::new().text("path", visible_path(path));
                warn(catalogue.text("anonymize-key-readable", &args));
            }
            // Editors append a newline, which is not part of the key.
            let anonymizer = Anonymizer::from_passphrase(key.trim_ascii_end());
            return anonymizer.map(Some).with_context(|| visible_path(path));
        }
        if let Some(key) = &self.anonymize_key {
            warn(catalogue.word("anonymize-key-visible"));
            return Anonymizer::from_passphrase(key.as_bytes()).map(Some).context("--anonymize-key");
        }
        if !self.anonymize {
            return Ok(None);
        }
        let mut key = [0; KEY_LEN];
        getrandom::fill(&mut key).foreign().context(failure("no-random-key"))?;
        Ok(Some(Anonymizer::new(key)))
    }
}

/// Whether other users may read a file. Nobody else can read a pipe.
#[cfg(unix)]
fn can_be_read_by_others(path: &Path) -> bool {
    std::fs::metadata(path)
        .is_ok_and(|m| m.is_file() && std::os::unix::fs::PermissionsExt::mode(&m.permissions()) & 0o044 != 0)
}

/// Permissions on Windows are not checked.
#[cfg(not(unix))]
const fn can_be_read_by_others(_: &Path) -> bool {
    false
}

/// The name of a file in all output, including errors and progress: its path, or its replacement.
pub(crate) fn name_of(path: &Path, anonymizer: Option<&Anonymizer>) -> String {
    anonymizer.map_or_else(|| decode(path.as_os_str().as_encoded_bytes()).into_owned(), |a| a.path(path))
}

/// `error` with the file's name replaced.
pub(crate) fn named(error: LiveError, anonymizer: Option<&Anonymizer>) -> LiveError {
    match anonymizer {
        Some(anonymizer) => error.map_path(|path| anonymizer.path(path).into()),
        None => error,
    }
}
