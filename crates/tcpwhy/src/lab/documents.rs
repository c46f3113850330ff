//! Pages of the documentation that runs write.

use std::path::Path;

use anyhow::Result;
use tcpwhy_report::Language;

use crate::output::file;

/// `sndbuf-16k.md`, `sndbuf-16k.zh-CN.md`
pub(super) fn file_name(stem: &str, language: Language) -> String {
    match language {
        Language::English => format!("{stem}.md"),
        Language::SimplifiedChinese => format!("{stem}.{}.md", language.tag()),
    }
}

pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    file::write(path, text.as_bytes())
}
