//! The few statements about `tcp_info` that scripts use.

use std::collections::HashMap;

use super::script::number;
use crate::socket::Socket;

/// Named constants of scripts: `TCP_CA_…` in their order, and others.
const NAMES: [(&str, i64); 6] = [
    ("TCP_CA_Open", 0),
    ("TCP_CA_Disorder", 1),
    ("TCP_CA_CWR", 2),
    ("TCP_CA_Recovery", 3),
    ("TCP_CA_Loss", 4),
    ("TCP_INFINITE_SSTHRESH", 0x7fff_ffff),
];

/// Variables that a script has set.
pub(super) type Variables = HashMap<String, i64>;

/// Runs the statements of `text`. The error names a statement that is false or not supported.
pub(super) fn check(text: &str, socket: &Socket, variables: &mut Variables) -> Result<(), String> {
    for statement in text.lines().flat_map(|line| line.split('#').next().unwrap_or_default().split(';')) {
        let statement = statement.trim();
        if statement.is_empty() || statement.starts_with("print") {
            continue;
        }
        let value = |text: &str, variables: &Variables| expression(text, socket, variables);
        if let Some(claim) = statement.strip_prefix("assert") {
            let claim = claim.split(',').next().unwrap_or_default().trim().trim_matches(|c| "()".contains(c));
            let operator = ["==", "!=", "<=", ">=", "<", ">"].into_iter().find(|operator| claim.contains(operator));
            let operator = operator.ok_or_else(|| format!("not known: {statement}"))?;
            let (left, right) = claim.split_once(operator).unwrap_or_default();
            let (left, right) = (value(left, variables)?, value(right, variables)?);
            let holds = match operator {
                "==" => left == right,
                "!=" => left != right,
                "<=" => left <= right,
                ">=" => left >= right,
                "<" => left < right,
                _ => left > right,
            };
            if !holds {
                return Err(format!("{statement}: it is {left}"));
            }
        } else if let Some((name, text)) = statement.split_once("+=") {
            let more = value(text, variables)?;
            *variables.entry(name.trim().to_owned()).or_default() += more;
        } else if let Some((name, text)) = statement.split_once('=') {
            let new = value(text, variables)?;
            variables.insert(name.trim().to_owned(), new);
        } else {
            return Err(format!("not known: {statement}"));
        }
    }
    Ok(())
}

/// Evaluates a number, a name, or a sum of two.
fn expression(text: &str, socket: &Socket, variables: &Variables) -> Result<i64, String> {
    let text = text.trim();
    if let Some((left, right)) = text.split_once(" + ") {
        return Ok(expression(left, socket, variables)? + expression(right, socket, variables)?);
    }
    let named = NAMES.into_iter().find(|(name, _)| *name == text).map(|(_, value)| value);
    let known = number(text).or(named).or_else(|| variables.get(text).copied()).or_else(|| socket.info(text));
    known.ok_or_else(|| format!("not known: {text}"))
}
