//! `tcpwhy buffers` as a calculator: pure functions of what was typed.

use serde::Serialize;
use tcpwhy_kernel::{
    AutotuningLevel, BufferKind, BufferRequest, Device, KernelVersion, Link, OperatingSystem, Question, Sysctl,
    Sysctls, When, Writer,
};
use tcpwhy_model::{Explained as _, Message, Rate, typed};
use tcpwhy_report::buffers::{Buffers, SettingsOrigin, svg};
use tcpwhy_report::text::{BuffersDetail, Look, buffers_page};
use tcpwhy_report::{Catalogue, Language, Wording, dto};

use crate::request::BuffersQuestion;

/// The kernel that is asked about unless another is named.
const KERNEL: KernelVersion = KernelVersion::series(6, 18);

/// The columns of the text.
const WIDTH: usize = 80;

/// The answer in three forms.
#[derive(Serialize)]
pub(crate) struct Answer {
    document: dto::BuffersDocument,
    text: String,
    svg: String,
}

/// Answers `asked`; fails with a line that says what cannot be read.
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
        svg: svg(wording, &buffers),
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
        assert!(told.text.contains("262,144") && told.svg.starts_with("<svg"), "{}", told.text);
        // The same settings mean more where an administrator allows more.
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
}
