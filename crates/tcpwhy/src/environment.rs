//! What the terminal and the locale ask for, and what the kernel is.

use crate::standard_output::stdout;
use std::ffi::OsString;
use std::{env, fs};

use tcpwhy_kernel::KernelVersion;
use tcpwhy_report::Language;
use tcpwhy_report::text::Look;

use crate::args::{ColorChoice, LanguageChoice};

/// Columns where there is no terminal to ask.
const DEFAULT_WIDTH: u16 = 80;

/// What was typed. On Windows programs replace patterns (`*.pcap`) themselves.
#[cfg(windows)]
pub(crate) fn typed() -> impl Iterator<Item = OsString> {
    wild::args_os()
}

/// What was typed; the shell has replaced patterns.
#[cfg(not(windows))]
pub(crate) fn typed() -> impl Iterator<Item = OsString> {
    env::args_os()
}

/// The language typed, else the one of the locale.
pub(crate) fn language(choice: Option<LanguageChoice>) -> Language {
    match choice {
        Some(LanguageChoice::English) => Language::English,
        Some(LanguageChoice::SimplifiedChinese) => Language::SimplifiedChinese,
        None => Language::from_locale(&locale("LC_MESSAGES")),
    }
}

/// How text is to look on standard output.
pub(crate) fn look(color: ColorChoice, width: Option<u16>) -> Look {
    let is_terminal = stdout().is_terminal();
    let terminal_width = || terminal_size::terminal_size().filter(|_| is_terminal).map(|(width, _)| width.0);
    Look {
        width: usize::from(width.or_else(terminal_width).unwrap_or(DEFAULT_WIDTH).max(40)),
        has_color: has_color(color, is_terminal),
        // Windows takes UTF-8 on a console whatever the environment says.
        has_unicode: cfg!(windows) || is_utf8(&locale("LC_CTYPE")),
    }
}

/// The running kernel, if it is Linux.
pub(crate) fn running_kernel() -> Option<KernelVersion> {
    fs::read_to_string("/proc/sys/kernel/osrelease").ok()?.parse().ok()
}

/// <https://no-color.org> and <https://bixense.com/clicolors>.
fn has_color(choice: ColorChoice, is_terminal: bool) -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|v| !v.is_empty());
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if is_set("NO_COLOR") => false,
        ColorChoice::Auto if is_set("CLICOLOR_FORCE") => env::var_os("CLICOLOR_FORCE").is_some_and(|v| v != "0"),
        ColorChoice::Auto => is_terminal && env::var_os("TERM").is_none_or(|t| t != "dumb") && are_colors_obeyed(),
    }
}

/// A console of Windows obeys sequences of colour only if it is asked to, and old ones cannot.
#[cfg(windows)]
fn are_colors_obeyed() -> bool {
    anstyle_query::windows::enable_ansi_colors() != Some(false)
}

#[cfg(not(windows))]
const fn are_colors_obeyed() -> bool {
    true
}

/// POSIX: `LC_ALL`, then the category, then `LANG`; empty counts as unset.
fn locale(category: &str) -> String {
    ["LC_ALL", category, "LANG"]
        .into_iter()
        .filter_map(|name| env::var(name).ok())
        .find(|value| !value.is_empty())
        .unwrap_or_default()
}

fn is_utf8(locale: &str) -> bool {
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}
