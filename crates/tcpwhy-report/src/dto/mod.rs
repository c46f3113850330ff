//! The JSON contract, schema `tcpwhy/1`: plain data, made from domain types, never read back by the analysis.
//!
//! Keys carry units, unknown is `null`. Fields may be added within `tcpwhy/1`, never renamed or given another
//! meaning.

mod answer;
mod audit;
mod buffers;
mod capture;
mod compare;
mod connection;
mod document;
mod exchanges;
mod facts;
mod finding;
mod fix;
mod half;
mod id;
mod kernel_half;
mod lab;
mod legs;
mod limit_share;
mod live;
mod live_facts;
mod predicted;
mod presentation;
mod problem;
mod rounded;
mod service;
mod sim;
mod stream;
mod tool;
mod written_fixes;

pub use answer::{Answer, Rival, Then};
pub use audit::{AuditDocument, AuditOrigin};
pub use buffers::BuffersDocument;
pub(crate) use buffers::{Buffer, Figure, GivenWindow, Range as BufferRange, Request as BufferRequest};
pub use capture::Capture;
pub use compare::{CompareDocument, PairDocument};
pub use connection::Connection;
pub use document::{Document, across, across_connections};
pub(crate) use exchanges::Exchanges;
pub use exchanges::{Exchange, ExchangeFacts};
pub use facts::{Fact, FactKind, FactValue, Facts};
pub use finding::Finding;
pub(crate) use finding::{Evidence, EvidenceValue};
pub(crate) use half::Half;
pub use half::{AllHalfFacts, HalfFacts, HalfTerms, HalfTraffic};
pub use id::Id;
pub(crate) use kernel_half::KernelHalf;
pub use lab::{LabDocument, LabFailure};
pub use legs::Relay;
pub(crate) use limit_share::LimitShare;
pub use live::{InTurn, LiveDocument, LiveEvent, LiveGap, LiveHostFacts, LiveInterval, LiveRecord};
pub(crate) use live_facts::LiveFacts;
pub use predicted::PredictDocument;
pub use presentation::Presentation;
pub use problem::Problem;
pub use rounded::rounded;
pub use service::{AllServiceFacts, Service, ServiceFacts, ServiceName, ServiceTraffic};
pub use sim::SimDocument;
pub use stream::{ConnectionExchange, Record};
pub use tool::{SCHEMA, Tool};
pub use written_fixes::WrittenFixes;
