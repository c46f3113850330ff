use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, BufReader, DuplexStream, ReadHalf, duplex, split};

use super::*;

/// A wire and the client's end of it.
struct Ends {
    wire: Wire<DuplexStream>,
    load: Arc<Load>,
    client: DuplexStream,
    answers: BufReader<ReadHalf<DuplexStream>>,
}

/// Capacity of the pipe, bytes: above all bounds, so that the pipe itself never blocks.
const PIPE: usize = 64 << 20;

fn run<F: Future>(work: impl FnOnce(Ends) -> F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let (client, input) = duplex(PIPE);
        let (output, answers) = duplex(4096);
        let load = Arc::new(Load::default());
        let (mut wire, _writer) = Wire::new(input, output, Arc::clone(&load));
        wire.has_begun = true;
        work(Ends { wire, load, client, answers: BufReader::new(split(answers).0) }).await
    })
}

fn request(id: usize) -> Vec<u8> {
    line_of(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list" }))
}

fn answer(id: usize, bytes: usize) -> ServerJsonRpcMessage {
    let text = "x".repeat(bytes);
    serde_json::from_value(json!({ "jsonrpc": "2.0", "id": id, "result": { "text": text } })).unwrap()
}

fn id_of(message: &ClientJsonRpcMessage) -> Option<i64> {
    serde_json::to_value(message).unwrap()["id"].as_i64()
}

/// The result of `work` within 100 ms.
async fn soon<T>(work: impl Future<Output = T>) -> Option<T> {
    timeout(Duration::from_millis(100), work).await.ok()
}

/// Requests are accepted only while the client reads.
#[test]
fn a_client_that_does_not_read_is_not_read() {
    run(|mut ends| async move {
        let mut taken = 0;
        for id in 0..2000 {
            ends.client.write_all(&request(id)).await.unwrap();
        }
        while let Some(message) = soon(ends.wire.receive()).await {
            assert_eq!(id_of(&message.unwrap()), Some(taken as i64));
            drop(ends.wire.send(answer(taken, 60_000)).await);
            taken += 1;
        }
        assert!((60..80).contains(&taken), "{taken} answers of 60 kB in 4 MiB");
        let mut line = String::new();
        for _ in 0..taken {
            line.clear();
            ends.answers.read_line(&mut line).await.unwrap();
        }
        let next = soon(ends.wire.receive()).await.expect("the client has read").unwrap();
        assert_eq!(id_of(&next), Some(taken as i64), "nothing was lost");
    });
}

/// Invalid lines are answered, too, so these answers must be bounded as well.
#[test]
fn nonsense_is_answered_and_bounded() {
    run(|mut ends| async move {
        let nonsense = vec![b'\n'; 1].into_iter().chain(b"nonsense\n".repeat(100_000)).collect::<Vec<_>>();
        ends.client.write_all(&nonsense).await.unwrap();
        assert!(soon(ends.wire.receive()).await.is_none());
        assert!(!ends.load.has_room() && ends.wire.held_bytes >= MOST_HELD);
        assert!(ends.wire.held_bytes < MOST_HELD + 1000, "{}", ends.wire.held_bytes);
        let mut line = String::new();
        ends.answers.read_line(&mut line).await.unwrap();
        assert!(line.contains("-32700") && line.contains("\"id\":null"), "{line}");
    });
}

/// A call can be cancelled while requests are held, and a held request can be cancelled, too.
#[test]
fn a_cancellation_passes_what_is_held_back() {
    run(|mut ends| async move {
        let cancel = |id| {
            let params = json!({ "requestId": id });
            line_of(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }))
        };
        ends.client.write_all(&request(1)).await.unwrap();
        assert!(soon(ends.wire.receive()).await.is_some());
        ends.load.queued(PIPE);
        for line in [request(2), request(3), cancel(2), cancel(1)] {
            ends.client.write_all(&line).await.unwrap();
        }
        let message = soon(ends.wire.receive()).await.expect("the cancellation").unwrap();
        assert_eq!(cancelled(&message), Some(&RequestId::Number(1)));
        assert!(!ends.load.has_open());
        assert!(soon(ends.wire.receive()).await.is_none());
        ends.load.written(PIPE);
        let message = soon(ends.wire.receive()).await.expect("the other request").unwrap();
        assert_eq!(id_of(&message), Some(3), "request 2 was cancelled");
    });
}

#[test]
fn an_id_has_one_request_at_a_time() {
    run(|mut ends| async move {
        ends.client.write_all(&[request(1), request(1)].concat()).await.unwrap();
        assert!(soon(ends.wire.receive()).await.is_some());
        assert!(soon(ends.wire.receive()).await.is_none());
        let mut line = String::new();
        ends.answers.read_line(&mut line).await.unwrap();
        assert!(line.contains("-32600") && line.contains("\"id\":1"), "{line}");
        drop(ends.wire.send(answer(1, 1)).await);
        ends.client.write_all(&request(1)).await.unwrap();
        assert!(soon(ends.wire.receive()).await.is_some(), "it was answered");
    });
}

/// Before a session, only requests are delivered: the library ends at any other message.
#[test]
fn a_notification_before_the_session_is_passed_over() {
    run(|mut ends| async move {
        ends.wire.has_begun = false;
        let notification = line_of(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        ends.client.write_all(&[notification.clone(), request(1), notification].concat()).await.unwrap();
        assert_eq!(soon(ends.wire.receive()).await.flatten().as_ref().and_then(id_of), Some(1));
        drop(ends.wire.send(answer(1, 1)).await);
        assert!(soon(ends.wire.receive()).await.flatten().is_some(), "a session has begun");
    });
}

#[test]
fn the_end_comes_after_what_was_held_back() {
    run(|mut ends| async move {
        ends.load.queued(PIPE);
        ends.client.write_all(&request(1)).await.unwrap();
        drop(ends.client);
        assert!(soon(ends.wire.receive()).await.is_none(), "nothing yet");
        ends.load.written(PIPE);
        assert_eq!(soon(ends.wire.receive()).await.flatten().as_ref().and_then(id_of), Some(1));
        assert!(soon(ends.wire.receive()).await.expect("the end").is_none());
    });
}
