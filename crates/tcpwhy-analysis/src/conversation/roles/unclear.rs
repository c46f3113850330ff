//! An answer or news: a message long after a request, if its ends often send unrequested messages. The role
//! is also unclear in these cases:
//! - a late message without a status line, if answers begin with one;
//! - a message that comes later than any program waits for;
//! - the first message, if the capture started mid-connection: it may be the end of an answer;
//! - other messages, if both ends answer with status lines, as in SIP: they are requests of the server.

use tcpwhy_model::Record;

use super::Scene;
use crate::thresholds::AWAITED_MOST;

pub(super) fn holds(scene: &Scene<'_>) -> bool {
    is_first_seen(scene) || is_late_like_news(scene) || is_request_of_server(scene)
}

fn is_first_seen(scene: &Scene<'_>) -> bool {
    scene.learnt.before.is_none()
}

fn is_late_like_news(scene: &Scene<'_>) -> bool {
    let waited = scene.message.waited();
    let is_like_news = scene.speaks_unasked() || lacks_status_line(scene);
    waited >= AWAITED_MOST.get() || waited >= scene.long_rest() && is_like_news
}

/// Whether it has no status line although other answers had one and no tunnel hides them.
fn lacks_status_line(scene: &Scene<'_>) -> bool {
    let lines = scene.learnt.status_lines[scene.message.speaker.index()];
    lines > 0 && !scene.learnt.has_tls && scene.message.record != Record::StatusLine
}

fn is_request_of_server(scene: &Scene<'_>) -> bool {
    scene.learnt.status_lines.iter().all(|&count| count > 0) && scene.message.record != Record::StatusLine
}
