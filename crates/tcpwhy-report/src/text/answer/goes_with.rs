//! Properties that failed connections have in common, one sentence each.

use tcpwhy_analysis::{GoesWith, Property};

use crate::kebab::kebab;
use crate::{Args, Wording};

/// The sentence, such as `12 of 12 connections of client 10.0.0.7 failed, while 0 of 80 of other clients
/// did.`
pub(super) fn goes_with(wording: Wording<'_>, found: &GoesWith) -> String {
    let ((failed, all), (without, rest)) = (found.with, found.without);
    let args = Args::new().number("failed", failed).number("all", all).number("without", without).number("rest", rest);
    let (id, args) = match found.property {
        Property::Client(client) => ("client".to_owned(), args.text("client", client.to_string())),
        Property::Server(server, servers) => {
            let others = servers.saturating_sub(1);
            ("server".to_owned(), args.text("server", server.to_string()).number("others", others))
        }
        Property::Direction(toward) => (format!("direction-{}", kebab(toward.id())), args),
        Property::Size(toward, bytes) => {
            (format!("size-{}", kebab(toward.id())), args.text("bytes", wording.units().bytes(bytes)))
        }
    };
    wording.catalogue().text(&format!("problem-goes-with-{id}"), &args)
}

#[cfg(test)]
mod tests {
    use tcpwhy_analysis::Toward;
    use tcpwhy_model::Endpoint;

    use super::*;
    use crate::{Catalogue, Language};

    /// Each property has a sentence with its counts.
    #[test]
    fn each_property_is_a_sentence() {
        let address = [10, 0, 0, 7].into();
        let server = Endpoint { address, port: 80 };
        let of_ways = [Toward::Server, Toward::Client]
            .into_iter()
            .flat_map(|toward| [Property::Direction(toward), Property::Size(toward, 50_000)]);
        let mut all = vec![Property::Client(address), Property::Server(server, 4)];
        all.extend(of_ways);
        for language in Language::ALL {
            let catalogue = Catalogue::new(language);
            let of = |property| {
                let found = GoesWith::example(property, (12, 13), (0, 80));
                goes_with(Wording::new(&catalogue), &found)
            };
            for property in &all {
                let text = of(*property);
                assert!(["12", "13", "80"].iter().all(|count| text.contains(count)), "{text}");
                assert!(!text.contains(['⟨', '⟩', '{', '}']) && text.ends_with(['.', '。']), "{text}");
                assert!(text.split(' ').count() <= 25, "{text}");
            }
            let texts: std::collections::BTreeSet<_> = all.iter().map(|property| of(*property)).collect();
            assert_eq!(texts.len(), all.len());
            assert!(of(all[0]).contains("10.0.0.7") && of(all[1]).contains("10.0.0.7:80") && of(all[3]).contains("50"));
        }
        let catalogue = Catalogue::new(Language::English);
        assert_eq!(
            goes_with(Wording::new(&catalogue), &GoesWith::example(all[0], (12, 12), (0, 80))),
            "12 of 12 connections of client 10.0.0.7 failed, while 0 of 80 of other clients did."
        );
    }
}
