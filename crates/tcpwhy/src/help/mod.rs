//! The command line in the reader's language: help, and what is wrong with what was typed.
//!
//! No words of help stand beside the arguments. They are in the catalogues: `command-NAME` for a command (`-long`, `-after`),
//! `option-NAME` for an option, `value-OPTION-VALUE` for a value, and with `-in-COMMAND` behind it where one command has other words
//! than the rest. A test compares the command line with the catalogues in both directions.

mod chinese;
mod errors;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Command, CommandFactory as _};
use tcpwhy_report::{Args, Catalogue, Language, Pattern};

use crate::args::Cli;

pub(crate) use errors::text as error_text;

static CHINESE: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| chinese::table().collect());

/// All that can be typed, with its help. It is not for parsing: values that have words have no types.
pub(crate) fn command(catalogue: &Catalogue) -> Command {
    Help { catalogue }.command(Cli::command(), ROOT)
}

/// A manual page with its headings in the language of `catalogue`; all else in it is of [`command`].
pub(crate) fn manual(page: String, catalogue: &Catalogue) -> String {
    /// Headings that `clap_mangen` writes itself.
    const HEADINGS: [&str; 7] = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SUBCOMMANDS", "EXTRA", "VERSION"];
    HEADINGS.iter().fold(page, |page, heading| {
        let words = catalogue.word(&format!("manual-heading-{}", heading.to_ascii_lowercase()));
        page.replace(&format!("\n.SH {heading}\n"), &format!("\n.SH {words}\n"))
    })
}

/// The program itself, among the names of commands.
const ROOT: &str = "tcpwhy";

/// Words of help by the names of commands, options and values.
#[derive(Clone, Copy)]
struct Help<'a> {
    catalogue: &'a Catalogue,
}

impl Help<'_> {
    /// `command`, which is called `name` with what stands before it: `lab-run`.
    fn command(self, command: Command, name: &str) -> Command {
        // What is typed without a subcommand is for `explain`.
        let of_options = if name == ROOT { "explain" } else { name };
        let has_version = command.get_version().is_some();
        let mut command = command
            .mut_args(|arg| self.argument(arg, of_options))
            .mut_subcommands(|sub| {
                let inner = if name == ROOT { sub.get_name().to_owned() } else { format!("{name}-{}", sub.get_name()) };
                self.command(sub, &inner)
            })
            .about(self.catalogue.word(&format!("command-{name}")));
        if let Some(text) = self.optional(&format!("command-{name}-long")) {
            command = command.long_about(text);
        }
        if let Some(text) = self.here(&format!("command-{of_options}-after")) {
            command = command.after_help(text);
        }
        if self.has_words_of_clap() { command } else { self.reworded(command, has_version) }
    }

    /// Clap's own words are English, and made too late to change them: these stand in their place.
    fn reworded(self, command: Command, has_version: bool) -> Command {
        let word = |id| self.catalogue.word(id);
        let usage = self.catalogue.text("help-usage", &Args::new().text("usage", "{usage}"));
        let flag = |name: &'static str, short, action, id| {
            Arg::new(name).short(short).long(name).action(action).help(word(id)).help_heading(word("help-options"))
        };
        let command = command
            .help_template(format!("{{before-help}}{{about-with-newline}}\n{usage}\n\n{{all-args}}{{after-help}}"))
            .subcommand_help_heading(word("help-commands"))
            .subcommand_value_name(word("help-commands"))
            .disable_help_flag(true)
            .arg(flag("help", 'h', ArgAction::Help, "help-help"));
        if has_version {
            return command.disable_version_flag(true).arg(flag("version", 'V', ArgAction::Version, "help-version"));
        }
        command
    }

    fn has_words_of_clap(self) -> bool {
        self.catalogue.language() == Language::English
    }

    fn argument(self, arg: Arg, command: &str) -> Arg {
        let id = kebab(arg.get_id().as_str());
        let help = match self.in_command_or_none(&format!("option-{id}"), command) {
            Some(help) => help,
            // What stands for all options where a command does not work.
            None if arg.is_hide_set() => return arg,
            None => self.catalogue.word(&format!("option-{id}")),
        };
        let heading = arg.get_help_heading().map(|heading| format!("heading-option-{heading}"));
        let values = if arg.get_action().takes_values() { arg.get_possible_values() } else { Vec::new() };
        let meanings: Vec<_> = values
            .iter()
            .map(|value| self.in_command_or_none(&format!("value-{id}-{}", kebab(value.get_name())), command))
            .collect();
        let arg = if meanings.iter().any(Option::is_some) {
            let values = values.iter().cloned().zip(&meanings).map(|(value, meaning)| match meaning {
                Some(meaning) => value.help(meaning),
                None => value,
            });
            arg.value_parser(PossibleValuesParser::new(values))
        } else {
            arg
        };
        if self.has_words_of_clap() {
            let arg = arg.help(help);
            return match heading {
                Some(heading) => arg.help_heading(self.catalogue.word(&heading)),
                None => arg,
            };
        }
        let usual = if arg.is_positional() { "help-arguments" } else { "help-options" };
        let arg = arg.help_heading(self.catalogue.word(heading.as_deref().unwrap_or(usual)));
        self.with_values(arg, &help)
    }

    /// With its default and its values behind its help, which clap would add in its own words.
    fn with_values(self, arg: Arg, help: &str) -> Arg {
        if !arg.get_action().takes_values() {
            return arg.help(help.to_owned());
        }
        let values = arg.get_possible_values();
        let values: Vec<_> = values.iter().filter(|value| !value.is_hide_set()).collect();
        let defaults: Vec<_> =
            arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
        let help = format!("{help}{}", self.listed("help-default", &defaults));
        let arg = arg.hide_default_value(true).hide_possible_values(true);
        let names: Vec<_> = values.iter().map(|value| value.get_name().to_owned()).collect();
        let arg = arg.help(format!("{help}{}", self.listed("help-values", &names)));
        if values.iter().all(|value| value.get_help().is_none()) {
            return arg;
        }
        let list = values.iter().map(|value| match value.get_help() {
            Some(meaning) => {
                let args = Args::new().text("name", value.get_name()).text("meaning", meaning.to_string());
                format!("\n{}", self.catalogue.text("help-value", &args))
            }
            None => format!("\n- {}", value.get_name()),
        });
        let list: String = list.collect();
        arg.long_help(format!("{help}\n\n{}{list}", self.catalogue.word("help-values-heading")))
    }

    /// ` [default: auto]`; nothing of nothing.
    fn listed(self, id: &str, values: &[String]) -> String {
        if values.is_empty() {
            return String::new();
        }
        let values = values.join(&self.catalogue.word("help-separator"));
        format!(" {}", self.catalogue.text(id, &Args::new().text("values", values)))
    }

    /// The words of `command` for it, else those of all commands.
    fn in_command_or_none(self, id: &str, command: &str) -> Option<String> {
        self.optional(&format!("{id}-in-{command}")).or_else(|| self.optional(id))
    }

    /// The words for this system.
    fn here(self, id: &str) -> Option<String> {
        let elsewhere = if cfg!(target_os = "linux") { None } else { self.optional(&format!("{id}-elsewhere")) };
        elsewhere.or_else(|| self.optional(id))
    }

    fn optional(self, id: &str) -> Option<String> {
        self.catalogue.has(id).then(|| self.catalogue.word(id))
    }
}

/// A name of clap as ids have it.
fn kebab(name: &str) -> String {
    name.replace('_', "-").to_ascii_lowercase()
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The ids of the words that the help of `command` and of all below it needs; of several the first that there is.
    #[cfg(target_os = "linux")]
    fn needed(command: &Command, name: &str, catalogue: &Catalogue, into: &mut BTreeSet<String>) {
        let (is_root, of_options) = (name == ROOT, if name == ROOT { "explain" } else { name });
        into.insert(format!("command-{name}"));
        for part in ["long", "after"] {
            let id = format!("command-{name}-{part}");
            into.extend(catalogue.has(&id).then_some(id));
        }
        let first = |id: String| {
            let own = format!("{id}-in-{of_options}");
            if catalogue.has(&own) { own } else { id }
        };
        for arg in command.get_arguments() {
            let id = kebab(arg.get_id().as_str());
            into.insert(first(format!("option-{id}")));
            into.extend(arg.get_help_heading().map(|heading| format!("heading-option-{heading}")));
            if arg.get_action().takes_values() {
                let values = arg.get_possible_values();
                let ids = values.iter().map(|value| first(format!("value-{id}-{}", kebab(value.get_name()))));
                into.extend(ids.filter(|id| catalogue.has(id)));
            }
        }
        for below in command.get_subcommands() {
            let inner = if is_root { below.get_name().to_owned() } else { format!("{name}-{}", below.get_name()) };
            needed(below, &inner, catalogue, into);
        }
    }

    /// What the command line has is in the catalogues, and what is in the catalogues is on the command line.
    #[test]
    #[cfg(target_os = "linux")]
    fn the_command_line_has_all_of_its_words_and_no_others() {
        let catalogue = Catalogue::new(Language::English);
        let mut needed_ids = BTreeSet::new();
        needed(&Cli::command(), ROOT, &catalogue, &mut needed_ids);
        let missing: Vec<_> = needed_ids.iter().filter(|id| !catalogue.has(id)).collect();
        assert!(missing.is_empty() && needed_ids.len() > 200, "locales/*/help.ftl lacks {missing:#?}");
        let is_of_help = |id: &str| {
            let families = ["command-", "option-", "value-", "heading-option-"];
            families.iter().any(|family| id.starts_with(family)) && !id.ends_with("-elsewhere")
        };
        let all = catalogue.templates(is_of_help);
        let stale: Vec<_> = all.keys().filter(|id| !needed_ids.contains(*id)).collect();
        assert!(stale.is_empty(), "locales/*/help.ftl has what nothing needs: {stale:#?}");
    }

    /// Where one value of an option has words, all have.
    #[test]
    #[cfg(target_os = "linux")]
    fn values_have_words_together() {
        fn check(command: &Command) {
            for arg in command.get_arguments().filter(|arg| arg.get_action().takes_values()) {
                let have: BTreeSet<bool> =
                    arg.get_possible_values().iter().map(|value| value.get_help().is_some()).collect();
                assert!(have.len() < 2, "{}: {}", command.get_name(), arg.get_id());
            }
            command.get_subcommands().for_each(check);
        }
        check(&command(&Catalogue::new(Language::English)));
    }

    /// Options and settings that are named in one language are named in the other.
    #[test]
    fn options_are_named_in_every_language() {
        let is_of_help = |id: &str| ["command-", "option-", "value-"].iter().any(|family| id.starts_with(family));
        let [english, chinese] = Language::ALL.map(|language| Catalogue::new(language).templates(is_of_help));
        for (id, text) in english {
            for part in text.split(|sign: char| !(sign.is_ascii_alphanumeric() || "-_".contains(sign))) {
                assert!(
                    !part.starts_with("--") || chinese[&id].contains(part),
                    "{id}: {part} is not in {}",
                    chinese[&id]
                );
            }
        }
    }

    /// Clap breaks longer lines in the middle of what is aligned.
    #[test]
    fn examples_fit_the_screen() {
        const WIDEST: usize = 100;
        fn wide(command: &Command, into: &mut Vec<String>) {
            let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let columns = |line: &str| line.chars().map(|c| if c >= '\u{2e80}' { 2 } else { 1 }).sum::<usize>();
            into.extend(after.lines().filter(|line| columns(line) > WIDEST).map(str::to_owned));
            command.get_subcommands().for_each(|command| wide(command, into));
        }
        for language in [Language::English, Language::SimplifiedChinese] {
            let mut lines = Vec::new();
            wide(&command(&Catalogue::new(language)), &mut lines);
            assert!(lines.is_empty(), "{lines:#?}");
        }
    }

    #[test]
    fn help_is_consistent() {
        for language in Language::ALL {
            command(&Catalogue::new(language)).debug_assert();
        }
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
