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
        /// Routers, links, firewalls between them.
        Network = "network",
        /// How the capture was taken.
        Capture = "capture",
        /// The program that has the socket, on the host that was looked at.
        Application = "application",
        /// The kernel settings of the host that was looked at.
        Host = "host",
    }
}
