//! `tcpwhy -i INTERFACE` on systems without it: an error.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tcpwhy_report::Wording;

use crate::message::failure;
use crate::output::Keep;
use crate::predicate::Expression;
use crate::wrong::{Result, bail};

/// Never created on this system.
pub(crate) struct InterfaceStream(std::convert::Infallible);

impl InterfaceStream {
    /// Fails: this system does not support it.
    pub(crate) fn open(
        _: &str,
        _: Option<Expression>,
        _: Option<Keep<'_>>,
        _: Arc<AtomicBool>,
        _: Wording<'_>,
    ) -> Result<Self> {
        bail!(failure("interface-elsewhere"))
    }
}

impl Read for InterfaceStream {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        match self.0 {}
    }
}
