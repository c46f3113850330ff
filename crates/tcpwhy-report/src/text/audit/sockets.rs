//! Sockets with a buffer that their application has set.

use tcpwhy_audit::{BufferSide, SetBuffer};
use tcpwhy_model::Rate;
use unicode_width::UnicodeWidthStr as _;

use super::super::look::{pad, pad_left};
use super::super::page::Page;
use super::super::palette::{DIM, WARNING};
use crate::{Args, Wording};

const COLUMNS: usize = 7;
const TITLES: [&str; COLUMNS] = [
    "audit-column-process",
    "audit-column-side",
    "audit-column-size",
    "audit-column-rtt",
    "audit-column-ceiling",
    "audit-column-autotuned",
    "audit-column-peer",
];
const RTT: usize = 3;
const AUTOTUNED: usize = 5;
const GUTTER: usize = 2;

pub(super) fn write(page: &mut Page, wording: Wording<'_>, buffers: &[SetBuffer], top: usize) {
    if buffers.is_empty() {
        return;
    }
    let catalogue = wording.catalogue();
    page.heading(&catalogue.word("heading-audit-sockets"));
    let look = page.look();
    let clean = |cells: [String; COLUMNS]| cells.map(|c| look.signs(&c).into_owned());
    let mut rows = vec![clean(TITLES.map(|id| catalogue.word(id)))];
    rows.extend(buffers.iter().take(top).map(|b| clean(row(wording, b))));
    let widths: [usize; COLUMNS] = std::array::from_fn(|i| rows.iter().map(|r| r[i].width()).max().unwrap_or_default());
    let needed = |columns: &[usize]| columns.iter().map(|&c| widths[c] + GUTTER).sum::<usize>();
    let mut shown: Vec<usize> = (0..COLUMNS).collect();
    // Columns that follow from the others are dropped first.
    for column in [AUTOTUNED, RTT] {
        if needed(&shown) > look.width {
            shown.retain(|&c| c != column);
        }
    }
    let room = look.width.saturating_sub(needed(&shown[..shown.len() - 1]) + GUTTER).max(12);
    for (i, cells) in rows.iter().enumerate() {
        let mut line = String::from("  ");
        for &column in &shown {
            line.push_str(&match column {
                0 | 1 => pad(&cells[column], widths[column]),
                _ if column == COLUMNS - 1 => look.shorten(&cells[column], room),
                _ => pad_left(&cells[column], widths[column]),
            });
            line.push_str(&" ".repeat(GUTTER));
        }
        let style = match i.checked_sub(1).map(|i| &buffers[i]) {
            None => DIM,
            Some(buffer) if buffer.is_binding => WARNING,
            Some(_) => anstyle::Style::new(),
        };
        let line = page.styled(line.trim_end(), style);
        page.raw(&line);
    }
    if buffers.len() > top {
        let args = Args::new().number("count", (buffers.len() - top) as u64);
        page.wrapped(&catalogue.text("audit-sockets-more", &args), 2, DIM);
    }
}

fn row(wording: Wording<'_>, buffer: &SetBuffer) -> [String; COLUMNS] {
    let catalogue = wording.catalogue();
    let units = wording.units();
    let unknown = || "-".to_owned();
    let rate = |rate: Option<Rate>| rate.map_or_else(unknown, |r| units.bits_per_second(r.bits_per_sec()));
    let process = match buffer.processes.first() {
        Some(p) => format!("{}[{}]", p.name, p.pid),
        None => catalogue.word("audit-nobody"),
    };
    let side = match buffer.side {
        BufferSide::Send => catalogue.word("audit-side-send"),
        BufferSide::Receive => catalogue.word("audit-side-receive"),
    };
    let mut peer = buffer.peer.to_string();
    if buffer.is_binding {
        peer = format!("{peer}  {}", catalogue.word("audit-column-binds"));
    }
    [
        process,
        side,
        units.bytes(buffer.buffer),
        buffer.rtt.map_or_else(unknown, |us| units.seconds(us as f64 / 1e6)),
        rate(buffer.ceiling),
        rate(buffer.autotuned),
        peer,
    ]
}
