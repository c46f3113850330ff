use super::*;

/// A summary of a parsed line: the kind of message, or the id and code of the error.
fn brief(line: &[u8]) -> String {
    match heard(line) {
        Heard::Request { id, is_ping, .. } => format!("request {id}{}", if is_ping { " ping" } else { "" }),
        Heard::Notification(_) => "notification".to_owned(),
        Heard::Refused(answer) => format!("{} {}", answer["id"], answer["error"]["code"]),
        Heard::Nothing => "nothing".to_owned(),
    }
}

#[test]
fn each_line_is_a_message_or_has_its_error() {
    let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
    let nested = [br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":"#, &deep[..], b"}"].concat();
    let cases: &[(&str, &[u8], &str)] = &[
        ("a request", br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, "request 1"),
        ("a ping", br#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#, "request a ping"),
        ("the other end of line", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r", "request 1 ping"),
        ("a byte order mark", b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", "request 1 ping"),
        ("an unknown method", br#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, "request 1"),
        ("a key twice", br#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, "request 2 ping"),
        ("nothing", b"", "nothing"),
        ("spaces", b" \t\r", "nothing"),
        ("a notification", br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "notification"),
        ("an answer", br#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "nothing"),
        ("half a line", br#"{"jsonrpc":"2.0","id":1,"#, "null -32700"),
        ("a lone surrogate", br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\ud800"}}"#, "null -32700"),
        ("broken UTF-8", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", "null -32700"),
        ("a NUL byte", b"{\"jsonrpc\":\"2.0\",\0\"id\":1,\"method\":\"ping\"}", "null -32700"),
        ("deep arrays", &deep, "null -32700"),
        ("deep parameters", &nested, "null -32700"),
        ("a number beyond all", br#"{"jsonrpc":"2.0","id":1e999,"method":"ping"}"#, "null -32700"),
        ("a batch", br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, "null -32600"),
        ("an empty batch", b"[]", "null -32600"),
        ("a text", br#""ping""#, "null -32600"),
        ("another version", br#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, "1 -32600"),
        ("no version", br#"{"id":1,"method":"ping"}"#, "1 -32600"),
        ("no method", br#"{"jsonrpc":"2.0","id":1}"#, "1 -32600"),
        ("a method that is none", br#"{"jsonrpc":"2.0","id":1,"method":7}"#, "1 -32600"),
        ("a null id", br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, "null -32600"),
        ("an id that is none", br#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, "null -32600"),
        ("half an id", br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, "1.5 -32600"),
        ("an id that is too large", br#"{"jsonrpc":"2.0","id":9223372036854775808,"method":"ping"}"#, "9223372036854775808 -32600"),
        ("parameters by position", br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["why"]}"#, "1 -32602"),
        ("a tool that is no text", br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#, "1 -32602"),
        ("no parameters", br#"{"jsonrpc":"2.0","id":1,"method":"resources/read"}"#, "1 -32602"),
        ("a client without a name", br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{}}}"#, "1 -32602"),
        ("a wrong notification", br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}"#, "nothing"),
    ];
    for (what, line, expected) in cases {
        let said = brief(line);
        let is_it =
            said == *expected || (*expected == "nothing" && said == "notification" && what.starts_with("a wrong"));
        assert!(is_it, "{what}: {said}, not {expected}");
    }
}

#[test]
fn an_error_names_what_is_wrong() {
    let said = |line: &[u8]| match heard(line) {
        Heard::Refused(answer) => answer["error"]["message"].as_str().unwrap_or_default().to_owned(),
        other => panic!("{other:?}"),
    };
    assert!(said(br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#).starts_with("name "));
    let hello = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"x","capabilities":{},"clientInfo":{"name":"a"}}}"#;
    assert!(said(hello).contains("version"), "{}", said(hello));
    assert!(said(b"ab\xff").contains("byte 2"));
}
