//! Test of each value for both address families, on both ends, and without a connection.

use super::*;

fn ends(sender: &str, receiver: &str, is_sender_server: bool) -> FixEnds {
    let [sender, receiver] = [sender, receiver].map(|end| {
        let end: std::net::SocketAddr = end.parse().unwrap();
        Endpoint { address: end.ip(), port: end.port() }
    });
    FixEnds { sender, receiver, is_sender_server }
}

fn upload() -> FixEnds {
    ends("198.51.100.1:40000", "192.0.2.7:443", false)
}

fn download_ipv6() -> FixEnds {
    ends("[2001:db8::7]:443", "[2001:db8:1::2]:40000", true)
}

fn filled(hole: Hole, ends: &FixEnds, place: FixPlace) -> String {
    LineCode::from(vec![CodePart::Value(hole)]).filled(Some(ends), place).into_owned()
}

#[test]
fn each_value_has_the_form_of_its_command() {
    for (hole, of_upload, of_download) in [
        (Hole::Sender, "198.51.100.1", "2001:db8::7"),
        (Hole::Receiver, "192.0.2.7", "2001:db8:1::2"),
        (Hole::Server, "192.0.2.7", "2001:db8::7"),
        (Hole::Peer, "192.0.2.7", "2001:db8:1::2"),
        (Hole::PeerInUrl, "192.0.2.7", "[2001:db8:1::2]"),
        (Hole::ServerPort, "443", "443"),
        (Hole::ServerAndPort, "192.0.2.7:443", "[2001:db8::7]:443"),
        // No program listens on the port of a client.
        (Hole::ProbeReceiver, "-T -P 443 192.0.2.7", "2001:db8:1::2"),
        (Hole::ProbePeer, "-T -P 443 192.0.2.7", "2001:db8:1::2"),
        (Hole::ProbeServer, "-T -P 443 192.0.2.7", "-T -P 443 2001:db8::7"),
        (Hole::SocketsToReceiver, "'dst 192.0.2.7'", "'dst [2001:db8:1::2]'"),
        (Hole::SocketsHere, "'dst 192.0.2.7 and dport = :443'", "'sport = :443'"),
        (Hole::SynPackets, "tcp[tcpflags] & tcp-syn != 0", "ip6[53] & 2 != 0"),
        (Hole::ResetPackets, "tcp[tcpflags] & tcp-rst != 0", "ip6[53] & 4 != 0"),
        (Hole::FullPing, "1472", "1452"),
        (Hole::TrackedToReceiver, "-d 192.0.2.7", "-f ipv6 -d 2001:db8:1::2"),
    ] {
        assert_eq!(filled(hole, &upload(), FixPlace::SendingHost), of_upload, "{hole:?}");
        assert_eq!(filled(hole, &download_ipv6(), FixPlace::SendingHost), of_download, "{hole:?}");
    }
}

#[test]
fn the_peer_is_seen_from_the_place_of_the_fix() {
    for place in FixPlace::ALL {
        let is_at_receiver = matches!(place, FixPlace::ReceivingApplication | FixPlace::ReceivingHost);
        let expected = if is_at_receiver { "198.51.100.1" } else { "192.0.2.7" };
        assert_eq!(filled(Hole::Peer, &upload(), place), expected, "{place:?}");
        // The server is the receiver of an upload, and the sender of a download.
        assert_eq!(upload().is_at_server(place), is_at_receiver, "{place:?}");
        assert_eq!(download_ipv6().is_at_server(place), !is_at_receiver, "{place:?}");
    }
    // The receiver of a download probes the server, and the receiver of an upload probes a client.
    for (ends, expected) in [(upload(), "198.51.100.1"), (download_ipv6(), "-T -P 443 2001:db8::7")] {
        assert_eq!(filled(Hole::ProbePeer, &ends, FixPlace::ReceivingHost), expected);
    }
    let here = filled(Hole::SocketsHere, &download_ipv6(), FixPlace::ReceivingHost);
    assert_eq!(here, "'dst [2001:db8::7] and dport = :443'");
}

#[test]
fn without_a_connection_placeholders_stay() {
    let line = LineCode::from(&[
        CodePart::Text("mtr "),
        CodePart::Value(Hole::ProbeServer),
        CodePart::Text(" -s "),
        CodePart::Value(Hole::FullPing),
        CodePart::Text(" "),
        CodePart::Blank("RATE"),
        CodePart::Number(7),
    ]);
    assert_eq!(line.unfilled(), "mtr SERVER -s 1472 RATE7");
    assert_eq!(line.missing(None).collect::<Vec<_>>(), ["SERVER", "RATE"]);
    assert_eq!(line.missing(Some(&upload())).collect::<Vec<_>>(), ["RATE"]);
    assert!(line.has_values());
    let same = LineCode::from(&[CodePart::Blank("RATE")]);
    assert!(!same.has_values() && same.missing(None).count() == 1);
    let text = LineCode::from("ss -s");
    assert!(!text.has_values() && text.missing(None).count() == 0 && text.unfilled() == "ss -s");
}
