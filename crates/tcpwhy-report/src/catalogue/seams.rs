//! Where a message's own words meet an argument. Chinese is set with a space between its characters and digits or Latin letters,
//! so a message says `{ $size } 在 { $count } 处`; a value that itself ends in Chinese (`120 字节`) would leave that space between
//! two Chinese characters. The space belongs to the message and is left out; arguments stay as they are.

/// Stands on both sides of an argument while Fluent puts a message together. No argument contains it: hidden characters are made
/// visible before.
const MARK: char = '\u{1}';

/// Whether `c` is set without a space beside its like: Chinese characters and the punctuation of their width.
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

/// An argument for Fluent. One without Chinese at its ends is as it was: messages select by such ones.
pub(super) fn marked(argument: &str) -> String {
    let has_seam = argument.starts_with(is_chinese) || argument.ends_with(is_chinese);
    if has_seam { format!("{MARK}{argument}{MARK}") } else { argument.to_owned() }
}

/// What Fluent made of a message with [`marked`] arguments, without the marks and the spaces that are left out.
pub(super) fn closed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut words = "";
    for (i, part) in text.split(MARK).enumerate() {
        // Words of the message and arguments take turns.
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

    /// A message with `{x}` for its argument, the argument, and the text. A test of the page reads them from here.
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
