//! The command line in the reader's language: help, and what is wrong with what was typed.
//!
//! The English words stand where clap takes them from, beside the arguments. For other languages a table (`chinese.rs`) has what
//! each of them says; a test holds that none is missing.

mod chinese;
mod errors;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use clap::builder::{PossibleValuesParser, StyledStr};
use clap::{Arg, ArgAction, Command, CommandFactory as _};
use tcpwhy_report::{Language, Pattern};

use crate::args::Cli;

pub(crate) use errors::text as error_text;

/// The order of clap's own help, with the word before the usage in Chinese.
const TEMPLATE: &str = "{before-help}{about-with-newline}\n用法：{usage}\n\n{all-args}{after-help}";

static CHINESE: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| chinese::table().collect());

/// All that can be typed, with its help in `language`.
pub(crate) fn command(language: Language) -> Command {
    match language {
        Language::English => Cli::command(),
        Language::SimplifiedChinese => in_chinese(Cli::command()),
    }
}

/// What completion scripts are made of: [`command`], with what the values mean in `language` too. Not for parsing, for which
/// values have types.
pub(crate) fn command_with_values(language: Language) -> Command {
    match language {
        Language::English => command(language),
        Language::SimplifiedChinese => values_in_chinese(command(language)),
    }
}

fn values_in_chinese(command: Command) -> Command {
    let argument = |arg: Arg| {
        let values = if arg.get_action().takes_values() { arg.get_possible_values() } else { Vec::new() };
        if values.iter().all(|value| value.get_help().is_none()) {
            return arg;
        }
        arg.value_parser(PossibleValuesParser::new(values.into_iter().map(|value| {
            let meaning = value.get_help().map(styled);
            meaning.map_or_else(|| value.clone(), |meaning| value.clone().help(meaning))
        })))
    };
    command.mut_args(argument).mut_subcommands(values_in_chinese)
}

/// A manual page with its headings in `language`; all else in it is of [`command`].
pub(crate) fn manual(page: String, language: Language) -> String {
    match language {
        Language::English => page,
        Language::SimplifiedChinese => chinese::MANUAL.iter().fold(page, |page, (english, chinese)| {
            page.replace(&format!("\n.SH {english}\n"), &format!("\n.SH {chinese}\n"))
        }),
    }
}

/// `english` in Chinese; what has none stays as it is.
fn chinese(english: &str) -> String {
    CHINESE
        .get(english)
        .map_or_else(|| in_parts(english).unwrap_or_else(|| english.to_owned()), |text| (*text).to_owned())
}

/// What goes wrong while it runs, in `language`; words of the catalogues are in it already.
pub(crate) fn message(text: &str, language: Language) -> Cow<'_, str> {
    match language {
        Language::English => text.into(),
        Language::SimplifiedChinese => in_parts(text).map_or_else(|| text.into(), Into::into),
    }
}

/// The Chinese of an error, its `{}` filled with what stands there: names, or errors themselves. Of a chain each link.
fn in_parts(english: &str) -> Option<String> {
    let filled = |(pattern, chinese): (&str, &str)| {
        let parts = Pattern(pattern).parts(english)?;
        Some(Pattern(chinese).fill(parts.into_iter().map(|part| in_parts(part).unwrap_or_else(|| part.to_owned()))))
    };
    chinese::errors().find_map(filled).or_else(|| {
        let (outer, inner) = english.split_once(": ")?;
        let (first, second) = (in_parts(outer), in_parts(inner));
        (first.is_some() || second.is_some())
            .then(|| format!("{}：{}", first.as_deref().unwrap_or(outer), second.as_deref().unwrap_or(inner)))
    })
}

fn styled(english: &StyledStr) -> String {
    chinese(&english.to_string())
}

fn in_chinese(command: Command) -> Command {
    let [about, long_about, after] =
        [command.get_about(), command.get_long_about(), command.get_after_help()].map(|text| text.map(styled));
    let has_version = command.get_version().is_some();
    let mut command = command
        .help_template(TEMPLATE)
        .subcommand_help_heading("命令")
        .subcommand_value_name("命令")
        .mut_args(argument)
        .mut_subcommands(in_chinese)
        // Clap's own have English words that are made too late to change them.
        .disable_help_flag(true)
        .arg(Arg::new("help").short('h').long("help").action(ArgAction::Help).help("显示帮助").help_heading("选项"));
    if has_version {
        command = command.disable_version_flag(true).arg(
            Arg::new("version")
                .short('V')
                .long("version")
                .action(ArgAction::Version)
                .help("显示版本")
                .help_heading("选项"),
        );
    }
    if let Some(about) = about {
        command = command.about(about);
    }
    if let Some(long_about) = long_about {
        command = command.long_about(long_about);
    }
    if let Some(after) = after {
        command = command.after_help(after);
    }
    command
}

fn argument(arg: Arg) -> Arg {
    let usual = if arg.is_positional() { "参数" } else { "选项" };
    let heading = arg.get_help_heading().and_then(|heading| CHINESE.get(heading).copied()).unwrap_or(usual);
    let help = arg.get_help().map(styled).unwrap_or_default();
    let takes_values = arg.get_action().takes_values();
    let mut after = String::new();
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    if takes_values && !defaults.is_empty() {
        after = format!(" [默认：{}]", defaults.join("、"));
    }
    let values = if takes_values { arg.get_possible_values() } else { Vec::new() };
    let values: Vec<_> = values.iter().filter(|value| !value.is_hide_set()).collect();
    let arg = arg.help_heading(heading);
    let arg = if takes_values { arg.hide_default_value(true).hide_possible_values(true) } else { arg };
    if values.is_empty() {
        return arg.help(format!("{help}{after}"));
    }
    let names: Vec<_> = values.iter().map(|value| value.get_name()).collect();
    let arg = arg.help(format!("{help}{after} [可选值：{}]", names.join("、")));
    if values.iter().all(|value| value.get_help().is_none()) {
        return arg;
    }
    let list = values.iter().map(|value| match value.get_help() {
        Some(text) => format!("\n- {}：{}", value.get_name(), styled(text)),
        None => format!("\n- {}", value.get_name()),
    });
    arg.long_help(format!("{help}{after}\n\n可选值：{}", list.collect::<String>()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every English word of the help of `command` and of all below it.
    fn words(command: &Command, into: &mut BTreeSet<String>) {
        let texts = [command.get_about(), command.get_long_about(), command.get_after_help()];
        into.extend(texts.into_iter().flatten().map(ToString::to_string));
        for arg in command.get_arguments() {
            into.extend(arg.get_help_heading().map(str::to_owned));
            into.extend([arg.get_help(), arg.get_long_help()].into_iter().flatten().map(ToString::to_string));
            if arg.get_action().takes_values() {
                into.extend(
                    arg.get_possible_values().iter().filter_map(|value| value.get_help()).map(ToString::to_string),
                );
            }
        }
        for subcommand in command.get_subcommands() {
            words(subcommand, into);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn all_of_the_help_has_its_chinese() {
        let mut english = BTreeSet::new();
        words(&Cli::command(), &mut english);
        assert!(english.len() > 150, "{}", english.len());
        // The languages are named in themselves.
        let missing: Vec<_> = english
            .iter()
            .filter(|text| text.is_ascii() || text.contains(' '))
            .filter(|text| !CHINESE.contains_key(text.as_str()))
            .collect();
        assert!(missing.is_empty(), "src/help/chinese.rs lacks\n{missing:#?}");
        let stale: Vec<_> = chinese::of_help().filter(|text| !english.contains(*text)).collect();
        assert!(stale.is_empty(), "src/help/chinese.rs has what nothing says any more\n{stale:#?}");
    }

    /// Clap breaks longer lines in the middle of what is aligned.
    #[test]
    fn examples_fit_the_screen() {
        const WIDEST: usize = 100;
        fn wide(command: &Command, into: &mut Vec<String>) {
            let after = command.get_after_help().map(StyledStr::to_string).unwrap_or_default();
            let columns = |line: &str| line.chars().map(|c| if c >= '\u{2e80}' { 2 } else { 1 }).sum::<usize>();
            into.extend(after.lines().filter(|line| columns(line) > WIDEST).map(str::to_owned));
            command.get_subcommands().for_each(|command| wide(command, into));
        }
        for language in [Language::English, Language::SimplifiedChinese] {
            let mut lines = Vec::new();
            wide(&command(language), &mut lines);
            assert!(lines.is_empty(), "{lines:#?}");
        }
    }

    #[test]
    fn chinese_help_is_consistent() {
        command(Language::SimplifiedChinese).debug_assert();
    }

    #[test]
    fn values_are_filled_in() {
        assert_eq!(
            chinese("unknown unit \"x\": use k, M, G, T (powers of 1000) or Ki, Mi, Gi, Ti (of 1024)")
                .split('：')
                .next(),
            Some("不认识的单位 \"x\"")
        );
        assert_eq!(chinese("7 is not in 1..=5"), "7 不在 1..=5 之内");
        let said = |text| message(text, Language::SimplifiedChinese).into_owned();
        assert_eq!(
            said("cannot open a.pcap: No such file or directory (os error 2)"),
            "无法打开 a.pcap：没有那个文件或目录（os error 2）"
        );
        assert_eq!(said("a.toml: nothing to draw"), "a.toml：没有可画的内容");
        // What is typed may look like a place.
        assert_eq!(
            said("no scenario {}; did you mean loss? `tcpwhy lab list` lists them"),
            "没有场景 {}；是指 loss 吗？`tcpwhy lab list` 列出全部场景"
        );
        for same in ["Output", "a: b", "没有 3 号连接"] {
            assert_eq!(said(same), same);
        }
        assert_eq!(message("nothing to draw", Language::English), "nothing to draw");
        assert_eq!(chinese("words of nobody"), "words of nobody");
    }

    /// Where three English words stand in a row, a sentence stayed English.
    #[cfg(target_os = "linux")]
    fn has_a_sentence(text: &str) -> bool {
        let is_word = |word: &str| word.len() > 1 && word.bytes().all(|b| b.is_ascii_lowercase());
        text.split(' ').collect::<Vec<_>>().windows(3).any(|words| words.iter().all(|word| is_word(word)))
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn refused_scenarios_say_so_in_chinese() {
        const STREAM: &str = "[work.stream]\nphases = [{ bytes = \"1MB\" }]\n";
        let link = |keys: &str| format!("[link]\n{keys}\n{STREAM}");
        let sender = |keys: &str| format!("[sender]\n{keys}\n{STREAM}");
        let top = |keys: &str| format!("{keys}\n{STREAM}");
        let work = str::to_owned;
        for (file, expected) in [
            (
                link("rate = \"900tbit\""),
                "第 2 行：link.rate：速率应在 8kbit 到 100gbit 之间（比特每秒），而不是 900tbit",
            ),
            (link("queue = \"1\""), "第 2 行：link.queue：应在 1538B"),
            (link("rtt = \"100s\""), "第 2 行：link.rtt：链路的单向时延最大"),
            (link("rtt = \"2000000s\""), "第 2 行：link.rtt：\"2000000s\"：实验里的时间最长"),
            (link("rtt = 20"), "第 2 行：link.rtt：20：类型不对：整数 `20`；应为带引号的字符串"),
            (link("rtt = \"abc\""), "第 2 行：link.rtt：\"abc\"：应为时间"),
            (link("rtt = \"20ms"), "第 2 行：字符串没有闭合"),
            (link("rate = 100mbit"), "第 2 行：100mbit：字符串要加引号"),
            (link("rate = \"1mbit\"\nrate = \"1mbit\""), "第 3 行：rate：键重复"),
            (link("rate"), "第 2 行：键没有值"),
            (link("foo = 1"), "第 2 行：link.foo：不认识的键 `foo`，应为 `kind`, `rtt`"),
            (link("kind = \"foo\""), "第 2 行：link.kind：\"foo\"：没有 `foo` 这个值，应为 `emulator` 或 `netem`"),
            (link("[link.forward]\nloss = \"200%\""), "第 3 行：link.forward.loss：\"200%\"：应为比例"),
            (link("[link.forward]\nlose_every = 0"), "第 3 行：link.forward.lose_every：帧从 1 开始编号"),
            (sender("sndbuf = \"4GiB\""), "第 2 行：sender.sndbuf：最多 2147483647 字节"),
            (sender("initcwnd = 0"), "第 2 行：sender.initcwnd：应为 1 到 65535 个段"),
            (sender("initcwnd = -1"), "第 2 行：sender.initcwnd：-1：值不对：整数 `-1`；应为放得下的非负整数"),
            (sender("nodelay = \"x\""), "第 2 行：sender.nodelay：\"x\"：类型不对：字符串 \"x\"；应为 true 或 false"),
            (sender("congestion_control = \"b r\""), "第 2 行：sender.congestion_control：没有叫 \"b r\" 的拥塞控制"),
            (sender("[sender.sysctl]\n\"kernel.x\" = \"1\""), "sender.sysctl：没有叫 \"kernel.x\" 的网络参数"),
            (top("mtu = 5"), "第 1 行：mtu：MTU 5 超出范围"),
            (top("ip_version = 5"), "第 1 行：ip_version：应为 4 或 6，而不是 5"),
            (top("deadline = \"2h\""), "第 1 行：deadline：\"2h\"：应为时间"),
            (top("deadline = \"0s\""), "第 1 行：deadline：期限为 0"),
            (top("[expect]\nverdict = [\"sendbuffer\"]"), "没有这种限制；有 "),
            (work("[link]\nrtt = \"1ms\""), "缺少 `work`"),
            (work("[work.stream]\nphases = []"), "第 2 行：work.stream.phases：stream 没有 phases"),
            (work("[work.stream]\nphases = \"a\""), "类型不对：字符串 \"a\"；应为数组"),
            (work("[work.stream]\nphases = [3]"), "类型不对：整数 `3`；应为表"),
            (work("[work.stream]\nphases = [{ bytes = \"0\" }]"), "phases[0].bytes：一个阶段至少传输 1B"),
            (work("[work]"), "没有要做的事"),
        ] {
            let error = tcpwhy_lab::Scenario::from_toml("t", &file).expect_err(&file);
            let said = message(&error, Language::SimplifiedChinese).into_owned();
            assert!(said.starts_with("t.toml：") && said.contains(expected), "{error}\n{said}\nlacks {expected}");
            assert!(!has_a_sentence(&said), "{said}");
            assert!(!said.contains("struct") && !said.contains("u32"), "{said}");
        }
        assert!(has_a_sentence("t：a stream without phases"));
    }

    /// The messages that this program's own sources make, with `x` where something is filled in.
    fn messages_of_the_sources() -> Vec<String> {
        const MAKERS: [&str; 5] = ["bail!(", "anyhow!(", ".context(", "Err(format!(", "|| format!("];
        let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        let mut messages = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let source = std::fs::read_to_string(&path).unwrap();
                let source = source.split("#[cfg(test)]").next().unwrap_or_default();
                for maker in MAKERS {
                    let made = source.split(maker).skip(1).map(str::trim_start);
                    messages.extend(made.filter_map(|rest| Some(filled(rest.strip_prefix('"')?))));
                }
            }
        }
        messages
    }

    /// A string literal up to its closing quote, with `x` in place of what is formatted into it.
    fn filled(literal: &str) -> String {
        let mut said = String::new();
        let mut signs = literal.chars().peekable();
        while let Some(sign) = signs.next() {
            match sign {
                '"' => break,
                '\\' => said.extend(signs.next()),
                '{' if signs.peek() != Some(&'{') => {
                    signs.by_ref().find(|&sign| sign == '}');
                    said.push('x');
                }
                _ => said.push(sign),
            }
        }
        said
    }

    #[test]
    fn what_the_program_refuses_has_its_chinese() {
        let messages = messages_of_the_sources();
        assert!(messages.len() > 60, "the sources are not read as they were: {}", messages.len());
        let is_word = |word: &&str| word.len() > 2 && word.bytes().all(|sign| sign.is_ascii_lowercase());
        let has_words = |text: &str| text.split([' ', ',', ';']).filter(is_word).count() > 1;
        for said in messages.iter().filter(|said| has_words(said)) {
            assert_ne!(message(said, Language::SimplifiedChinese), said.as_str(), "has no Chinese");
        }
    }

    #[test]
    fn a_detail_that_does_not_exist_is_told_in_chinese() {
        for (cause, expected) in [
            ("receive_window/x", "receive_window 没有这种细分；有 zero_window"),
            ("tail_rtt/x", "tail_rtt 没有细分"),
            ("x", "没有这种限制；有 "),
        ] {
            let error = cause.parse::<tcpwhy_model::Cause>().unwrap_err();
            let said = message(&error, Language::SimplifiedChinese);
            assert!(said.starts_with(expected), "{said}");
        }
        assert_eq!(
            message("k.pcapng is there already; --overwrite replaces it", Language::SimplifiedChinese),
            "k.pcapng 已经存在；--overwrite 会替换它"
        );
    }

    #[test]
    fn options_and_names_are_the_same() {
        for (english, chinese) in chinese::table() {
            for part in english.split(|sign: char| !(sign.is_ascii_alphanumeric() || "-_".contains(sign))) {
                if part.starts_with("--") && part.len() > 2 {
                    assert!(chinese.contains(part), "{part} is not in {chinese:?}");
                }
            }
        }
    }
}
