//! Properties of the terminal, the locale and the kernel.

use crate::standard_output::stdout;
use std::ffi::OsString;
use std::{env, fs};

use tcpwhy_kernel::KernelVersion;
#[cfg(target_os = "linux")]
use tcpwhy_model::foreign::visible;
use tcpwhy_report::Language;
use tcpwhy_report::text::Look;

/// Columns without a terminal.
const DEFAULT_WIDTH: u16 = 80;

/// The process's arguments. On Windows, programs expand patterns (`*.pcap`) themselves.
#[cfg(windows)]
pub(crate) fn typed() -> impl Iterator<Item = OsString> {
    wild::args_os()
}

/// The process's arguments; the shell has expanded patterns.
#[cfg(not(windows))]
pub(crate) fn typed() -> impl Iterator<Item = OsString> {
    env::args_os()
}

/// The condition for coloured text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colors {
    /// On a terminal that supports colours, unless the environment disables them.
    Auto,
    Always,
    Never,
}

/// The requested language, by default that of the locale.
pub(crate) fn language(typed: Option<Language>) -> Language {
    typed.unwrap_or_else(|| Language::from_locale(&locale("LC_MESSAGES")))
}

/// Width, colours and characters of text on standard output.
pub(crate) fn look(colors: Colors, width: Option<u16>) -> Look {
    let is_terminal = stdout().is_terminal();
    let terminal_width = || terminal_size::terminal_size().filter(|_| is_terminal).map(|(width, _)| width.0);
    Look {
        width: usize::from(width.or_else(terminal_width).unwrap_or(DEFAULT_WIDTH).max(40)),
        has_color: has_color(colors, is_terminal),
        // A Windows console accepts UTF-8 regardless of the environment.
        has_unicode: cfg!(windows) || is_utf8(&locale("LC_CTYPE")),
    }
}

/// The host name, with hidden characters escaped.
#[cfg(target_os = "linux")]
pub(crate) fn host_name() -> Option<String> {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(visible(name.trim()).into_owned())
}

/// The release string of the running kernel, if it is Linux.
pub(crate) fn kernel_release() -> Option<String> {
    Some(fs::read_to_string("/proc/sys/kernel/osrelease").ok()?.trim().to_owned())
}

/// The running kernel, if it is Linux.
pub(crate) fn running_kernel() -> Option<KernelVersion> {
    kernel_release()?.parse().ok()
}

/// Whether to use colours, by <https://no-color.org> and <https://bixense.com/clicolors>.
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

/// Enables colour sequences on a Windows console; old consoles do not support them.
#[cfg(windows)]
fn are_colors_obeyed() -> bool {
    anstyle_query::windows::enable_ansi_colors() != Some(false)
}

#[cfg(not(windows))]
const fn are_colors_obeyed() -> bool {
    true
}

/// The locale of a category (POSIX): `LC_ALL`, then the category, then `LANG`; empty counts as unset.
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
