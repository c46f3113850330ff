//! The scenarios that come with the program: `scenarios/*.toml`.

use super::Scenario;

/// Each with its text, in the order in which they are listed and run: those that are compared stand together.
macro_rules! scenarios {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../scenarios/", $name, ".toml")))),*]
    };
}

const FILES: &[(&str, &str)] = scenarios!["sndbuf-16k", "sndbuf-auto",];

/// All of them, in order.
pub fn all() -> impl Iterator<Item = Scenario> {
    // Every one reads (tested).
    FILES.iter().filter_map(|(name, text)| Scenario::from_toml(name, text).ok())
}

/// Their names, in order.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// The one called `name`.
pub fn get(name: &str) -> Option<Scenario> {
    let (name, text) = FILES.iter().find(|(known, _)| *known == name)?;
    Scenario::from_toml(name, text).ok()
}

/// The file of the one called `name`.
pub fn text(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
