//! Pages of the documentation that runs write.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use tcpwhy_report::Language;

/// `sndbuf-16k.md`, `sndbuf-16k.zh-CN.md`
pub(super) fn file_name(stem: &str, language: Language) -> String {
    match language {
        Language::English => format!("{stem}.md"),
        Language::SimplifiedChinese => format!("{stem}.{}.md", language.tag()),
    }
}

pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| path.display().to_string())
}
