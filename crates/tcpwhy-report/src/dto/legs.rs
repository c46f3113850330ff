use serde::Serialize;
use tcpwhy_analysis as analysis;

use crate::dto::{Id, Presentation};
use crate::text::relay_text;

/// Connections to a proxy, tunnel or forwarder that it passes on to one server.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Relay {
    /// From the clients to the relay.
    pub(crate) outer: Leg,
    /// From the relay to the server.
    pub(crate) inner: Leg,
    /// Pairs of an outer and an inner connection.
    pub(crate) pairs: u64,
    /// `outer` or `inner`: the leg that slowed the other one in most pairs; null if neither or both did.
    pub(crate) slower: Option<Id>,
    /// Limit id of the slower leg; null without one.
    pub(crate) limit: Option<Id>,
    /// Detail id of that limit; null without one.
    pub(crate) detail: Option<Id>,
    /// Description in the language asked for; absent without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sentence: Option<String>,
}

/// One side of a relay.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Leg {
    /// IP address of the client; null for several.
    pub(crate) client: Option<String>,
    /// IP address of the server.
    pub(crate) address: String,
    /// TCP port of the server.
    pub(crate) port: u16,
    /// Number of this leg's connection in the largest pair.
    pub(crate) example: u64,
}

impl Relay {
    /// All relays of a capture.
    pub fn all(legs: &analysis::Legs, presentation: Presentation<'_>) -> Vec<Self> {
        legs.relays().iter().map(|relay| Self::new(relay, presentation)).collect()
    }

    /// The relay as it is in JSON.
    pub fn new(relay: &analysis::Relay, presentation: Presentation<'_>) -> Self {
        let leg = |client: Option<std::net::IpAddr>, server: tcpwhy_model::Endpoint, example| Leg {
            client: client.map(|client| client.to_string()),
            address: server.address.to_string(),
            port: server.port,
            example,
        };
        let cause = relay.slower.map(|(_, cause)| cause);
        Self {
            outer: leg(relay.client, relay.outer, relay.example[0]),
            inner: leg(Some(relay.from), relay.inner, relay.example[1]),
            pairs: relay.pairs,
            slower: relay.slower.map(|(leg, _)| leg.id().into()),
            limit: cause.map(|cause| cause.limit.id().into()),
            detail: cause.and_then(|cause| cause.detail).map(|detail| detail.id().into()),
            sentence: presentation.say(|wording| relay_text(wording, relay)),
        }
    }
}
