//! The table of attacks in the documents.

use std::fs;
use std::path::Path;

use super::attacks::{ATTACKS, May};
use super::processes::Role;

const BEGIN: &str = "<!-- the table of crates/tcpwhy/tests/confinement -->\n";
const END: &str = "<!-- its end -->\n";

/// A document in one language.
struct Page {
    path: &'static str,
    /// Index of its language in [`super::attacks::Attack::what`].
    language: usize,
    heading: &'static str,
    yes: &'static str,
    as_user: &'static str,
}

const PAGES: [Page; 2] = [
    Page {
        path: "docs/rights.md",
        language: 0,
        heading: "| to … | system calls | reads captures | captures (`-i`) | `serve` | writes outputs | asks for names | `audit` | starts watchers | watches | `export` answers |",
        yes: "may",
        as_user: "as its user",
    },
    Page {
        path: "docs/rights.zh-CN.md",
        language: 1,
        heading: "| 行为 | 系统调用 | 读取抓包 | 抓包（`-i`） | `serve` | 写入输出 | 查询名称 | `audit` | 启动监视 | 监视 | `export` 应答 |",
        yes: "允许",
        as_user: "按其用户",
    },
];

fn table(page: &Page) -> String {
    let columns = page.heading.matches('|').count() - 1;
    assert_eq!(columns, Role::ALL.len() + 2);
    let mut lines = vec![page.heading.to_owned(), format!("|{}", "---|".repeat(columns))];
    for attack in ATTACKS {
        let cells = Role::ALL.iter().map(|&role| match attack.may(role) {
            May::Not => " |".to_owned(),
            May::Yes => format!(" {} |", page.yes),
            May::AsItsUser => format!(" {} |", page.as_user),
        });
        let what = attack.what[page.language];
        lines.push(format!("| {what} | `{}` |{}", attack.code.join("`, `"), cells.collect::<String>()));
    }
    lines.join("\n") + "\n"
}

pub(super) fn check() {
    for page in &PAGES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page.path);
        let text = fs::read_to_string(&path).unwrap();
        let begin = text.find(BEGIN).expect("the table's begin is marked") + BEGIN.len();
        let end = begin + text[begin..].find(END).expect("the table's end is marked");
        let table = table(page);
        if text[begin..end] == table {
            continue;
        }
        if std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1") {
            fs::write(&path, format!("{}{table}{}", &text[..begin], &text[end..])).unwrap();
        } else {
            panic!("{} shows another table:\n{table}\n`UPDATE_EXPECT=1` writes it anew", page.path);
        }
    }
}
