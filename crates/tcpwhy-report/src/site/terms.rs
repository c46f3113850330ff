//! Tests of the names of fixes and places, in both languages.

use tcpwhy_analysis::{Analyzer, Side};
use tcpwhy_testkit::Transfer;

use super::*;
use crate::{Args, Catalogue, Language, Wording};
use unicode_width::UnicodeWidthStr as _;

fn site(sender: Option<Side>) -> Site {
    let mut analyzer = Analyzer::new();
    Transfer { bytes: 100_000, ..Transfer::default() }.run().iter().for_each(|segment| analyzer.observe(segment));
    Site::of(&analyzer.finish()[0], sender)
}

#[test]
fn a_connection_is_the_clients_unless_a_direction_is_named() {
    let whole = site(None);
    assert!(!whole.ends.is_sender_server);
    let server = if whole.ends.sender == site(Some(Side::A)).ends.sender { Side::B } else { Side::A };
    assert!(site(Some(server)).ends.is_sender_server);
    assert_eq!(site(Some(server)).ends.server(), whole.ends.receiver);
    assert_eq!(site(Some(server)).ends.client(), whole.ends.sender);
}

#[test]
fn a_server_has_its_port_and_a_client_has_none() {
    let catalogue = Catalogue::new(Language::English);
    let wording = Wording::new(&catalogue);
    let site = site(None);
    let (client, server) = (site.ends.client().address, site.ends.server());
    let nodelay = tcpwhy_advice::set_tcp_nodelay();
    let names = wording.fix_headlines(&nodelay, Some(&site));
    assert_eq!(names, [format!("Set TCP_NODELAY in the program on {client}"), "Set TCP_NODELAY".to_owned()]);
    let names = wording.fix_headlines(&tcpwhy_advice::remove_so_rcvbuf(), Some(&site));
    assert_eq!(
        names,
        [
            format!("Delete the SO_RCVBUF call on {server}"),
            format!("Delete the SO_RCVBUF call on :{}", server.port),
            "Delete the SO_RCVBUF call".to_owned(),
        ]
    );
    // A kernel has no port.
    let name = wording.fix_headline(&tcpwhy_advice::raise_tcp_rmem(1), Some(&site));
    assert_eq!(name, format!("Raise net.ipv4.tcp_rmem on {}", server.address));
    assert_eq!(wording.fix_headlines(&nodelay, None), ["Set TCP_NODELAY"]);
}

/// Room after the label of the third line, at 80 columns.
const ROOM: usize = 75;
/// Most words of a sentence.
const MOST_WORDS: usize = 25;

fn of_usual_addresses() -> Site {
    let end = |address: [u8; 4], port| Endpoint { address: address.into(), port };
    let (sender, receiver) = (end([198, 51, 100, 10], 40_000), end([192, 0, 2, 70], 8080));
    Site { ends: FixEnds { sender, receiver, is_sender_server: false }, server: None }
}

/// The third line is an action with its place, and fits the width. In a narrow terminal the words become
/// fewer, but the prediction stays.
#[test]
fn each_fix_is_an_action_that_fits() {
    for language in Language::ALL {
        let catalogue = Catalogue::new(language);
        let wording = Wording::new(&catalogue);
        let at_best = |name: &str| {
            let args = Args::new().text("fix", name).text("low", "12.5 s").text("now", "45.6 s");
            catalogue.text("answer-at-best-brief", &args)
        };
        let range = |name: &str| {
            let args = Args::new().text("fix", name).text("then", "12.5 s").text("now", "45.6 s");
            catalogue.text("answer-predicted-brief", &args)
        };
        for fix in tcpwhy_advice::testing::every_fix() {
            let names = wording.fix_headlines(&fix, Some(&of_usual_addresses()));
            let (first, last) = (names.first().unwrap(), names.last().unwrap());
            for name in &names {
                assert!(!name.contains('⟨') && !name.contains("{ $"), "{name}");
            }
            assert!(first.width() < ROOM, "{}: {} columns: {first}", fix.id, first.width());
            assert!(first.split(' ').count() <= MOST_WORDS, "{}: {first}", fix.id);
            for told in [at_best(last), range(last)] {
                assert!(told.width() <= ROOM, "{}: {} columns: {told}", fix.id, told.width());
            }
            // Without a connection, no place is named.
            let unknown = wording.fix_headlines(&fix, None);
            let is_without_place = WITHOUT_PLACE.contains(&fix.id);
            assert_eq!(unknown, if is_without_place { &names[..] } else { std::slice::from_ref(last) }, "{}", fix.id);
        }
    }
}

/// Fixes whose place is always the same: the capture, and a device that the packets do not show.
const WITHOUT_PLACE: [&str; 4] =
    ["capture-at-one-place", "disable-offload-note", "larger-snaplen-buffer", "track-liberally"];

#[test]
fn each_fix_names_a_place() {
    let site = of_usual_addresses();
    for language in Language::ALL {
        let catalogue = Catalogue::new(language);
        for fix in tcpwhy_advice::testing::every_fix() {
            let name = Wording::new(&catalogue).fix_headline(&fix, Some(&site));
            let has_place = name.contains("198.51.100.10") || name.contains("192.0.2.70");
            assert_eq!(has_place, !WITHOUT_PLACE.contains(&fix.id), "{}: {name}", fix.id);
        }
    }
}
