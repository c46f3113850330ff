//! The first three lines of a report: their connection, and whether their fix removes the cause.

use tcpwhy_analysis::{Connection, HalfConnection, Side};
use tcpwhy_model::Endpoint;
use tcpwhy_report::lab::{HeadlineSubject, LabHeadline};
use tcpwhy_report::text::{Headline, Overview};
use tcpwhy_scenario::ExpectedFix;

/// Number of connections in an overview; the headline needs only the first.
const LINES: usize = 10;

/// A scenario may open several connections between the same hosts and to the same service. A headline about
/// another one is right too if it moved at least this share of the bytes in the same direction.
const ALIKE: f64 = 0.5;

/// A transfer: a direction of a connection.
pub(crate) type Transfer<'a> = (&'a Connection, &'a HalfConnection);

/// All connections of a capture, ranked as in its report.
pub(crate) fn overview(connections: impl IntoIterator<Item = Connection>) -> Overview {
    let mut overview = Overview::new(LINES);
    for connection in connections {
        overview.add(connection);
    }
    overview.renumber(&|connection| connection.id);
    overview
}

/// Judges the first three lines about `connections`. The transfer of the scenario is `asked`, and the right
/// fixes are `expected`.
pub(crate) fn judge(
    connections: &[Connection],
    asked: Option<Transfer<'_>>,
    expected: Option<&[ExpectedFix]>,
) -> LabHeadline {
    let overview = overview(connections.iter().cloned());
    let headline = overview.headline();
    let is_right = |fix| expected.is_some_and(|expected| expected.iter().any(|right| right.covers(fix)));
    let (first, rival) = headline.map_or((None, None), |headline| (headline.fix, headline.rival));
    let fix = if rival.is_some() && !is_right(first) && is_right(rival) { rival } else { first };
    LabHeadline {
        subject: subject(headline, asked),
        fix: fix.map(|fix| fix.id),
        right_fixes: expected.unwrap_or_default().iter().copied().map(ExpectedFix::id).collect(),
        is_fix_right: expected.map(|_| is_right(fix)),
    }
}

fn subject(headline: Option<Headline<'_>>, asked: Option<Transfer<'_>>) -> HeadlineSubject {
    let (Some(headline), Some(asked)) = (headline, asked) else { return HeadlineSubject::Nobody };
    if headline.connection.id == asked.0.id {
        return if headline.half.sender == asked.1.sender {
            HeadlineSubject::InQuestion
        } else {
            HeadlineSubject::OtherDirection
        };
    }
    let is_same_way =
        way((headline.connection, headline.half)).is_some_and(|way_of_headline| way(asked) == Some(way_of_headline));
    let is_alike = is_same_way && headline.half.bytes as f64 >= ALIKE * asked.1.bytes as f64;
    if is_alike { HeadlineSubject::InQuestion } else { HeadlineSubject::OtherConnection }
}

/// The server, the client's address and the end that sends; `None` if it is not known which side opened the
/// connection.
fn way((connection, half): Transfer<'_>) -> Option<(Endpoint, std::net::IpAddr, bool)> {
    let client: Side = connection.initiator?;
    let [server, client_end] = [client.peer(), client].map(|side| connection.endpoints[side.index()]);
    Some((server, client_end.address, half.sender == client))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::explained::{connections, largest_half};

    /// The connection of a sample of the documentation.
    fn sample(name: &str) -> Connection {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../samples/{name}.pcap.gz"));
        connections(&path).unwrap().remove(0)
    }

    fn fixes(ids: &[&str]) -> Vec<ExpectedFix> {
        ids.iter().map(|id| id.parse().unwrap()).collect()
    }

    #[test]
    fn a_fix_is_right_if_it_is_expected() {
        let all = [sample("send-buffer")];
        let asked = largest_half(&all);
        let is_right = |ids: &[&str]| judge(&all, asked, Some(&fixes(ids))).is_fix_right;
        assert_eq!(is_right(&["raise-so-sndbuf", "remove-so-sndbuf"]), Some(true));
        assert_eq!(is_right(&["raise-so-sndbuf", "none"]), Some(false));
        let judged = judge(&all, asked, None);
        assert_eq!((judged.is_fix_right, judged.fix), (None, Some("remove-so-sndbuf")));
        assert_eq!(judged.subject, HeadlineSubject::InQuestion);
    }

    #[test]
    fn the_subject_is_compared_with_what_is_in_question() {
        let mut buffer = sample("send-buffer");
        buffer.id = 1;
        let subject = |all: &[Connection], id: u64| {
            let asked = all.iter().find(|connection| connection.id == id);
            judge(all, asked.and_then(|asked| largest_half(std::slice::from_ref(asked))), None).subject
        };
        // A headline names the connection with the largest loss of time, here the send buffer's and not a
        // short slow start.
        let mut short = sample("slow-start");
        short.id = 2;
        let client = short.initiator.unwrap();
        short.endpoints[client.peer().index()].port += 1;
        assert_eq!(subject(&[buffer.clone(), short.clone()], 1), HeadlineSubject::InQuestion);
        assert_eq!(subject(&[buffer.clone(), short], 2), HeadlineSubject::OtherConnection);
        assert_eq!(subject(std::slice::from_ref(&buffer), 3), HeadlineSubject::Nobody);

        // One of several connections to the same service; the first of two equal ones leads.
        let mut like = buffer.clone();
        (like.id, like.first_packet) = (2, buffer.first_packet + 1);
        assert_eq!(subject(&[buffer.clone(), like.clone()], 2), HeadlineSubject::InQuestion);
        let half = like.halves.iter_mut().max_by_key(|half| half.bytes).unwrap();
        half.bytes *= 3;
        half.verdict.severity = None;
        assert_eq!(
            subject(&[buffer, like], 2),
            HeadlineSubject::OtherConnection,
            "it is small beside that in question"
        );
    }

    #[test]
    fn the_other_direction_is_not_the_one_in_question() {
        let all = [sample("nagle-delayed-ack")];
        let spoken_of = judge(&all, largest_half(&all), None);
        let subjects: Vec<HeadlineSubject> =
            all[0].halves.iter().map(|half| judge(&all, Some((&all[0], half)), None).subject).collect();
        assert_eq!(subjects.iter().filter(|subject| subject.is_right()).count(), 1, "{spoken_of:?}");
        assert!(subjects.contains(&HeadlineSubject::OtherDirection), "{subjects:?}");
    }
}
