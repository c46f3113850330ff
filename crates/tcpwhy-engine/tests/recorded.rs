//! Tests of the kernel's data and the packets in a recording of `tcpwhy record`. It has two transfers over
//! loopback: one whose reader pauses, and one that writes a little every 40 ms.
#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

use std::io;
use std::path::Path;

use serde_json::Value;
use tcpwhy_analysis::Connection;
use tcpwhy_capture::CaptureReader;
use tcpwhy_engine::recorded::RecordedSockets;
use tcpwhy_engine::{Delivery, Plan, Source};
use tcpwhy_model::Limit;
use tcpwhy_model::live::RecordingGaps;
use tcpwhy_report::Language;
use tcpwhy_view::data::{Survey, View};
use tcpwhy_view::{Details, Gatherer, Query, Recorded};

fn open(sockets: Option<&mut RecordedSockets>) -> Source {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/recording.pcapng.gz");
    let mut reader = CaptureReader::open(&path).unwrap();
    if let Some(sockets) = sockets {
        sockets.follow(&mut reader);
    }
    Source::Single(Box::new(reader))
}

/// Both connections as `explain` passes them on, and the missing parts of the recording.
fn explained(delivery: Delivery, survey: &mut Survey) -> (Vec<Connection>, RecordingGaps) {
    let mut all = Vec::new();
    let mut sockets = RecordedSockets::default();
    let source = open(Some(&mut sockets));
    let mut tell = |connection: Connection, _| {
        all.push(connection.clone());
        survey.add(connection);
        Ok(())
    };
    let mut present = |connection, number| sockets.present(connection, number, &mut tell);
    let outcome = tcpwhy_engine::run(source, delivery, &Plan::default(), &mut |_| {}, &mut present).unwrap();
    let gaps = sockets.conclude(&mut tell).unwrap();
    survey.end_of_source(Vec::new(), &|connection| outcome.numbering.number(connection, 0));
    all.sort_by_key(|connection| connection.first_packet);
    (all, gaps)
}

#[test]
fn each_connection_is_told_once_with_its_kernel() {
    for delivery in [Delivery::Bulk, Delivery::Prompt, Delivery::Numbered] {
        let (all, gaps) = explained(delivery, &mut Survey::new());
        assert_eq!(gaps, RecordingGaps { packets: 777, ..RecordingGaps::default() });
        assert_eq!(all.len(), 2);
        for (connection, limit) in all.iter().zip([Limit::ReceiveWindow, Limit::Application]) {
            let kernel = connection.kernel.as_ref().unwrap();
            assert_eq!(kernel.sockets.len(), 2, "both ends are on the host");
            let [half] = &kernel.halves[..] else { panic!("{:?}", kernel.halves) };
            assert!(half.kernel.nanos_of(limit) > half.kernel.span().nanos() * 9 / 10, "{limit}");
            assert!(!half.disagrees() && half.clocks.is_some());
        }
    }
}

/// The details of connections that the page does not keep in full.
#[test]
fn a_second_look_hears_the_kernel_too() {
    let mut survey = Survey::new().with_most(10, 1);
    let (all, _) = explained(Delivery::Bulk, &mut survey);
    let kept = survey.entries()[0].connection.first_packet;
    let other = (0..).zip(&all).find(|(_, connection)| connection.first_packet != kept).unwrap().0;
    let mut details = Details::new(View::new(survey, Language::English, None, true), None);
    let look = |_, mut gatherer: Gatherer| -> io::Result<Recorded> {
        let mut sockets = RecordedSockets::default();
        let wants_kernel = gatherer.wants_kernel();
        let source = open(Some(&mut sockets).filter(|_| wants_kernel));
        tcpwhy_engine::read(source, &Plan::default(), &mut |_, _| {}, &mut |batch| gatherer.observe_all(batch))?;
        let mut recorded = gatherer.finish();
        sockets.complete(recorded.iter_mut().flatten().map(|recorded| &mut recorded.connection));
        Ok(recorded.remove(0).unwrap())
    };
    let answer = details.answer(Query { connection: other, stretch: None }, look).unwrap().unwrap();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let connection = &answer["documents"]["en"]["connections"][0];
    assert_eq!((&connection["id"], &connection["source"]), (&other.into(), &"both".into()));
    let first = all[other as usize].kernel.as_ref().unwrap();
    let half = connection["halves"].as_array().unwrap().iter().find(|half| half["kernel"].is_object()).unwrap();
    assert_eq!(half["kernel"]["seconds"], first.halves[0].kernel.span().seconds());
    assert_eq!(half["kernel"]["samples"], first.halves[0].samples);
}
