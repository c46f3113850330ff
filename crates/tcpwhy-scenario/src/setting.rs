//! One value of a scenario set from outside of its file: `sender.sndbuf=auto`, `path.rtt=100ms`.

use serde::Deserialize as _;
use serde_json::Value as Schema;
use tcpwhy_model::foreign::quoted;
use tcpwhy_model::{Message, MessageValue};
use toml::{Table, Value};

use crate::Scenario;
use crate::reference::{SCHEMA, properties, resolved};

/// Takes a key away, so that the default holds.
const DEFAULT: &str = "auto";
/// What a value of both directions replaces in each of them.
const OF_BOTH: [(&str, &str); 3] = [("rate", "rate"), ("queue", "queue"), ("rtt", "delay")];

impl Scenario {
    /// The same scenario with the value of one key replaced. Keys are those of the file with points between
    /// them: `link.forward.loss`, `sender.sysctl.net.ipv4.tcp_wmem`, `work.stream.phases.0.bytes`. `path`
    /// means `link`. `auto` takes the key away. What is set for both directions holds in both, also where
    /// one had its own.
    ///
    /// # Errors
    /// One sentence: an unknown key, with the known ones; a value that its key does not take.
    pub fn with(&self, key: &str, value: &str) -> Result<Self, Message> {
        let schema: Schema = serde_json::from_str(SCHEMA).unwrap_or_default();
        let steps = steps(key, &schema)?;
        // Invariant: what was read can be written.
        let mut table: Table = toml::from_str(&self.to_toml()?).unwrap_or_default();
        let place = |what: Message| Message::new("at").with("place", quoted(key)).with("what", what);
        put(&mut table, &steps, typed(value, &steps)).map_err(place)?;
        let reread = |error: toml::de::Error| match MessageValue::reread(error.message()) {
            MessageValue::Message(message) => message,
            MessageValue::Text(text) => Message::new("other").with("what", text),
        };
        let scenario = Self::deserialize(Value::Table(table)).map_err(|error| place(reread(error)))?;
        scenario.check().map_err(|refusal| place(refusal.into()))?;
        Ok(scenario)
    }
}

/// A step from a table to what is in it.
struct Step<'s> {
    name: String,
    /// What that may be.
    schema: &'s Schema,
    /// A number in an array.
    is_index: bool,
}

/// The way to `key`.
fn steps<'s>(key: &str, root: &'s Schema) -> Result<Vec<Step<'s>>, Message> {
    let key = key.strip_prefix("path.").map_or_else(|| key.to_owned(), |rest| format!("link.{rest}"));
    let (mut all, mut at, mut rest) = (Vec::new(), root, Some(key.as_str()));
    while let Some(left) = rest {
        let (name, after) = left.split_once('.').map_or((left, None), |(name, after)| (name, Some(after)));
        let table = resolved(root, at);
        let known = properties(table);
        let found = known.iter().find(|(known, _)| *known == name).map(|(_, schema)| *schema);
        let step = if let Some(schema) = found {
            Step { name: name.to_owned(), schema, is_index: false }
        } else if let Some(items) = at.get("items").filter(|_| name.parse::<usize>().is_ok()) {
            Step { name: name.to_owned(), schema: items, is_index: true }
        } else if let Some(schema) = table.get("additionalProperties").filter(|more| more.is_object()) {
            // Names of settings have points in them.
            all.push(Step { name: left.to_owned(), schema, is_index: false });
            return Ok(all);
        } else {
            let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
            if all.is_empty() && is_of_ends(name, root) {
                return Err(Message::new("scenario-key-of-ends").with("key", quoted(&key)).with("name", key.as_str()));
            }
            let why = if names.is_empty() { "scenario-key-inside" } else { "scenario-key-unknown" };
            return Err(Message::new(why).with("key", quoted(&key)).with("known", names.join(", ")));
        };
        at = step.schema;
        all.push(step);
        rest = after;
    }
    Ok(all)
}

/// Whether each end has a key of that name.
fn is_of_ends(name: &str, root: &Schema) -> bool {
    let end = properties(root).into_iter().find(|(key, _)| *key == "sender").map(|(_, end)| resolved(root, end));
    end.is_some_and(|end| properties(end).iter().any(|(key, _)| *key == name))
}

/// `text` as what the last step takes; strings are the rule.
fn typed(text: &str, steps: &[Step<'_>]) -> Option<Value> {
    if text == DEFAULT {
        return None;
    }
    let schema = steps.last().map(|step| step.schema);
    let is_of = |name: &str| {
        let kind = schema.and_then(|schema| schema.get("type"));
        kind.is_some_and(|kind| kind == name || kind.as_array().is_some_and(|all| all.iter().any(|one| one == name)))
    };
    let is_written = ["integer", "number", "boolean", "array", "object"].into_iter().any(is_of);
    let is_table = text.starts_with(['{', '[']);
    let read = || toml::from_str::<Table>(&format!("v = {text}")).ok()?.remove("v");
    Some(if is_written || is_table { read() } else { None }.unwrap_or_else(|| Value::String(text.to_owned())))
}

/// Puts `value` where `steps` lead, or takes away what is there.
fn put(table: &mut Table, steps: &[Step<'_>], value: Option<Value>) -> Result<(), Message> {
    if let [link, of_both] = steps
        && link.name == "link"
        && let Some((_, own)) = OF_BOTH.iter().find(|(name, _)| *name == of_both.name)
        && let Some(Value::Table(link)) = table.get_mut("link")
    {
        for direction in ["forward", "back"] {
            if let Some(Value::Table(direction)) = link.get_mut(direction) {
                direction.remove(*own);
            }
        }
    }
    let Some((last, before)) = steps.split_last() else { return Ok(()) };
    let mut at = table;
    let mut before = before.iter().peekable();
    while let Some(step) = before.next() {
        let inner = at.entry(step.name.clone()).or_insert_with(|| Value::Table(Table::new()));
        let inner = match before.peek().filter(|next| next.is_index) {
            None => inner,
            Some(index) => {
                let number = index.name.parse::<usize>().ok();
                before.next();
                let element = inner.as_array_mut().zip(number).and_then(|(array, number)| array.get_mut(number));
                element.ok_or_else(|| Message::new("scenario-key-absent"))?
            }
        };
        at = inner.as_table_mut().ok_or_else(|| Message::new("scenario-key-absent"))?;
    }
    match value {
        Some(value) => drop(at.insert(last.name.clone(), value)),
        None => drop(at.remove(&last.name)),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::{BitRate, Bytes, Nanos, Share, Work, bundled};

    #[test]
    fn values_are_set_by_their_keys() {
        let scenario = bundled::get("sndbuf-16k").unwrap();
        let set = |key, value| scenario.with(key, value).unwrap();
        assert_eq!(set("sender.sndbuf", "auto").sender.sndbuf, None);
        assert_eq!(set("sender.sndbuf", "64KiB").sender.sndbuf, Some(Bytes(65_536)));
        assert_eq!(set("path.rtt", "100ms").link.rtt, Nanos(100_000_000));
        assert_eq!(set("link.forward.loss", "1%").link.forward.loss, Some(Share(0.01)));
        assert_eq!(set("link.forward.lose_data", "[3, 4]").link.forward.lose_data, [3, 4]);
        assert_eq!(set("mtu", "9000").mtu, 9000);
        assert!(!set("sender.nodelay", "false").sender.nodelay);
        let wmem = "sender.sysctl.net.ipv4.tcp_wmem";
        let sysctl = set(wmem, "4096 16384 65536").sender.sysctl;
        assert_eq!(sysctl["net.ipv4.tcp_wmem"], "4096 16384 65536");
        let Work::Stream(stream) = set("work.stream.phases.0.bytes", "22MB").work else { panic!() };
        assert_eq!(stream.phases[0].bytes, Bytes(22_000_000));
    }

    /// Whoever sets the rate of the path means the bottleneck, whichever direction the file gave it to.
    #[test]
    fn both_directions_are_set_at_once() {
        let scenario = bundled::get("sndbuf-16k").unwrap();
        let own = scenario.with("link.forward.rate", "10mbit").unwrap().with("link.back.delay", "7ms").unwrap();
        let set = own.with("path.rate", "1gbit").unwrap().with("path.rtt", "30ms").unwrap();
        assert_eq!((set.link.rate, set.link.forward.rate), (Some(BitRate(1_000_000_000)), None));
        assert_eq!((set.link.rtt, set.link.back.delay), (Nanos(30_000_000), None));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let scenario = bundled::get("sndbuf-16k").unwrap();
        for (key, value, said) in [
            ("sender.sndbf", "auto", "scenario-key-unknown"),
            ("nothing", "1", "scenario-key-unknown"),
            ("congestion_control", "reno", "scenario-key-of-ends"),
            ("mtu.x", "1", "scenario-key-inside"),
            ("work.stream.phases.7.bytes", "1MB", "scenario-key-absent"),
            ("path.rtt", "fast", "at"),
            ("path.rtt", "100s", "at"),
            ("sender.sndbuf", "", "at"),
            ("mtu", "x", "at"),
            ("mtu", "1", "at"),
            ("work", "auto", "at"),
        ] {
            let error = scenario.with(key, value).unwrap_err();
            let text = format!("{error:?}");
            assert!(text.contains(&format!("\"{said}\"")), "{key}={value}: {text}");
        }
        let error = scenario.with("sender.sndbf", "auto").unwrap_err();
        assert!(format!("{error:?}").contains("nodelay, offload"), "{error:?}");
    }
}
