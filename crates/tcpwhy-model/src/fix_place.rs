//! Where a fix is made.

use crate::listed::listed;

listed! {
    /// Where a fix is made.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum FixPlace {
        /// The sending host's application.
        SendingApplication = "sending-application",
        /// The receiving host's application.
        ReceivingApplication = "receiving-application",
        /// The sending host's kernel settings.
        SendingHost = "sending-host",
        /// The receiving host's kernel settings.
        ReceivingHost = "receiving-host",
        /// Routers, links and firewalls between the hosts.
        Network = "network",
        /// The way in which the capture is taken.
        Capture = "capture",
        /// The program that owns the socket, on the observed host.
        Application = "application",
        /// The kernel settings of the observed host.
        Host = "host",
    }
}
