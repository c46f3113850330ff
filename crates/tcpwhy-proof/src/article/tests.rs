use std::collections::BTreeSet;
use std::fs;

use tcpwhy_files::Replace;
use tcpwhy_report::Language;

use super::*;

/// Every file has its name once: a page and two pictures in each language, two scenarios.
#[test]
fn an_article_has_a_page_and_pictures_in_each_language() {
    let all: BTreeSet<String> = names().collect();
    assert_eq!(all.len(), names().count());
    let of_language = |language: Language| {
        let tag = if language == Language::English { String::new() } else { format!(".{}", language.tag()) };
        [format!("index{tag}.html"), format!("before{tag}.svg"), format!("after{tag}.svg")]
    };
    let pages = Language::ALL.into_iter().flat_map(of_language);
    assert_eq!(all, pages.chain(["after.toml", "before.toml"].map(str::to_owned)).collect());
}

/// Files that tcpwhy did not write are not replaced.
#[test]
fn a_file_of_somebody_else_stays() {
    let folder = tempfile::tempdir().unwrap();
    let policy = Policy { inputs: Vec::new(), replace: Replace::Marked(vec![MARK.as_bytes().to_vec()]) };
    assert!(check(folder.path(), &policy).is_ok());
    fs::write(folder.path().join("after.svg"), "mine").unwrap();
    assert!(check(folder.path(), &policy).is_err());
}
