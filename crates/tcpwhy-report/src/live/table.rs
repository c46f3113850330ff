//! Connections, a line each, in as many columns as fit.

use tcpwhy_model::host::SocketAddress;
use tcpwhy_model::{Cause, Timestamp};
use tcpwhy_watch::{CauseTime, LiveConnection, added_up, main_cause, share_range};
use unicode_width::UnicodeWidthStr as _;

use super::{Line, Piece, Tone, process_name, strip};
use crate::text::Look;
use crate::text::look::{pad, pad_left};
use crate::{Args, Wording};

/// Between columns.
const GUTTER: usize = 2;
/// A terminal of so many columns shows a strip.
const USUAL: usize = 80;
/// Under this many columns a strip says nothing, over this one nothing more.
const STRIP: (usize, usize) = (10, 60);
/// Between the forms of a cell, the longest first: no text has it, since names that others chose are escaped
/// before.
const FORMS: &str = "\u{1f}";
/// A name cut to less than this is hard to tell from others: that is done for the other columns only, not for
/// a strip.
const MILD: usize = 14;
/// Where there is so much room, whole addresses are shown of this end as well.
const WIDE: usize = 130;

/// A share of the time watched, and the range in which it lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Between 0 and 1.
    pub value: f64,
    /// Low end.
    pub low: f64,
    /// High end.
    pub high: f64,
}

/// A connection, or several that are told together.
pub struct LiveRow<'a> {
    /// Seconds that a change could have saved, for each second.
    pub lost: f64,
    /// What holds it, now or most of the time.
    pub limit: Cause,
    /// Its share of the time, where that is asked for.
    pub share: Option<Share>,
    /// Who has it open, or what the group is called.
    pub name: String,
    /// The two ends; of a group none.
    pub ends: Option<[SocketAddress; 2]>,
    /// How many connections it is.
    pub connections: usize,
    /// Bits per second, both directions.
    pub rate: f64,
    /// Smoothed round trip, µs; of a group the longest.
    pub rtt: Option<u64>,
    /// Nanoseconds of the time shown under each limit, and whether a change could have saved them.
    pub times: Vec<CauseTime>,
    /// What held in each of so many equal parts of the time shown.
    pub strip: Box<dyn Fn(usize) -> Vec<Option<Cause>> + 'a>,
}

impl<'a> LiveRow<'a> {
    /// A connection as it is at `until`, with the last `nanos`.
    pub fn now(connection: &'a LiveConnection, until: Timestamp, nanos: i64, wording: Wording<'_>) -> Self {
        let [first, _] = connection.seen();
        let watched = until.since(first).clamp(1, nanos);
        let [sent, received] = connection.rates();
        Self {
            lost: (connection.lost(until, nanos) * 1e9 / watched as f64).min(1.0),
            // Nothing holds a connection that has ended.
            limit: match connection.limits().totals().first() {
                Some(main) if connection.has_ended() => main.cause,
                _ => connection.limit_now(),
            },
            times: connection.times(until, nanos),
            share: None,
            name: process_name(connection, wording),
            ends: Some([connection.local().clone(), connection.peer().clone()]),
            connections: 1,
            rate: sent.bits_per_sec() + received.bits_per_sec(),
            rtt: connection.socket().info.rtt.filter(|&rtt| rtt > 0),
            strip: Box::new(move |columns| connection.strip(until, nanos, columns)),
        }
    }

    /// A connection over all the time that it was watched.
    pub fn whole(connection: &'a LiveConnection, wording: Wording<'_>) -> Self {
        let [first, last] = connection.seen();
        let nanos = last.since(first).max(1);
        let limits = connection.limits();
        let main = limits.totals().first().copied();
        let seconds = nanos as f64 / 1e9;
        let share = main.map(|total| {
            let value = total.nanos as f64 / limits.span().nanos().max(1) as f64;
            let (low, high) =
                if connection.is_accounted() { (value, value) } else { share_range(value, connection.samples()) };
            Share { value, low, high }
        });
        Self {
            lost: connection.lost_in_all() / seconds,
            limit: main.map_or_else(|| connection.limit_now(), |total| total.cause),
            share,
            rate: (connection.sent() + connection.received()) as f64 * 8.0 / seconds,
            ..Self::now(connection, last, nanos, wording)
        }
    }

    /// Rows that are shown together under `name`, with the limit to name for all of them.
    pub fn group(name: String, rows: Vec<Self>) -> Option<Self> {
        let times = added_up(rows.iter().flat_map(|row| &row.times));
        let limit = main_cause(&times).or_else(|| rows.first().map(|row| row.limit))?;
        Some(Self {
            lost: rows.iter().map(|row| row.lost).sum(),
            limit,
            share: None,
            name,
            ends: None,
            connections: rows.iter().map(|row| row.connections).sum(),
            rate: rows.iter().map(|row| row.rate).sum(),
            rtt: rows.iter().filter_map(|row| row.rtt).max(),
            times,
            strip: Box::new(move |columns| strip::merged(rows.iter().map(|row| (row.strip)(columns)), columns)),
        })
    }
}

/// A column, by what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Lost,
    Limit,
    Name,
    Local,
    Peer,
    Connections,
    Rate,
    Rtt,
}

/// A way to save columns of the terminal.
enum Step {
    Drop(Column),
    Cut(Column, usize),
}

/// Rows, laid out.
#[derive(Clone, Debug)]
pub struct LiveTable {
    /// The titles.
    pub head: Line,
    /// A line for each row.
    pub rows: Vec<Line>,
}

impl LiveTable {
    /// Lays `rows` out in the columns of `look`; `time` is how long the strip lasts, in words.
    pub fn new(rows: &[LiveRow<'_>], look: Look, wording: Wording<'_>, time: &str) -> Self {
        let is_grouped = rows.iter().any(|row| row.ends.is_none());
        let has_shares = rows.iter().any(|row| row.share.is_some());
        let all: Vec<Column> = if is_grouped {
            vec![Column::Lost, Column::Limit, Column::Name, Column::Connections, Column::Rate, Column::Rtt]
        } else {
            vec![Column::Lost, Column::Limit, Column::Name, Column::Local, Column::Peer, Column::Rate, Column::Rtt]
        };
        let words = wording.catalogue();
        let clean = |text: String| {
            let forms: Vec<_> = text.split(FORMS).map(|form| look.signs(form)).collect();
            forms.join(FORMS)
        };
        let titles: Vec<String> = all.iter().map(|&column| clean(words.word(title(column, has_shares)))).collect();
        let cells: Vec<Vec<String>> = rows
            .iter()
            .map(|row| all.iter().map(|&column| clean(cell(row, column, look, wording))).collect())
            .collect();
        let mut widths: Vec<usize> = (0..all.len())
            .map(|i| {
                cells.iter().map(|row| first_form(&row[i]).width()).chain([titles[i].width()]).max().unwrap_or_default()
            })
            .collect();
        let shown = fit(&all, &mut widths, look.width);
        let used = shown.iter().map(|&i| widths[i] + GUTTER).sum::<usize>();
        let strip_width = look.width.saturating_sub(used);
        let strip_width = if strip_width < STRIP.0 { 0 } else { strip_width.min(STRIP.1) };
        let lay = |texts: &[String], tone: &dyn Fn(Column) -> Tone| -> Line {
            shown
                .iter()
                .map(|&i| {
                    // The first form that fits: of a limit there are shorter ones.
                    let forms: Vec<&str> = texts[i].split(FORMS).collect();
                    let fits = forms.iter().find(|form| form.width() <= widths[i]).or(forms.last());
                    let text = look.shorten(fits.copied().unwrap_or_default(), widths[i]);
                    let text = match all[i] {
                        Column::Lost | Column::Rate | Column::Rtt | Column::Connections => pad_left(&text, widths[i]),
                        Column::Limit | Column::Name | Column::Local | Column::Peer => pad(&text, widths[i]),
                    };
                    Piece { text: text + &" ".repeat(GUTTER), tone: tone(all[i]) }
                })
                .collect()
        };
        let mut head = lay(&titles, &|_| Tone::Dim);
        if strip_width > 0 {
            let text = clean(words.text("live-column-strip", &Args::new().text("time", time)));
            // Without the word in front it says as much; a time that is cut says another one.
            let text = if text.width() > strip_width { clean(time.to_owned()) } else { text };
            head.push(Piece { text: look.shorten(&text, strip_width), tone: Tone::Dim });
        }
        let lines = rows.iter().zip(&cells).map(|(row, texts)| {
            let mut line = lay(texts, &|column| match column {
                Column::Limit => Tone::Limit(row.limit.limit),
                _ => Tone::Plain,
            });
            if strip_width > 0 {
                line.extend(strip::pieces(&(row.strip)(strip_width), look));
            }
            line
        });
        Self { rows: lines.collect(), head }
    }
}

fn first_form(cell: &str) -> &str {
    cell.split(FORMS).next().unwrap_or_default()
}

const fn title(column: Column, has_shares: bool) -> &'static str {
    match column {
        Column::Lost => "live-column-lost",
        Column::Limit if has_shares => "live-column-limit-share",
        Column::Limit => "live-column-limit",
        Column::Name => "live-column-process",
        Column::Local => "live-column-local",
        Column::Peer => "live-column-peer",
        Column::Connections => "live-column-connections",
        Column::Rate => "live-column-rate",
        Column::Rtt => "live-column-rtt",
    }
}

fn cell(row: &LiveRow<'_>, column: Column, look: Look, wording: Wording<'_>) -> String {
    let units = wording.units();
    match column {
        Column::Lost => format!("{:.2}", row.lost),
        Column::Limit => {
            let plain = Cause::plain(row.limit.limit);
            let names = [row.limit, plain].map(|cause| wording.live_cause(cause));
            let Some(share) = row.share else { return names.join(FORMS) };
            let with_range = |limit: &String| {
                let args = Args::new()
                    .text("limit", limit)
                    .text("share", units.share(share.value))
                    .text("low", units.share(share.low))
                    .text("high", units.share(share.high));
                // What is known is no range.
                let id = if share.low < share.high { "live-share" } else { "live-share-exact" };
                wording.catalogue().text(id, &args)
            };
            let [full, short] = [&names[0], &names[1]].map(with_range);
            [full, short, format!("{} {}", names[1], units.share(share.value)), names[1].clone()].join(FORMS)
        }
        Column::Name => look.signs(&row.name).into_owned(),
        Column::Local => row.ends.as_ref().map_or_else(String::new, |[local, _]| match local.port {
            Some(port) if look.width < WIDE => format!(":{port}"),
            _ => local.to_string(),
        }),
        Column::Peer => row.ends.as_ref().map_or_else(String::new, |[_, peer]| peer.to_string()),
        Column::Connections => units.count(row.connections as u64),
        Column::Rate => units.bits_per_second(row.rate),
        Column::Rtt => row.rtt.map_or_else(String::new, |rtt| units.seconds(rtt as f64 / 1e6)),
    }
}

/// The columns that fit, by their place, with room for a short strip where that can be. What matters least
/// goes or is cut first.
fn fit(all: &[Column], widths: &mut [usize], width: usize) -> Vec<usize> {
    let mut shown: Vec<usize> = (0..all.len()).collect();
    for step in [
        Step::Cut(Column::Peer, 24),
        Step::Cut(Column::Limit, 30),
        Step::Cut(Column::Name, 20),
        Step::Drop(Column::Local),
        Step::Cut(Column::Limit, 22),
        Step::Drop(Column::Rtt),
        Step::Cut(Column::Peer, 18),
        Step::Cut(Column::Name, 14),
        Step::Cut(Column::Limit, 16),
        Step::Drop(Column::Rate),
        Step::Cut(Column::Name, 8),
        Step::Cut(Column::Peer, 8),
        Step::Drop(Column::Connections),
    ] {
        let needed = shown.iter().map(|&i| widths[i] + GUTTER).sum::<usize>();
        // A strip is worth more than whole names; nothing is worth more than the columns themselves.
        let is_mild = matches!(step, Step::Cut(_, least) if least >= MILD);
        let is_rate = matches!(step, Step::Drop(Column::Rate | Column::Rtt)) && width >= USUAL;
        let wanted = if is_mild || is_rate || width > 100 { needed + STRIP.0 } else { needed };
        let excess = wanted.saturating_sub(width);
        match step {
            _ if excess == 0 => {}
            Step::Drop(column) => shown.retain(|&i| all[i] != column),
            Step::Cut(column, least) => {
                if let Some(i) = all.iter().position(|&other| other == column) {
                    widths[i] = widths[i].min(widths[i].saturating_sub(excess).max(least));
                }
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Detail, Limit};

    use super::*;
    use crate::live::to_text;
    use crate::{Catalogue, Language};

    fn row(lost: f64, limit: impl Into<Cause>, name: &str, peer: &str) -> LiveRow<'static> {
        let limit = limit.into();
        let end = |address: &str, port| SocketAddress { address: address.parse().ok(), zone: None, port: Some(port) };
        LiveRow {
            lost,
            limit,
            share: None,
            name: name.to_owned(),
            ends: Some([end("10.0.186.140", 3306), end(peer, 26_494)]),
            connections: 1,
            rate: 7_030_000.0,
            rtt: Some(20_100),
            times: vec![(limit, (lost * 1e9) as i64, limit.is_removable())],
            strip: Box::new(move |columns| vec![Some(limit); columns]),
        }
    }

    fn rows() -> Vec<LiveRow<'static>> {
        vec![
            row(0.94, Cause::plain(Limit::SendBuffer), "mysqld[812]", "10.0.7.70"),
            row(0.4, Detail::Queue, "a-very-long-name[4194303]", "2001:db8:1234:5678:9abc:def0:1234:5678"),
            row(0.0, Cause::plain(Limit::Unobserved), "-", "10.0.1.4"),
        ]
    }

    #[test]
    fn every_line_fits_from_sixty_columns_on() {
        for language in Language::ALL {
            let catalogue = Catalogue::new(language);
            for width in 60..=250 {
                for has_unicode in [true, false] {
                    let look = Look { width, has_color: false, has_unicode };
                    let table = LiveTable::new(&rows(), look, Wording::new(&catalogue), "60 s");
                    for line in table.rows.iter().chain([&table.head]) {
                        let columns: usize = line.iter().map(|piece| piece.text.width()).sum();
                        let text = to_text(std::slice::from_ref(line), look);
                        assert!(columns <= width.max(text.trim_end().width()), "{width}: {text}");
                        assert!(text.trim_end().width() <= width, "{width}: {text}");
                    }
                }
            }
        }
    }

    #[test]
    fn wide_and_narrow() {
        let catalogue = Catalogue::new(Language::English);
        let text = |width| {
            let look = Look { width, has_color: false, has_unicode: true };
            let table = LiveTable::new(&rows()[..2], look, Wording::new(&catalogue), "60.0 s");
            to_text(&[vec![table.head], table.rows].concat(), look)
        };
        assert!(text(60).contains("send buffer") && text(60).contains("10.0.7.70:26494"), "{}", text(60));
        assert!(text(140).contains("10.0.186.140:3306") && text(140).contains("BBBBBBBBBB"), "{}", text(140));
        assert!(text(140).contains("7.03 Mbit/s") && text(140).contains("20.1 ms"));
    }

    #[test]
    fn a_hostile_name_stays_text() {
        let catalogue = Catalogue::new(Language::English);
        let look = Look { width: 100, has_color: true, has_unicode: true };
        let hostile = [row(0.1, Detail::Queue, "\u{1b}[2J\u{202e}evil", "10.0.7.70")];
        let table = LiveTable::new(&hostile, look, Wording::new(&catalogue), "60 s");
        assert!(table.rows[0].iter().all(|piece| !piece.text.contains(['\u{1b}', '\u{202e}'])), "{:?}", table.rows);
    }

    #[test]
    fn groups_add_up() {
        let group = LiveRow::group("mysqld".to_owned(), rows()).unwrap();
        assert!((group.lost - 1.34).abs() < 1e-9);
        assert_eq!((group.connections, group.limit.limit, group.rtt), (3, Limit::SendBuffer, Some(20_100)));
        assert!(LiveRow::group(String::new(), vec![]).is_none());
        // Many short ones, of which none lost much, add up; what no change saves speaks where nothing else
        // does.
        let shorts = |lost: f64, limit: Cause| (0..93).map(|_| row(lost, limit, "curl", "10.0.0.1")).collect();
        let handshakes = LiveRow::group("curl".to_owned(), shorts(0.04, Cause::plain(Limit::Handshake))).unwrap();
        assert_eq!((handshakes.limit.limit, handshakes.connections), (Limit::Handshake, 93));
        let mut mixed: Vec<LiveRow<'_>> = shorts(0.04, Cause::plain(Limit::Handshake));
        mixed.push(row(0.5, Cause::plain(Limit::SendBuffer), "curl", "10.0.0.1"));
        assert_eq!(LiveRow::group("curl".to_owned(), mixed).unwrap().limit.limit, Limit::SendBuffer);
        let catalogue = Catalogue::new(Language::English);
        let look = Look { width: 100, has_color: false, has_unicode: true };
        let table = LiveTable::new(&[group], look, Wording::new(&catalogue), "60 s");
        assert!(to_text(&[table.head], look).contains("connections"));
    }
}
