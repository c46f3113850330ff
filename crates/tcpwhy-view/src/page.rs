//! The interactive page as one file: no network, no inline event handlers, and a policy that allows only the
//! embedded code to run.
//!
//! It also contains the numbers as text, for readers without scripts.

use std::fmt::Write as _;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_model::foreign::is_hidden;
use tcpwhy_report::markup::{MARK, escaped};
use tcpwhy_report::text::{kernel_sentence, limits_heading};
use tcpwhy_report::{Args, Catalogue, Site, Wording, unpacked};

use crate::data::{ConnectionChart, View};

/// The viewer, built from `viewer/` (`viewer/build`) and compressed by `build.rs`; CI compares it with its
/// sources.
static SCRIPT: LazyLock<String> = LazyLock::new(|| unpacked(include_bytes!(concat!(env!("OUT_DIR"), "/viewer.js"))));
static STYLE: LazyLock<String> = LazyLock::new(|| unpacked(include_bytes!(concat!(env!("OUT_DIR"), "/viewer.css"))));

/// The page of `view` with `charts`.
pub fn page(view: &View, charts: &[ConnectionChart]) -> String {
    let catalogue = Catalogue::new(view.language()).with_names(view.names().cloned());
    let wording = Wording::new(&catalogue);
    let names: Vec<&str> = view.survey().captures().iter().map(|c| c.path.as_str()).collect();
    let title = catalogue.text("page-title", &Args::new().text("name", names.join(", ")));
    let data = script_safe(&view.to_json(charts));
    let (script, style) = (&*SCRIPT, &*STYLE);
    let mut out = String::with_capacity(data.len() + script.len() + style.len() + 20_000);
    let _ = write!(
        out,
        "<!doctype html>\n{MARK}\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{}</title>\n<style>{style}</style>\n</head>\n<body>\n<div id=\"tcpwhy-root\">\n",
        view.language().tag(),
        policy(view.has_server()),
        escaped(&title),
    );
    text(&mut out, view, wording);
    let _ = write!(
        out,
        "</div>\n<script type=\"application/json\" id=\"tcpwhy-data\">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n"
    );
    out
}

/// Content security policy of the page: it may run the embedded script, use the embedded style and, with
/// `has_server`, send requests to that server.
pub fn policy(has_server: bool) -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())));
    let connect = if has_server { "; connect-src 'self'" } else { "" };
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:{connect}; base-uri 'none'; form-action 'none'",
        hash(&SCRIPT),
        hash(&STYLE)
    )
}

/// JSON for a script element: nothing in it can end the element, open a comment or break a line.
fn script_safe(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 64);
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            c if is_hidden(c) => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                // Writing to a `String` cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }),
            c => out.push(c),
        }
    }
    out
}

/// Writes the diagnosis as text, without charts.
fn text(out: &mut String, view: &View, wording: Wording<'_>) {
    let catalogue = wording.catalogue();
    let _ = writeln!(out, "<noscript><p>{}</p></noscript>", escaped(&catalogue.word("page-no-script")));
    for entry in view.survey().entries() {
        connection(out, &entry.connection, wording);
    }
}

fn connection(out: &mut String, connection: &Connection, wording: Wording<'_>) {
    let catalogue = wording.catalogue();
    for half in &connection.halves {
        let site = Site::of(connection, Some(half.sender));
        let direction = wording.direction(connection, half);
        let _ = writeln!(out, "<section>\n<h2>#{} {}</h2>", connection.id, escaped(&direction));
        let _ = writeln!(out, "<p>{}</p>", escaped(&wording.verdict(half)));
        limits(out, connection, half, wording);
        if let Some(word) = kernel_sentence(wording, connection, half) {
            let _ = writeln!(out, "<p>{}</p>", escaped(&word));
        }
        if !half.findings.is_empty() {
            let _ = writeln!(out, "<h3>{}</h3>\n<ul>", escaped(&catalogue.word("heading-findings")));
            for finding in &half.findings {
                let sentence = wording.finding(finding, half.span.seconds());
                let _ = write!(out, "<li>{}: {}", escaped(&wording.rule_title(finding.rule)), escaped(&sentence));
                for fix in &finding.fixes {
                    let or = if fix.is_rival { format!("{} ", catalogue.word("viewer-or")) } else { String::new() };
                    let _ = write!(out, "<p>{}{}</p>", escaped(&or), escaped(&wording.fix(fix)));
                    if !fix.lines.is_empty() {
                        let _ = write!(out, "<pre>{}</pre>", escaped(&wording.fix_lines(fix, Some(&site)).join("\n")));
                    }
                }
                out.push_str("</li>\n");
            }
            out.push_str("</ul>\n");
        }
        out.push_str("</section>\n");
    }
}

fn limits(out: &mut String, connection: &Connection, half: &HalfConnection, wording: Wording<'_>) {
    let catalogue = wording.catalogue();
    let head = ["column-limit", "column-time", "column-share"].map(|id| escaped(&catalogue.word(id)));
    let _ = writeln!(
        out,
        "<table>\n<caption>{}</caption>\n<thead><tr><th scope=\"col\">{}</th><th scope=\"col\">{}</th>\
         <th scope=\"col\">{}</th></tr></thead>\n<tbody>",
        escaped(&limits_heading(wording, connection, half)),
        head[0],
        head[1],
        head[2]
    );
    let span = half.span.nanos().max(1) as f64;
    for total in half.limits.totals() {
        let name = escaped(&wording.cause(total.cause));
        let name = if total.cause.is_removable() { format!("<strong>{name}</strong>") } else { name };
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{name}</th><td>{}</td><td>{}</td></tr>",
            escaped(&wording.units().nanos(total.nanos)),
            escaped(&wording.units().share(total.nanos as f64 / span)),
        );
    }
    out.push_str("</tbody>\n</table>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_a_script_element() {
        let hostile = "</script><script>alert(1)</script><!-- \u{2028}\u{2029}\u{202e}\u{e0041}\u{9b} & ]]>";
        let json = script_safe(&serde_json::to_string(hostile).unwrap());
        assert!(!json.contains(|c| matches!(c, '<' | '>' | '&') || is_hidden(c)), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), hostile);
    }

    #[test]
    fn text_is_text() {
        assert_eq!(
            escaped("<img src=x onerror='a(\"b\")'>&\u{1}\n"),
            "&lt;img src=x onerror=&#39;a(&quot;b&quot;)&#39;&gt;&amp;\\x01\n"
        );
    }

    #[test]
    fn the_policy_names_what_is_embedded() {
        let policy = policy(false);
        let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
        assert!(policy.contains(&format!("script-src 'sha256-{}'", hash(&SCRIPT))));
        assert!(policy.contains(&format!("style-src 'sha256-{}'", hash(&STYLE))));
        assert!(!policy.contains("unsafe") && !policy.contains("connect-src"));
        assert!(super::policy(true).contains("connect-src 'self'"));
        assert!(!SCRIPT.contains("</script") && !SCRIPT.contains("<!--") && !STYLE.contains("</style"));
    }
}
