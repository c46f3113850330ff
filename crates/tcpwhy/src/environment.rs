//! What the terminal and the locale ask for, and what the kernel is.

use crate::standard_output::stdout;
use std::ffi::OsString;
use std::{env, fs};

use tcpwhy_kernel::KernelVersion;
#[cfg(target_os = "linux")]
use tcpwhy_model::foreign::visible;
use tcpwhy_report::Language;
use tcpwhy_report::text::Look;

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

/// When text has colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colors {
    /// On a terminal that obeys them, unless the environment asks for none.
    Auto,
    Always,
    Never,
}

/// The language typed, else the one of the locale.
pub(crate) fn language(typed: Option<Language>) -> Language {
    typed.unwrap_or_else(|| Language::from_locale(&locale("LC_MESSAGES")))
}

/// How text is to look on standard output.
pub(crate) fn look(colors: Colors, width: Option<u16>) -> Look {
    let is_terminal = stdout().is_terminal();
    let terminal_width = || terminal_size::terminal_size().filter(|_| is_terminal).map(|(width, _)| width.0);
    Look {
        width: usize::from(width.or_else(terminal_width).unwrap_or(DEFAULT_WIDTH).max(40)),
        has_color: has_color(colors, is_terminal),
        // Windows takes UTF-8 on a console whatever the environment says.
        has_unicode: cfg!(windows) || is_utf8(&locale("LC_CTYPE")),
    }
}

/// What this host calls itself, hidden characters shown.
#[cfg(target_os = "linux")]
pub(crate) fn host_name() -> Option<String> {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(visible(name.trim()).into_owned())
}

/// The release of the running kernel, as it is written, if it is Linux.
pub(crate) fn kernel_release() -> Option<String> {
    Some(fs::read_to_string("/proc/sys/kernel/osrelease").ok()?.trim().to_owned())
}

/// The running kernel, if it is Linux.
pub(crate) fn running_kernel() -> Option<KernelVersion> {
    kernel_release()?.parse().ok()
}

/// <https://no-color.org> and <https://bixense.com/clicolors>.
fn has_color(choice: Colors, is_terminal: bool) -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|v| !v.is_empty());
    match choice {
        Colors::Always => true,
        Colors::Never => false,
        Colors::Auto if is_set("NO_COLOR") => false,
        Colors::Auto if is_set("CLICOLOR_FORCE") => env::var_os("CLICOLOR_FORCE").is_some_and(|v| v != "0"),
        Colors::Auto => is_terminal && env::var_os("TERM").is_none_or(|t| t != "dumb") && are_colors_obeyed(),
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
