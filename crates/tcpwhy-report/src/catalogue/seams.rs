//! Spaces between a message's own words and an argument. Chinese has a space between its characters and
//! digits or Latin letters, so messages have spaces around their arguments. A value that itself ends in
//! Chinese, such as a number with the unit of bytes, would leave a space between two Chinese characters. That
//! space of the message is left out; arguments stay unchanged.

/// Marks both ends of an argument while Fluent assembles a message. No argument contains this character,
/// because hidden characters have been made visible before.
const MARK: char = '\u{1}';

/// Whether `c` needs no space next to its like: Chinese characters and punctuation of full width.
fn is_chinese(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{303f}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{323af}')
}

/// Whether the space at the end of a message's `words` is left out before `argument`.
pub(super) fn is_closed_before(words: &str, argument: &str) -> bool {
    words.strip_suffix(' ').is_some_and(|words| words.ends_with(is_chinese)) && argument.starts_with(is_chinese)
}

/// A message's `words` as they follow `text`, which ends with an argument.
pub(super) fn after<'a>(text: &str, words: &'a str) -> &'a str {
    let closed = words.strip_prefix(' ').filter(|words| words.starts_with(is_chinese));
    closed.filter(|_| text.ends_with(is_chinese)).unwrap_or(words)
}

/// Marks an argument for Fluent. An argument without Chinese at its ends stays unmarked, because messages
/// select on such values.
pub(super) fn marked(argument: &str) -> String {
    let has_seam = argument.starts_with(is_chinese) || argument.ends_with(is_chinese);
    if has_seam { format!("{MARK}{argument}{MARK}") } else { argument.to_owned() }
}

/// Removes the marks of [`marked`] arguments and the superfluous spaces from the text that Fluent returns.
pub(super) fn closed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut words = "";
    for (i, part) in text.split(MARK).enumerate() {
        // Words of the message and arguments alternate.
        if i % 2 == 0 {
            out.push_str(if i == 0 { part } else { after(&out, part) });
            words = part;
        } else {
            if is_closed_before(words, part) {
                out.pop();
            }
            out.push_str(part);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message with `{x}` for its argument, the argument, and the text. A test of the web page reads the
    /// cases from this file.
    const CASES: [(&str, &str, &str); 13] = [
        ("{x} 在两处", "120 字节", "120 字节在两处"),
        ("{x} 在两处", "1.2 MB", "1.2 MB 在两处"),
        ("其中 {x} 没有", "约 3 秒", "其中约 3 秒没有"),
        ("其中 {x} 没有", "3 s", "其中 3 s 没有"),
        ("其中 {x} 没有", "不到 3 s", "其中不到 3 s 没有"),
        ("{x} 在两处", "120 字节（估算）", "120 字节（估算）在两处"),
        ("读取 {x} 失败", "a b 报告", "读取 a b 报告失败"),
        ("读取 {x} 失败", "报告 .pcap", "读取报告 .pcap 失败"),
        ("{x} ack", "3 秒", "3 秒 ack"),
        ("ack {x}", "约 3", "ack 约 3"),
        ("{x} {x}", "3 秒", "3 秒 3 秒"),
        ("{x} → {x}", "秒", "秒 → 秒"),
        ("{x}  在", "秒", "秒  在"),
    ];

    #[test]
    fn no_space_stays_between_chinese_of_a_message_and_of_an_argument() {
        for (message, argument, text) in CASES {
            assert_eq!(closed(&message.replace("{x}", &marked(argument))), text, "{message} with {argument}");
        }
    }
}
