mod common;
use tcpwhy_testkit::*;
#[test]
fn explore() {
    let t = Transfer { receive_buffer: ReceiveBuffer::Fixed(512_000), rate: Some(mbit(20)), window_scale: Some(4), ..Transfer::default() };
    println!("V= {}", common::describe(&common::connection(&t.run())));
}
