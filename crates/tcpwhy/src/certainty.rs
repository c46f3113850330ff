//! Finds the chosen thresholds that decide a verdict: the packets are analysed again with each threshold
//! changed by a third.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io;

use tcpwhy_analysis::Connection;
use tcpwhy_certainty::sensitivity;
use tcpwhy_engine::{Plan, Reached};
use tcpwhy_model::{Endpoint, Segment};

use crate::inputs::Inputs;
use crate::progress::Progress;

/// Connections per source that are examined, those with the most data, because it is slow.
const CONNECTIONS_MOST: usize = 8;
/// Packets of the longest connection that is examined: they are held in memory and analysed about 50 times.
const PACKETS_MOST: u64 = 50_000;

/// The endpoints of a connection, the lesser first.
type Flow = (Endpoint, Endpoint);

fn flow_of(a: Endpoint, b: Endpoint) -> Flow {
    if a <= b { (a, b) } else { (b, a) }
}

/// Examines the `connections` that `is_wanted` selects, within [`CONNECTIONS_MOST`] and [`PACKETS_MOST`].
pub(crate) fn examine(
    inputs: &Inputs,
    source: usize,
    connections: &mut [Connection],
    is_wanted: impl Fn(&Connection) -> bool,
    is_quiet: bool,
) -> io::Result<()> {
    let is_short = |connection: &Connection| {
        !connection.halves.is_empty() && connection.packets.iter().sum::<u64>() <= PACKETS_MOST
    };
    let mut wanted: Vec<_> = connections.iter_mut().filter(|c| is_short(c) && is_wanted(c)).collect();
    // Connections arrive in no fixed order.
    wanted.sort_by_key(|c| (Reverse(c.halves.iter().map(|half| half.bytes).sum::<u64>()), c.first_packet));
    wanted.truncate(CONNECTIONS_MOST);
    if wanted.is_empty() {
        return Ok(());
    }
    let mut packets: HashMap<Flow, Vec<Segment>> = HashMap::new();
    for connection in &wanted {
        let [a, b] = connection.endpoints;
        packets.entry(flow_of(a, b)).or_default();
    }
    read(inputs, source, &mut packets, is_quiet)?;
    for connection in wanted {
        let [a, b] = connection.endpoints;
        let Some(segments) = packets.get(&flow_of(a, b)) else { continue };
        let Some(examined) = sensitivity::examine(segments, connection.first_packet) else { continue };
        let is_same = connection.halves.len() == examined.len()
            && connection.halves.iter().zip(&examined).all(|(half, examined)| half.verdict.cause == examined.cause);
        // A verdict may differ because it depended on other connections, or because the capture has changed.
        if is_same {
            for (half, examined) in connection.halves.iter_mut().zip(examined) {
                half.verdict.examine(examined.flips);
            }
        }
    }
    Ok(())
}

/// Reads one source and adds its packets to the flows in `packets`.
fn read(inputs: &Inputs, source: usize, packets: &mut HashMap<Flow, Vec<Segment>>, is_quiet: bool) -> io::Result<()> {
    let mut progress = Progress::new(&inputs.name(source), is_quiet);
    let captures = inputs.open(source).map_err(io::Error::other)?;
    let length = inputs.length(source);
    let mut advance = |read, total: Option<u64>| {
        progress.advance(Reached { read, total: total.or(length), connections: 0 });
    };
    let most = usize::try_from(PACKETS_MOST).unwrap_or(usize::MAX);
    let mut take = |batch: &[Segment]| {
        for segment in batch {
            if let Some(flow) = packets.get_mut(&flow_of(segment.source, segment.destination))
                && flow.len() < most
            {
                flow.push(*segment);
            }
        }
        true
    };
    // The first pass has reported unreadable packets.
    tcpwhy_engine::read(captures, &Plan::default(), &mut advance, &mut take)?;
    progress.clear();
    Ok(())
}
