//! `tcpwhy lab schema` and `tcpwhy lab new`: what a scenario may say, and a file to begin with.

use std::io::Write as _;

use anyhow::{Result, anyhow, bail};
use tcpwhy_lab::scenario::{NEW, SCHEMA, bundled, reference};
use tcpwhy_report::{Catalogue, Language, Wording};

use super::args::{NewArgs, SchemaArgs};
use super::reference_zh::chinese;
use super::target;
use crate::exit::ExitStatus;
use crate::output::file::{self, Output};
use crate::standard_output::stdout;

const HEAD: &str = "\
# Scenarios of the lab

[中文](scenarios.zh-CN.md)

What a scenario file (TOML) may contain, made from the code that reads it: `tcpwhy lab schema --reference`. `tcpwhy lab schema` \
prints a JSON schema for editors, `tcpwhy lab new FILE.toml` writes a new file. Quantities are strings with units: bytes \
`\"64KiB\"`, `\"22MB\"` (k, M, G are powers of 1000, Ki, Mi, Gi of 1024), times `\"20ms\"`, `\"100us\"`, `\"2s\"`, rates \
`\"100mbit\"`, `\"12.5MB/s\"`, shares `\"0.5%\"`. An impossible value is refused with its key and its line.
";

const HEAD_CHINESE: &str = "\
# 实验场景文件

[English](scenarios.md)

场景文件（TOML）能写什么，由读取它的代码生成：`tcpwhy lab schema --reference --lang zh-CN`。`tcpwhy lab schema` 打印供编辑器使用的 \
JSON schema，`tcpwhy lab new 文件.toml` 写出一个新文件。数值是带单位的字符串：字节 `\"64KiB\"`、`\"22MB\"`（k、M、G 是 1000 的幂，\
Ki、Mi、Gi 是 1024 的幂），时间 `\"20ms\"`、`\"100us\"`、`\"2s\"`，速率 `\"100mbit\"`、`\"12.5MB/s\"`，比例 `\"0.5%\"`。不可能的值会\
被拒绝，并指出参数名和行号。
";

/// Prints the schema, or the reference made of it.
pub(super) fn schema(args: &SchemaArgs) -> Result<ExitStatus> {
    let mut out = stdout();
    if args.reference {
        out.write_all(page(args.words.language()).as_bytes())?;
    } else {
        out.write_all(SCHEMA.as_bytes())?;
    }
    out.flush()?;
    Ok(ExitStatus::SUCCESS)
}

/// The reference as it stands in `docs/scenarios.md` and `docs/scenarios.zh-CN.md`.
fn page(language: Language) -> String {
    match language {
        Language::English => format!("{HEAD}{}", reference(&str::to_owned)),
        Language::SimplifiedChinese => {
            let words = |english: &str| chinese(english).unwrap_or(english).to_owned();
            format!("{HEAD_CHINESE}{}", reference(&words))
        }
    }
}

/// Writes the file.
pub(super) fn run(args: &NewArgs) -> Result<ExitStatus> {
    let path = &args.file;
    if path.extension().is_none_or(|extension| extension != "toml") {
        bail!("{}: a scenario's file ends in .toml", path.display());
    }
    let inputs = target::files(&args.like);
    // A scenario is edited once it is written.
    let output = Output::prepare(path, &file::policy_for_edited(inputs, args.overwrite.overwrite))?;
    let text = match &args.like {
        None => NEW.to_owned(),
        Some(word) => match bundled::text(word) {
            Some(text) => text.to_owned(),
            None => target::scenario(word)?.scenario.to_toml().map_err(|error| anyhow!(error))?,
        },
    };
    if let Some(written) = output.write(text.as_bytes())?
        && !args.output.quiet
    {
        let catalogue = Catalogue::new(args.output.words.language());
        file::say_written(Wording::new(&catalogue), path, written);
    }
    Ok(ExitStatus::SUCCESS)
}
