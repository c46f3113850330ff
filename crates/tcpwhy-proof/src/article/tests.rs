use std::fs;

use tcpwhy_files::Replace;

use super::*;

/// Every file has its name once, and a page in each language.
#[test]
fn an_article_has_two_pages_four_pictures_and_two_scenarios() {
    let mut all: Vec<String> = names().collect();
    all.sort();
    assert_eq!(
        all,
        [
            "after.svg",
            "after.toml",
            "after.zh-CN.svg",
            "before.svg",
            "before.toml",
            "before.zh-CN.svg",
            "index.html",
            "index.zh-CN.html"
        ]
    );
}

/// What somebody else wrote is not replaced.
#[test]
fn a_file_of_somebody_else_stays() {
    let folder = tempfile::tempdir().unwrap();
    let policy = Policy { inputs: Vec::new(), replace: Replace::Marked(vec![MARK.as_bytes().to_vec()]) };
    assert!(check(folder.path(), &policy).is_ok());
    fs::write(folder.path().join("after.svg"), "mine").unwrap();
    assert!(check(folder.path(), &policy).is_err());
}
