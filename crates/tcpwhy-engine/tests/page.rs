//! Tests that the documentation pages show the output of the example. With `UPDATE_EXPECT` the pages are
//! rewritten.
#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "the test calls a part of the example")]
#[path = "../examples/explain.rs"]
mod example;

use std::fs;
use std::path::Path;

use tcpwhy_engine::Explain;
use tcpwhy_report::{Catalogue, Language, Wording};

#[test]
fn the_pages_show_what_the_example_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (page, language) in
        [("docs/library.md", Language::English), ("docs/library.zh-CN.md", Language::SimplifiedChinese)]
    {
        let catalogue = Catalogue::new(language);
        let path = root.join(page);
        let text = fs::read_to_string(&path).unwrap();
        // Finds `<!-- explain CAPTURE -->` and the block after it.
        let (_, rest) = text.split_once("<!-- explain ").unwrap();
        let (capture, rest) = rest.split_once(" -->\n```text\n").unwrap();
        let (shown, _) = rest.split_once("```").unwrap();
        let explanation = Explain::path(root.join(capture)).run().unwrap();
        let mut printed = Vec::new();
        example::print(&mut printed, &explanation, Wording::new(&catalogue)).unwrap();
        let printed = String::from_utf8(printed).unwrap();
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            let block = |shown: &str| format!("<!-- explain {capture} -->\n```text\n{shown}```");
            fs::write(&path, text.replace(&block(shown), &block(&printed))).unwrap();
        } else {
            assert_eq!(shown, printed, "{page}");
        }
    }
}
