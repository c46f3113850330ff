//! What is wrong with what was typed, in Chinese. English has clap's own words.

use std::error::Error as _;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::chinese;

/// The message of `error` with its hints, the usage and where to read on; `None` for kinds that are no messages (help, version).
pub(crate) fn text(error: &clap::Error) -> Option<String> {
    let said = sentence(error)?;
    let mut text = format!("错误：{said}\n");
    for hint in hints(error) {
        text.push_str("\n  提示：");
        text.push_str(&hint);
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
        text.push('\n');
        text.push_str(usage.to_string().replace("Usage: ", "用法：").trim_end());
        text.push('\n');
    }
    text.push_str("\n更多信息见 '--help'。\n");
    Some(text)
}

fn sentence(error: &clap::Error) -> Option<String> {
    let one = |kind| shown(error.get(kind));
    let arg = || one(ContextKind::InvalidArg).unwrap_or_default();
    let value = || one(ContextKind::InvalidValue).unwrap_or_default();
    let number = |kind| match error.get(kind) {
        Some(ContextValue::Number(number)) => number.to_string(),
        _ => "?".to_owned(),
    };
    Some(match error.kind() {
        ErrorKind::InvalidValue if value().is_empty() => {
            format!("'{}' 需要一个值，但没有给出{}", arg(), choices(error))
        }
        ErrorKind::InvalidValue => format!("'{}' 的值 '{}' 无效{}", arg(), value(), choices(error)),
        ErrorKind::ValueValidation => {
            let why = error.source().map(|why| format!("：{}", chinese(&why.to_string()))).unwrap_or_default();
            format!("'{}' 的值 '{}' 无效{why}", arg(), value())
        }
        ErrorKind::UnknownArgument => format!("不认识的参数 '{}'", arg()),
        ErrorKind::InvalidSubcommand => {
            format!("不认识的子命令 '{}'", one(ContextKind::InvalidSubcommand).unwrap_or_default())
        }
        ErrorKind::MissingSubcommand => {
            let command = one(ContextKind::InvalidSubcommand).unwrap_or_default();
            let known = list(error.get(ContextKind::ValidSubcommand));
            format!("'{command}' 需要一个子命令\n  [子命令：{}]", known.join("、"))
        }
        ErrorKind::NoEquals => format!("'{}' 的值要用等号连接：{0}=值", arg()),
        ErrorKind::TooManyValues => format!("'{}' 多了一个值 '{}'", arg(), value()),
        ErrorKind::TooFewValues => format!(
            "'{}' 至少需要 {} 个值，只给出了 {} 个",
            arg(),
            number(ContextKind::MinValues),
            number(ContextKind::ActualNumValues)
        ),
        ErrorKind::WrongNumberOfValues => format!(
            "'{}' 需要 {} 个值，给出了 {} 个",
            arg(),
            number(ContextKind::ExpectedNumValues),
            number(ContextKind::ActualNumValues)
        ),
        ErrorKind::ArgumentConflict => {
            let others = list(error.get(ContextKind::PriorArg));
            match others.as_slice() {
                [] => format!("'{}' 不能与其他参数同用", arg()),
                [other] if *other == arg() => format!("'{}' 只能用一次", arg()),
                others => format!("'{}' 不能与 '{}' 同用", arg(), others.join("'、'")),
            }
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = list(error.get(ContextKind::InvalidArg)).join("\n  ");
            format!("缺少必需的参数：\n  {missing}")
        }
        ErrorKind::InvalidUtf8 => "参数不是有效的 UTF-8".to_owned(),
        _ => return None,
    })
}

/// Values that can be given, where they are few.
fn choices(error: &clap::Error) -> String {
    let known = list(error.get(ContextKind::ValidValue));
    if known.is_empty() { String::new() } else { format!("\n  [可选值：{}]", known.join("、")) }
}

/// What may have been meant.
fn hints(error: &clap::Error) -> Vec<String> {
    let kinds = [
        (ContextKind::SuggestedSubcommand, "有相近的子命令"),
        (ContextKind::SuggestedArg, "有相近的参数"),
        (ContextKind::SuggestedValue, "有相近的值"),
    ];
    let near = kinds.into_iter().filter_map(|(kind, words)| {
        let names = list(error.get(kind));
        (!names.is_empty()).then(|| format!("{words} '{}'", names.join("'、'")))
    });
    near.collect()
}

fn shown(value: Option<&ContextValue>) -> Option<String> {
    match value? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join(" ")),
        ContextValue::StyledStr(text) => Some(text.to_string()),
        ContextValue::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn list(value: Option<&ContextValue>) -> Vec<String> {
    match value {
        Some(ContextValue::Strings(texts)) => texts.clone(),
        Some(ContextValue::StyledStrs(texts)) => texts.iter().map(StyledStr::to_string).collect(),
        other => shown(other).into_iter().filter(|text| !text.is_empty()).collect(),
    }
}
