//! A Grafana dashboard for the metrics in the table.

use serde_json::{Value, json};
use tcpwhy_model::{Cause, Limit};

use super::Metric;
use crate::palette::look;
use crate::{Catalogue, Wording};

/// Selector of all queries about connections.
const CHOSEN: &str = r#"{instance=~"$instance",process=~"$process",port=~"$port"}"#;
/// Selector of the time with data to send whose limit is visible from this host.
const CHOSEN_BUSY: &str =
    r#"{instance=~"$instance",process=~"$process",port=~"$port",limit!~"application|unobserved"}"#;
/// Selector of all other queries.
const HOSTS: &str = r#"{instance=~"$instance"}"#;
/// Rows of a list of the largest values.
const MOST: u8 = 10;
/// Height of a panel and width of the dashboard, in cells of Grafana's grid.
const HEIGHT: usize = 8;
const WIDTH: usize = 24;

/// A query, and the legend of its series.
type Query = (String, String);

/// A panel: message id of its title (its description has the suffix `-about`), unit, width in cells, queries.
struct Panel {
    id: &'static str,
    unit: &'static str,
    width: usize,
    look: Looks,
    queries: Vec<Query>,
}

/// The drawing style of a panel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Looks {
    Lines,
    /// Stacked, each limit in its colour.
    Limits,
}

/// The dashboard as JSON that Grafana 10 or newer imports.
pub fn dashboard(words: &Catalogue) -> Value {
    let mut at = 0;
    let panels: Vec<Value> = panels(words)
        .into_iter()
        .enumerate()
        .map(|(index, panel)| {
            let place = json!({ "x": at % WIDTH, "y": at / WIDTH * HEIGHT, "w": panel.width, "h": HEIGHT });
            at += panel.width;
            panel.drawn(index + 1, &place, words)
        })
        .collect();
    json!({
        "uid": "tcpwhy",
        "title": words.word("dashboard-title"),
        "description": words.word("dashboard-about"),
        "tags": ["tcp", "tcpwhy"],
        "schemaVersion": 39,
        "editable": true,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": { "from": "now-1h", "to": "now" },
        "templating": { "list": [
            { "name": "datasource", "label": words.word("dashboard-datasource"), "type": "datasource", "query": "prometheus" },
            choice("instance", &words.word("dashboard-instance"), &format!("label_values({}, instance)", of(Metric::Exporter))),
            choice("process", &words.word("dashboard-process"), &format!("label_values({}{HOSTS}, process)", of(Metric::Connections))),
            choice("port", &words.word("dashboard-port"), &format!("label_values({}{HOSTS}, port)", of(Metric::Connections))),
        ] },
        "panels": panels,
    })
}

fn choice(name: &str, label: &str, query: &str) -> Value {
    json!({
        "name": name, "label": label, "type": "query", "query": { "query": query, "refId": name }, "definition": query,
        "datasource": source(), "refresh": 2, "sort": 1, "multi": true, "includeAll": true, "allValue": ".*",
        "current": { "text": "All", "value": "$__all" },
    })
}

fn source() -> Value {
    json!({ "type": "prometheus", "uid": "${datasource}" })
}

/// The name of a metric's samples.
fn of(metric: Metric) -> String {
    metric.definition().sample()
}

fn rate(metric: Metric, selection: &str) -> String {
    format!("rate({}{selection}[$__rate_interval])", of(metric))
}

fn panels(words: &Catalogue) -> Vec<Panel> {
    use Looks::{Limits, Lines};
    const BY_PROGRAM: &str = "process, role, port";
    let sum_by = |by: &str, what: &str| format!("sum by ({by}) ({what})");
    let most = |what: &str| format!("topk({MOST}, {what})");
    let who = || "{{process}} {{role}} :{{port}}".to_owned();
    let by_program = |metric| most(&sum_by(BY_PROGRAM, &rate(metric, CHOSEN)));
    let now_by_program = |metric| most(&sum_by(BY_PROGRAM, &format!("{}{CHOSEN}", of(metric))));
    let quantile = |share: &str| {
        let buckets = sum_by("le", &rate(Metric::RoundTripSeconds, CHOSEN));
        (format!("histogram_quantile({share}, {buckets})"), format!("p{}", &share[2..]))
    };
    let on_host = |query: String, word: &str| (query, format!("{{{{instance}}}} {}", words.word(word)));
    let busy = rate(Metric::LimitSeconds, CHOSEN_BUSY);
    let retransmitted = format!(
        "{} / ({} > 0)",
        sum_by(BY_PROGRAM, &rate(Metric::RetransmittedBytes, CHOSEN)),
        sum_by(BY_PROGRAM, &rate(Metric::SentBytes, CHOSEN))
    );
    let lines = |id, unit, width, queries| Panel { id, unit, width, look: Lines, queries };
    let limits = vec![(format!("{} / scalar(sum({busy}))", sum_by("limit", &busy)), "{{limit}}".to_owned())];
    vec![
        Panel { id: "dashboard-limits", unit: "percentunit", width: 12, look: Limits, queries: limits },
        lines("dashboard-lost", "none", 12, vec![(by_program(Metric::LostSeconds), who())]),
        lines("dashboard-sent", "Bps", 8, vec![(by_program(Metric::SentBytes), who())]),
        lines("dashboard-received", "Bps", 8, vec![(by_program(Metric::ReceivedBytes), who())]),
        lines("dashboard-connections", "none", 8, vec![(now_by_program(Metric::Connections), who())]),
        lines("dashboard-round-trip", "s", 8, ["0.50", "0.95", "0.99"].map(quantile).into()),
        lines("dashboard-retransmitted", "percentunit", 8, vec![(most(&retransmitted), who())]),
        lines("dashboard-zero-window", "none", 8, vec![(by_program(Metric::ZeroWindowSeconds), who())]),
        lines("dashboard-queued", "bytes", 12, vec![(now_by_program(Metric::QueuedBytes), who())]),
        lines("dashboard-unread", "bytes", 12, vec![(now_by_program(Metric::UnreadBytes), who())]),
        lines(
            "dashboard-memory",
            "none",
            12,
            vec![
                on_host(rate(Metric::MemoryPressureEvents, HOSTS), "dashboard-series-pressure"),
                on_host(rate(Metric::ReceivePruned, HOSTS), "dashboard-series-pruned"),
            ],
        ),
        lines(
            "dashboard-exporter",
            "none",
            12,
            vec![
                on_host(rate(Metric::CpuSeconds, HOSTS), "dashboard-series-cpu"),
                on_host(format!("{}{HOSTS}", of(Metric::LookIntervalSeconds)), "dashboard-series-interval"),
                on_host(format!("{}{HOSTS}", of(Metric::FoldedSeries)), "dashboard-series-folded"),
            ],
        ),
    ]
}

impl Panel {
    fn drawn(&self, number: usize, place: &Value, words: &Catalogue) -> Value {
        let targets: Vec<Value> = self
            .queries
            .iter()
            .zip('A'..)
            .map(|((query, name), letter)| {
                json!({ "refId": letter.to_string(), "datasource": source(), "expr": query, "legendFormat": name })
            })
            .collect();
        let (fill, stacking) = if self.look == Looks::Limits { (80, "normal") } else { (5, "none") };
        let mut defaults = json!({
            "unit": self.unit, "min": 0,
            "custom": { "fillOpacity": fill, "lineWidth": 1, "showPoints": "never", "stacking": { "mode": stacking, "group": "A" } },
        });
        if self.look == Looks::Limits {
            defaults["max"] = json!(1);
        }
        let overrides: Vec<Value> = if self.look == Looks::Limits {
            Limit::ALL.into_iter().map(|limit| limit_override(limit, words)).collect()
        } else {
            Vec::new()
        };
        json!({
            "id": number, "type": "timeseries", "gridPos": place, "datasource": source(),
            "title": words.word(self.id), "description": words.word(&format!("{}-about", self.id)),
            "fieldConfig": { "defaults": defaults, "overrides": overrides },
            "options": {
                "legend": { "displayMode": "list", "placement": "bottom", "showLegend": true },
                "tooltip": { "mode": "multi", "sort": "desc" },
            },
            "targets": targets,
        })
    }
}

fn limit_override(limit: Limit, words: &Catalogue) -> Value {
    json!({
        "matcher": { "id": "byName", "options": limit.id() },
        "properties": [
            { "id": "displayName", "value": Wording::new(words).live_cause(Cause::plain(limit)) },
            { "id": "color", "value": { "mode": "fixed", "fixedColor": look(limit).light } },
        ],
    })
}
