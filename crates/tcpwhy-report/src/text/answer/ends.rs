//! The first line: the ends, bytes and rate, fitted to the width.

use tcpwhy_analysis::answer::{Subject, Totals};
use tcpwhy_analysis::{Connection, Side};
use unicode_width::UnicodeWidthStr as _;

use super::words::Words;
use crate::Args;

/// Shortest form of an end, columns: part of its address, and its port.
const SHORTEST: usize = 16;

impl Words<'_> {
    /// The wordings of the line, such as `192.0.2.10:5001 → 198.51.100.20:48740   4.00 MB in 8.80 s   3.64
    /// Mbit/s`.
    pub(super) fn ends(self, subject: &Subject<'_>) -> Vec<String> {
        let Subject { connection, half, .. } = *subject;
        let exchanges = connection.exchanges.as_deref().filter(|exchanges| exchanges.is_request_response());
        let (units, catalogue) = (self.wording.units(), self.wording.catalogue());
        if let Some(exchanges) = exchanges.filter(|exchanges| exchanges.count > 1) {
            let bytes = connection.bytes();
            let args = Args::new()
                .number("count", exchanges.count)
                .text("bytes", units.bytes(bytes))
                .text("time", units.seconds(connection.span.seconds()));
            let amount = catalogue.text("answer-amount-exchanges", &args);
            return self.between(connection, exchanges.client.peer(), "answer-exchanges", &[amount]);
        }
        let args = Args::new().text("bytes", units.bytes(half.bytes)).text("time", units.seconds(half.span.seconds()));
        let brief = catalogue.text("answer-amount-no-rate", &args);
        let amounts = match half.goodput {
            Some(rate) => {
                let args = args.text("rate", units.bits_per_second(rate.bits_per_sec()));
                vec![catalogue.text("answer-amount", &args), brief]
            }
            None => vec![brief],
        };
        self.between(connection, half.sender, "answer-transfer", &amounts)
    }

    /// The wordings of the line for a connection without data.
    pub(super) fn ends_without_data(self, connection: &Connection) -> Vec<String> {
        let time = self.wording.units().seconds(connection.span.seconds());
        let amount = self.wording.catalogue().text("answer-no-data", &Args::new().text("time", time));
        self.between(connection, connection.server().peer(), "answer-transfer", &[amount])
    }

    /// The two ends, `from` first, and an amount: fullest wording first.
    fn between(self, connection: &Connection, from: Side, id: &str, amounts: &[String]) -> Vec<String> {
        let [first, second] = self.wording.named_ends(connection, from);
        let text = |first: &str, second: &str, amount: &str| {
            let args = Args::new().text("from", first).text("to", second).text("amount", amount);
            self.wording.catalogue().text(id, &args)
        };
        let mut all: Vec<String> =
            amounts.iter().map(|amount| text(&first.to_string(), &second.to_string(), amount)).collect();
        let [first, second] = [first.address(), second.address()];
        all.extend(amounts.iter().map(|amount| text(first, second, amount)));
        // The server in full and the client shortened in the middle; then both shortened.
        let is_server_first = from == connection.server();
        for amount in amounts {
            let room = self.look.width.saturating_sub(self.look.signs(&text("", "", amount)).width());
            let (server, client) = if is_server_first { (first, second) } else { (second, first) };
            let left = room.saturating_sub(server.width());
            let (server, client) = if left >= SHORTEST {
                (server.to_owned(), self.look.shorten(client, left))
            } else if room >= 2 * SHORTEST {
                (self.look.shorten(server, room - SHORTEST), self.look.shorten(client, SHORTEST))
            } else {
                continue;
            };
            all.push(if is_server_first { text(&server, &client, amount) } else { text(&client, &server, amount) });
        }
        all
    }

    /// The wordings of the line for several connections: `130 connections, 285 MB in 30.4 s`.
    pub(super) fn totals(self, totals: Totals) -> Vec<String> {
        let units = self.wording.units();
        let args = Args::new()
            .number("count", totals.connections)
            .text("bytes", units.bytes(totals.bytes))
            .text("time", units.nanos(totals.extent_nanos()));
        vec![self.wording.catalogue().text("answer-connections", &args)]
    }
}
