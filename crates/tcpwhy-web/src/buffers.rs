//! `tcpwhy buffers` as a calculator: pure functions of the typed values.

use serde::Serialize;
use tcpwhy_kernel::{
    AutotuningLevel, BufferKind, BufferRequest, Device, KernelVersion, Link, OperatingSystem, Question, Sysctl,
    Sysctls, When, Writer,
};
use tcpwhy_model::{Explained as _, Message, Rate, typed};
use tcpwhy_report::buffers::{Buffers, SettingsOrigin};
use tcpwhy_report::text::{BuffersDetail, Look, buffers_page};
use tcpwhy_report::{Catalogue, Language, Wording, dto};

use crate::curves::{Asked, Curves};
use crate::request::BuffersQuestion;

/// Kernel that is assumed unless another one is named.
const KERNEL: KernelVersion = KernelVersion::series(6, 18);

/// Width of the text, columns.
const WIDTH: usize = 80;

/// The answer in three forms.
#[derive(Serialize)]
pub(crate) struct Answer {
    document: dto::BuffersDocument,
    text: String,
    curves: Curves,
}

/// Answers `asked`; fails with a line about the value that cannot be parsed.
pub(crate) fn answer(asked: &BuffersQuestion) -> Result<Answer, String> {
    let catalogue = Catalogue::new(Language::from_locale(&asked.language));
    computed(asked, &catalogue).map_err(|message| catalogue.message(&message))
}

fn computed(asked: &BuffersQuestion, catalogue: &Catalogue) -> Result<Answer, Message> {
    let system = match asked.kernel.trim() {
        "" => OperatingSystem::Linux(KERNEL),
        kernel => kernel.parse().map_err(|error: tcpwhy_kernel::SystemError| error.message())?,
    };
    let version = system.linux().unwrap_or(KERNEL);
    let mut sysctls = Sysctls::defaults(version);
    let (set, errors) = Sysctls::parse(&asked.settings);
    if let Some(error) = errors.first() {
        return Err(error.message());
    }
    sysctls.merge(set);
    let request = |text: &str| -> Result<Option<BufferRequest>, Message> {
        let Some(text) = given(text) else { return Ok(None) };
        let bytes = typed::buffer_size(text)?;
        Ok(Some(BufferRequest { bytes, is_forced: false, when: When::BeforeConnect }))
    };
    let (sndbuf, rcvbuf) = (request(&asked.sndbuf)?, request(&asked.rcvbuf)?);
    let question = Question {
        version,
        sysctls: &sysctls,
        sndbuf,
        rcvbuf,
        window_clamp: None,
        notsent_lowat: None,
        link: Link {
            has_timestamps: sysctls.number(Sysctl::TcpTimestamps) != Some(0),
            ..Link::new(Link::ETHERNET.mtu, Device::Nic)
        },
        writer: Writer::Any,
        is_bbr: system.linux().is_some()
            && sysctls.words(Sysctl::TcpCongestionControl).is_some_and(|name| name.starts_with("bbr")),
        round_trip_seconds: given(&asked.rtt).map(typed::round_trip_seconds).transpose()?,
        bandwidth: given(&asked.bandwidth).map(typed::bits_per_sec).transpose()?.map(Rate::from_bits_per_sec),
        transfer_bytes: given(&asked.bytes).map(typed::bytes).transpose()?,
        window: given(&asked.window).map(typed::bytes).transpose()?,
        autotuning_level: AutotuningLevel::Normal,
    };
    let kinds: &[BufferKind] = match (sndbuf, rcvbuf) {
        (Some(_), None) => &[BufferKind::Send],
        (None, Some(_)) => &[BufferKind::Receive],
        _ => &[BufferKind::Send, BufferKind::Receive],
    };
    let buffers = Buffers::new(system, SettingsOrigin::Defaults, question, kinds);
    let wording = Wording::new(catalogue);
    let look = Look { width: WIDTH, has_color: false, has_unicode: true };
    let detail = BuffersDetail { is_brief: false, with_steps: false };
    Ok(Answer {
        document: dto::BuffersDocument::new(wording, &buffers),
        text: buffers_page(wording, look, &buffers, detail),
        curves: Curves::of(Asked { system, question, kinds }),
    })
}

fn given(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_and_refusals() {
        let asked = BuffersQuestion {
            rcvbuf: "128KiB".into(),
            rtt: "20ms".into(),
            bandwidth: "1gbit".into(),
            ..BuffersQuestion::default()
        };
        let told = answer(&asked).unwrap();
        assert!(told.text.contains("262,144"), "{}", told.text);
        // The same request has another result if the administrator's settings allow more or less.
        let settings = "net.core.rmem_max = 65536".to_owned();
        assert_ne!(answer(&BuffersQuestion { settings, ..asked.clone() }).unwrap().text, told.text);
        for bad in [
            BuffersQuestion { rtt: "soon".into(), ..asked.clone() },
            BuffersQuestion { rcvbuf: "much".into(), ..asked.clone() },
            BuffersQuestion { kernel: "beos".into(), ..asked.clone() },
            BuffersQuestion { settings: "net.core.rmem_max = x".into(), ..asked },
        ] {
            assert!(answer(&bad).is_err(), "{bad:?}");
        }
    }
    fn curves(asked: &BuffersQuestion) -> serde_json::Value {
        serde_json::to_value(answer(asked).unwrap()).unwrap()["curves"].take()
    }

    /// The curve of `limit` in a chart.
    fn curve<'a>(chart: &'a serde_json::Value, limit: &str) -> Option<&'a serde_json::Value> {
        chart["curves"].as_array().unwrap().iter().find(|curve| curve["limit"] == limit)
    }

    #[test]
    fn curves_pass_through_the_answer() {
        let asked = BuffersQuestion {
            rcvbuf: "256KiB".into(),
            rtt: "20ms".into(),
            bandwidth: "1gbit".into(),
            bytes: "100MB".into(),
            ..BuffersQuestion::default()
        };
        let document = serde_json::to_value(answer(&asked).unwrap()).unwrap();
        let side = &document["document"]["buffers"][0];
        for chart in ["by_round_trip", "by_size"] {
            let chart = &document["curves"][chart];
            let here = &curve(chart, "receive").unwrap()["here"];
            let near = |value: &serde_json::Value, of: &serde_json::Value| {
                (value.as_f64().unwrap() / of.as_f64().unwrap() - 1.0).abs() < 1e-4
            };
            for (i, part) in ["value", "low", "high"].into_iter().enumerate() {
                assert!(near(&here[1][i], &side["rate_bits_per_s"][part]), "{here}");
                assert!(near(&here[2][i], &side["transfer_s"][part]), "{here}");
            }
            let line = curve(chart, "line").unwrap();
            assert_eq!(line["points"][0][1][0], 1e9);
            assert!(curve(chart, "autotuned").is_some() && curve(chart, "send").is_none());
        }
        let doubled = curves(&BuffersQuestion { rtt: "40ms".into(), ..asked.clone() });
        assert_eq!(doubled["by_round_trip"]["here"], 0.04);
        let rate = |curves: &serde_json::Value| curve(&curves["by_size"], "receive").unwrap()["here"][1][0].as_f64();
        assert!(rate(&doubled) < rate(&document["curves"]));
    }

    #[test]
    fn curves_without_a_path_or_a_buffer() {
        // Without a bandwidth there is no line, without bytes no time, and without a round-trip time no curve
        // by size.
        let asked = BuffersQuestion { sndbuf: "64KiB".into(), ..BuffersQuestion::default() };
        let curves_of_none = curves(&asked);
        assert_eq!(curves_of_none["by_size"]["curves"], serde_json::json!([]));
        let send = curve(&curves_of_none["by_round_trip"], "send").unwrap();
        assert!(send["here"].is_null() && send["points"][0][2].is_null());
        assert!(curve(&curves_of_none["by_round_trip"], "line").is_none());
        let windowed = BuffersQuestion { window: "2MiB".into(), rtt: "1s".into(), ..BuffersQuestion::default() };
        let windowed = curves(&windowed);
        let window = curve(&windowed["by_round_trip"], "window").unwrap();
        assert_eq!(window["points"].as_array().unwrap().last().unwrap()[0], 1.0, "the axis reaches what was typed");
        let nobody_knows = BuffersQuestion { kernel: "macos".into(), rtt: "20ms".into(), ..BuffersQuestion::default() };
        assert_eq!(curves(&nobody_knows)["by_round_trip"]["curves"], serde_json::json!([]));
    }
}
