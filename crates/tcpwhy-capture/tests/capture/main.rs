//! Tests of the capture reader through its public interface: formats, link types, damage.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod build;
mod changes;
mod damage;
mod files;
mod formats;
mod links;
mod network;
mod properties;
mod traffic;
mod variants;
