//! The page of two runs.

use std::fmt::Write as _;

use tcpwhy_lab::Recording;
use tcpwhy_report::lab::LabRun;
use tcpwhy_report::markup::{MARK, escaped};
use tcpwhy_report::text::lab_faster;
use tcpwhy_report::{Args, Language, Wording};

use super::files::{SIDES, page_name, picture_name, scenario_name};
use super::settings::differences;
use crate::book::page::{own_name, scaled};

/// On narrow pages, the pictures are below each other.
const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:1400px;margin:0 auto;padding:16px;color:#1b2430}\
h1{font-size:26px;margin:.3em 0}h2{font-size:19px;margin:1.6em 0 .5em}p.lead{font-size:20px;font-weight:600}\
.figures{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(min(100%,520px),1fr))}\
figure{margin:0}figure img{width:100%;height:auto;border:1px solid #d5dce5;border-radius:6px}figcaption{margin-top:6px}\
table{border-collapse:collapse}th,td{text-align:left;padding:4px 18px 4px 0;border-bottom:1px solid #d5dce5;vertical-align:top}\
td,code{font-variant-numeric:tabular-nums}pre{background:#f1f4f8;padding:10px;overflow-x:auto}";

/// A page of HTML without scripts or external files.
pub(super) fn page(
    wording: Wording<'_>,
    recordings: [&Recording; 2],
    computed: [Option<f64>; 2],
    runs: &[LabRun; 2],
) -> String {
    let catalogue = wording.catalogue();
    let language = catalogue.language();
    let word = |id: &str| escaped(&catalogue.word(id));
    let names = runs.each_ref().map(|run| escaped(&run.entry.name));
    let title = runs.each_ref().map(|run| escaped(&run.entry.title)).join(" / ");
    let mut out = format!(
        "<!DOCTYPE html>\n{MARK}\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
        language.tag()
    );
    let others = Language::ALL.into_iter().filter(|other| *other != language);
    for other in others {
        let _ = writeln!(out, "<p><a href=\"{}\">{}</a></p>", page_name(other), own_name(other));
    }
    let _ = writeln!(
        out,
        "<h1>{title}</h1>\n<p class=\"lead\">{}</p>",
        escaped(&lab_faster(wording, [&runs[0], &runs[1]]))
    );
    for doubt in runs.iter().flat_map(|run| &run.doubts) {
        let _ = writeln!(out, "<p>{}</p>", escaped(doubt));
    }
    let _ = writeln!(out, "<h2>{}</h2>\n<div class=\"figures\">", word("lab-article-figures"));
    for (index, side) in SIDES.into_iter().enumerate() {
        let verdict = runs[index].views[0].half().map(|half| wording.verdict(half)).unwrap_or_default();
        let args = Args::new().text("name", &runs[index].entry.name).text("verdict", verdict);
        let caption = escaped(&catalogue.text("lab-article-figure", &args));
        let _ = writeln!(
            out,
            "<figure><img src=\"{}\" alt=\"{caption}\"><figcaption>{caption}</figcaption></figure>",
            picture_name(side, language)
        );
    }
    let _ = writeln!(out, "</div>\n<h2>{}</h2>", word("lab-article-numbers"));
    table(&mut out, &["", &names[0], &names[1]], &numbers(wording, computed, runs));
    let settings = settings(wording, recordings);
    if !settings.is_empty() {
        let _ = writeln!(out, "<h2>{}</h2>", word("lab-article-setting"));
        table(&mut out, &["", &names[0], &names[1]], &settings);
    }
    let kernel = Args::new().text("kernel", &recordings[0].truth().kernel);
    let _ = writeln!(
        out,
        "<h2>{}</h2>\n<pre>tcpwhy lab compare {} {} --html article</pre>\n<p>{}</p>\n</body>\n</html>",
        word("lab-article-again"),
        scenario_name(SIDES[0]),
        scenario_name(SIDES[1]),
        escaped(&catalogue.text("lab-article-kernel", &kernel))
    );
    out
}

/// A table of escaped texts.
fn table(out: &mut String, head: &[&str], rows: &[[String; 3]]) {
    out.push_str("<table>\n<tr>");
    for text in head {
        let _ = write!(out, "<th scope=\"col\">{text}</th>");
    }
    out.push_str("</tr>\n");
    for [label, before, after] in rows {
        let _ = writeln!(out, "<tr><th scope=\"row\">{label}</th><td>{before}</td><td>{after}</td></tr>");
    }
    out.push_str("</table>\n");
}

/// The published values, the computed ones, the measured ones, and the limits.
fn numbers(wording: Wording<'_>, computed: [Option<f64>; 2], runs: &[LabRun; 2]) -> Vec<[String; 3]> {
    let catalogue = wording.catalogue();
    let units = wording.units();
    let mut rows = Vec::new();
    let mut add = |id: &str, values: [Option<String>; 2]| {
        if values.iter().any(Option::is_some) {
            let [before, after] = values.map(|value| value.unwrap_or_else(|| catalogue.word("lab-none")));
            rows.push([catalogue.word(id), before, after].map(|text| escaped(&text)));
        }
    };
    let each = |of: &dyn Fn(&LabRun) -> Option<String>| runs.each_ref().map(of);
    add("lab-row-bytes", each(&|run| Some(units.bytes(run.bytes))));
    add("lab-article-published", each(&|run| run.reported.map(|(bytes, seconds)| wording.reported(bytes, seconds))));
    add("lab-article-scaled", each(&|run| run.reported.map(|(bytes, _)| scaled(wording, run, bytes))));
    add("lab-article-computed", computed.map(|seconds| seconds.map(|seconds| units.seconds(seconds))));
    add("lab-article-measured", each(&|run| Some(units.seconds(run.seconds))));
    add("lab-row-goodput", each(&|run| Some(units.bits_per_second(run.goodput))));
    add("lab-row-verdict-sender", each(&|run| Some(wording.expected(run.views[0].half()?.verdict.cause))));
    add("lab-row-rtt", each(&|run| Some(units.nanos(run.views[0].half()?.rtt?.0.median as i64))));
    add("lab-row-flight", each(&|run| Some(units.bytes(run.views[0].half()?.flight?.p95))));
    add("lab-row-window", each(&|run| Some(units.bytes(run.views[0].half()?.receive_window?.median))));
    add("lab-row-send-buffer", each(&|run| run.kernel.send_buffer.map(|bytes| units.bytes(bytes))));
    add("lab-row-receive-buffer", each(&|run| run.kernel.receive_buffer.map(|bytes| units.bytes(bytes))));
    rows
}

/// The keys of both scenarios that differ.
fn settings(wording: Wording<'_>, recordings: [&Recording; 2]) -> Vec<[String; 3]> {
    let [before, after] = recordings.map(Recording::scenario);
    let code = |text: &str| format!("<code>{}</code>", escaped(text));
    let value = |value: Option<String>| {
        value.map_or_else(|| escaped(&wording.catalogue().word("lab-article-default")), |text| code(&text))
    };
    let found = differences(before, after).into_iter();
    found
        .map(|setting| {
            let [before, after] = setting.values;
            [code(&setting.key), value(before), value(after)]
        })
        .collect()
}
