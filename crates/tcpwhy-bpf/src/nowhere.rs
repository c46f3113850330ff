use std::io;

use tcpwhy_model::live::{KernelEvent, UserStack};

use crate::record::Told;
use crate::{Part, Refused};

/// Type without values, because this platform has no BPF.
#[derive(Debug)]
pub enum Accountant {}

#[allow(missing_docs, reason = "as where there is BPF")]
impl Accountant {
    pub fn attach(_: i64, _: bool) -> Result<Self, Refused> {
        Err(Refused::Platform)
    }

    pub fn missing(&self) -> &[(Part, String)] {
        match *self {}
    }

    pub fn has(&self, _: Part) -> bool {
        match *self {}
    }

    pub fn tell(&mut self, _: bool, _: impl FnMut(Told)) -> io::Result<()> {
        match *self {}
    }

    pub fn looks_at_system_calls(&self) -> bool {
        match *self {}
    }

    pub fn rests_from_settings(&self) -> bool {
        match *self {}
    }

    pub fn ends(&mut self, _: impl FnMut(Told)) -> bool {
        match *self {}
    }

    pub fn events(&mut self, _: impl FnMut(KernelEvent, Option<UserStack>)) {
        match *self {}
    }

    pub fn lost_ends(&self) -> u64 {
        match *self {}
    }

    pub fn lost_events(&self) -> u64 {
        match *self {}
    }
}
