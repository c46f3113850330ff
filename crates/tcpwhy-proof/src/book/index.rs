//! The index of the case book.

use tcpwhy_report::lab::LabRun;
use tcpwhy_report::text::Table;
use tcpwhy_report::{Args, Wording};

use super::page::{COMMAND, others, scaled};

/// An index in Markdown with one row per case. The kernel's version is without the distributor's suffix.
pub(super) fn index(wording: Wording<'_>, kernel: &str, entries: &[(String, LabRun)]) -> String {
    let catalogue = wording.catalogue();
    let columns = ["case", "title", "reported", "measured", "rate", "said"];
    let mut rows = Table::new(columns.map(|column| catalogue.word(&format!("lab-book-column-{column}"))).to_vec());
    for (file, run) in entries {
        let said = run.views[0].half().map(|half| wording.expected(half.verdict.cause)).unwrap_or_default();
        let measured = match run.reported {
            Some((bytes, _)) => scaled(wording, run, bytes),
            None => wording.reported(run.bytes, run.seconds),
        };
        rows.push(vec![
            format!("[{}]({file})", run.entry.name),
            run.entry.title.clone(),
            run.reported.map_or_else(String::new, |(bytes, seconds)| wording.reported(bytes, seconds)),
            measured,
            wording.units().bits_per_second(run.goodput),
            said,
        ]);
    }
    let intro =
        catalogue.text("lab-book-intro", &Args::new().text("kernel", kernel.split('-').next().unwrap_or_default()));
    let others: Vec<String> = others(catalogue.language(), "README").collect();
    let generated = catalogue.text("lab-book-generated", &Args::new().text("command", COMMAND));
    format!(
        "# {}\n\n{}\n\n{intro}\n\n{}\n<sub>{generated}</sub>\n",
        catalogue.word("lab-book-title"),
        others.join(" · "),
        // These columns contain words, so they are left-aligned.
        rows.markdown().replace("---:|", "---|")
    )
}
