//! Both ends of a transfer: namespaces, interfaces, settings.

use std::fs::File;
use std::net::IpAddr;

use crate::interface::{self, configure_interface};
use crate::namespace::Namespace;
use crate::os::open_tap;
use crate::{LabError, netem};
use tcpwhy_scenario::{End, LinkKind, Scenario};

/// Two network namespaces with one configured device each. [`Emulator`](crate::Emulator) moves frames between
/// the two devices.
#[derive(Debug)]
pub struct Ends {
    namespaces: [Namespace; 2],
    between: Between,
    ip_version: u8,
}

/// The path between the two ends.
#[derive(Debug)]
pub(crate) enum Between {
    /// The file descriptors of the ends' TAP devices.
    Taps([File; 2]),
    /// The kernel's own devices, which exist as long as their namespace.
    #[expect(dead_code, reason = "held, not used")]
    Wire(Namespace),
}

impl Ends {
    /// Creates both ends as the scenario describes them.
    pub fn new(scenario: &Scenario) -> Result<Self, LabError> {
        let ip_version = scenario.ip_version;
        if scenario.link.kind == LinkKind::Netem {
            let (namespaces, wire) = netem::connect(scenario)?;
            return Ok(Self { namespaces, between: Between::Wire(wire), ip_version });
        }
        let (sender, sender_tap) = make(scenario, End::Sender)?;
        let (receiver, receiver_tap) = make(scenario, End::Receiver)?;
        let between = Between::Taps([sender_tap, receiver_tap]);
        Ok(Self { namespaces: [sender, receiver], between, ip_version })
    }

    /// The namespace in which this end's programs run.
    pub const fn namespace(&self, end: End) -> &Namespace {
        &self.namespaces[end.index()]
    }

    /// Its interface.
    pub const fn device(&self, end: End) -> &'static str {
        interface::device(end)
    }

    /// Its address.
    pub const fn address(&self, end: End) -> IpAddr {
        interface::address(self.ip_version, end)
    }

    pub(crate) const fn between(&self) -> &Between {
        &self.between
    }
}

fn make(scenario: &Scenario, end: End) -> Result<(Namespace, File), LabError> {
    let namespace = Namespace::new().map_err(LabError::Namespace)?;
    let tap = namespace.run(|| configure(scenario, end)).map_err(LabError::Namespace)??;
    Ok((namespace, tap))
}

/// Creates and configures an end's device; runs in the end's namespace.
fn configure(scenario: &Scenario, end: End) -> Result<File, LabError> {
    let name = interface::device(end);
    let spec = scenario.end(end);
    let tap = open_tap(name, spec.offload).map_err(LabError::Tap)?;
    configure_interface(scenario, end, false)?;
    Ok(tap)
}
