//! The recent past of one direction in cells, each with its longest cause.

use std::collections::VecDeque;

use tcpwhy_model::{Cause, Detail, Limit, Timestamp};

/// Length of a cell in nanoseconds, and number of cells: 1 minute in cells of 0.1 s, 1 hour in cells of 10 s.
const FINE: (i64, usize) = (100_000_000, 600);
const COARSE: (i64, usize) = (10_000_000_000, 360);

/// The last minute in fine cells and the last hour in coarse ones, in 1 kB of memory.
#[derive(Clone, Debug)]
pub(super) struct History {
    fine: Cells,
    coarse: Cells,
}

impl Default for History {
    fn default() -> Self {
        Self { fine: Cells::new(FINE), coarse: Cells::new(COARSE) }
    }
}

impl History {
    /// Adds the time from `start` to `end` under `cause`; times must be in order.
    pub(super) fn add(&mut self, start: Timestamp, end: Timestamp, cause: Cause) {
        self.fine.add(start.as_nanos(), end.as_nanos(), code(cause));
        self.coarse.add(start.as_nanos(), end.as_nanos(), code(cause));
    }

    /// Renames the time from `start` to `end` that was added as `from` to `to`.
    pub(super) fn rename(&mut self, start: Timestamp, end: Timestamp, from: Cause, to: Cause) {
        if from != to {
            self.fine.rename(start.as_nanos(), end.as_nanos(), code(from), code(to));
            self.coarse.rename(start.as_nanos(), end.as_nanos(), code(from), code(to));
        }
    }

    /// The longest cause in each of `columns` equal parts of the `nanos` before `until`; `None` if nothing is
    /// known.
    pub(super) fn strip(&self, until: Timestamp, nanos: i64, columns: usize) -> Vec<Option<Cause>> {
        self.cells(nanos).strip(until.as_nanos(), nanos, columns)
    }

    /// Time under causes for which `is_mine` is true, within the `nanos` before `until`. Its precision is one
    /// cell.
    pub(super) fn nanos_of(&self, until: Timestamp, nanos: i64, is_mine: impl Fn(Cause) -> bool) -> i64 {
        let cells = self.cells(nanos);
        let last = until.as_nanos().div_euclid(cells.length);
        let first = last - nanos / cells.length;
        let mine = (first + 1..=last).filter(|&index| cells.at(index).is_some_and(&is_mine)).count();
        mine as i64 * cells.length
    }

    /// Time under each cause within the `nanos` before `until`. Its precision is one cell.
    pub(super) fn times(&self, until: Timestamp, nanos: i64) -> Vec<(Cause, i64)> {
        let cells = self.cells(nanos);
        let last = until.as_nanos().div_euclid(cells.length);
        let first = last - nanos / cells.length;
        let mut times: Vec<(Cause, i64)> = Vec::new();
        for cause in (first + 1..=last).filter_map(|index| cells.at(index)) {
            match times.iter_mut().find(|(known, _)| *known == cause) {
                Some((_, time)) => *time += cells.length,
                None => times.push((cause, cells.length)),
            }
        }
        times
    }

    fn cells(&self, nanos: i64) -> &Cells {
        if nanos <= FINE.0 * FINE.1 as i64 { &self.fine } else { &self.coarse }
    }
}

/// The newest cells of one length.
#[derive(Clone, Debug)]
struct Cells {
    length: i64,
    most: usize,
    codes: Codes,
    /// Number of the newest cell, counted from the epoch.
    newest: i64,
    /// Time by code in the newest cell.
    times: Vec<(u8, i64)>,
}

impl Cells {
    const fn new((length, most): (i64, usize)) -> Self {
        Self { length, most, codes: Codes::new(), newest: 0, times: Vec::new() }
    }

    fn add(&mut self, start: i64, end: i64, code: u8) {
        // Older cells would be dropped at once.
        let mut at = start.max(end.saturating_sub(self.length * self.most as i64));
        while at < end {
            let index = at.div_euclid(self.length);
            let until = end.min((index + 1) * self.length);
            self.move_to(index);
            self.count(code, until - at);
            at = until;
            // A long stretch fills all its cells except the last.
            let full = (end - at) / self.length;
            if full > 1 {
                self.fill(code, full - 1);
                at += (full - 1) * self.length;
            }
        }
    }

    /// Adds `count` cells with only `code` after the newest cell, which has ended.
    fn fill(&mut self, code: u8, count: i64) {
        self.codes.extend(code, count as usize);
        self.codes.keep_newest(self.most);
        self.newest += count;
        self.times.clear();
        self.times.push((code, self.length));
    }

    fn rename(&mut self, start: i64, end: i64, from: u8, to: u8) {
        let first = start.div_euclid(self.length).max(self.newest - (self.codes.len() as i64 - 1));
        for index in first..=(end - 1).div_euclid(self.length).min(self.newest) {
            let back = (self.newest - index) as usize;
            if back == 0 {
                let here = end.min((index + 1) * self.length) - start.max(index * self.length);
                self.rename_newest(here, from, to);
            } else if let Some(at) = self.codes.len().checked_sub(back + 1)
                && self.codes.get(at) == Some(from)
            {
                self.codes.set(at, to);
            }
        }
    }

    /// Renames up to `nanos` of the newest cell.
    fn rename_newest(&mut self, nanos: i64, from: u8, to: u8) {
        let Some(time) = self.times.iter_mut().find(|(known, _)| *known == from).map(|(_, time)| time) else { return };
        let moved = nanos.min(*time);
        *time -= moved;
        self.count(to, moved);
    }

    /// Time in the newest cell.
    fn count(&mut self, code: u8, nanos: i64) {
        match self.times.iter_mut().find(|(known, _)| *known == code) {
            Some((_, time)) => *time += nanos,
            None => self.times.push((code, nanos)),
        }
        let most = self.times.iter().max_by_key(|(_, time)| *time).map_or(0, |&(code, _)| code);
        if let Some(last) = self.codes.len().checked_sub(1) {
            self.codes.set(last, most);
        }
    }

    fn move_to(&mut self, index: i64) {
        if self.codes.len() == 0 {
            self.newest = index - 1;
        }
        let skipped = index - self.newest;
        if skipped <= 0 {
            return;
        }
        if skipped > self.most as i64 {
            self.codes.clear();
        } else {
            self.codes.extend(0, skipped as usize - 1);
        }
        self.codes.extend(0, 1);
        self.codes.keep_newest(self.most);
        self.newest = index;
        self.times.clear();
    }

    fn at(&self, index: i64) -> Option<Cause> {
        let back = usize::try_from(self.newest - index).ok()?;
        let at = self.codes.len().checked_sub(back + 1)?;
        cause(self.codes.get(at)?)
    }

    fn strip(&self, until: i64, nanos: i64, columns: usize) -> Vec<Option<Cause>> {
        let last = until.div_euclid(self.length) + 1;
        let count = (nanos / self.length).max(1);
        let columns = columns.max(1) as i64;
        (0..columns)
            .map(|column| {
                let from = last - count + count * column / columns;
                let to = (last - count + count * (column + 1) / columns).max(from + 1);
                let mut found: Vec<(Cause, u32)> = Vec::new();
                for cause in (from..to).filter_map(|index| self.at(index)) {
                    match found.iter_mut().find(|(known, _)| *known == cause) {
                        Some((_, n)) => *n += 1,
                        None => found.push((cause, 1)),
                    }
                }
                found.into_iter().max_by_key(|&(_, n)| n).map(|(cause, _)| cause)
            })
            .collect()
    }
}

/// Codes of consecutive cells. A connection that is idle has equal cells, which need no memory.
#[derive(Clone, Debug)]
struct Codes {
    /// The code of the first cells, and their number.
    same: (u8, usize),
    then: VecDeque<u8>,
}

impl Codes {
    const fn new() -> Self {
        Self { same: (0, 0), then: VecDeque::new() }
    }

    fn len(&self) -> usize {
        self.same.1 + self.then.len()
    }

    fn clear(&mut self) {
        *self = Self::new();
    }

    fn get(&self, at: usize) -> Option<u8> {
        match at.checked_sub(self.same.1) {
            Some(at) => self.then.get(at).copied(),
            None => Some(self.same.0),
        }
    }

    /// Changes the code of an existing cell.
    fn set(&mut self, at: usize, code: u8) {
        let (same, count) = self.same;
        if let Some(at) = at.checked_sub(count) {
            self.then[at] = code;
            // If the cells before it were dropped or have the same code, the only remaining cell joins the
            // equal ones.
            if at == 0 && self.then.len() == 1 && (count == 0 || code == same) {
                self.then.clear();
                self.same = (code, count + 1);
            }
        } else if code != same {
            if at + 1 == count && self.then.is_empty() {
                self.same.1 -= 1;
                self.extend(code, 1);
                return;
            }
            self.then.reserve(count);
            (0..count).for_each(|_| self.then.push_front(same));
            self.then[at] = code;
            self.same.1 = 0;
        }
    }

    fn extend(&mut self, code: u8, count: usize) {
        if self.then.is_empty() && (self.same.1 == 0 || self.same.0 == code) {
            self.same = (code, self.same.1 + count);
        } else {
            self.then.extend(std::iter::repeat_n(code, count));
        }
    }

    fn keep_newest(&mut self, most: usize) {
        let over = self.len().saturating_sub(most);
        let of_same = over.min(self.same.1);
        self.same.1 -= of_same;
        self.then.drain(..over - of_same);
    }
}

/// A cause as one byte; 0 means no cause.
fn code(cause: Cause) -> u8 {
    let details = Limit::ALL.len() + 1;
    match cause.detail {
        Some(detail) => (details + detail as usize) as u8,
        None => cause.limit as u8 + 1,
    }
}

fn cause(code: u8) -> Option<Cause> {
    let code = usize::from(code).checked_sub(1)?;
    match Limit::ALL.get(code) {
        Some(&limit) => Some(Cause::plain(limit)),
        None => Detail::ALL.get(code - Limit::ALL.len()).map(|&detail| detail.into()),
    }
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_nanos(1_795_000_000_000_000_000 + millis * 1_000_000)
    }

    fn letters(strip: &[Option<Cause>]) -> String {
        let letter = |cause: &Option<Cause>| cause.map_or('.', |c| c.limit.id().chars().next().unwrap_or('?'));
        strip.iter().map(letter).collect()
    }

    #[test]
    fn every_cause_has_its_byte() {
        let plain = Limit::ALL.map(Cause::plain);
        for known in plain.into_iter().chain(Detail::ALL.map(Cause::from)) {
            assert_eq!(cause(code(known)), Some(known));
        }
        assert_eq!((cause(0), cause(200)), (None, None));
    }

    #[test]
    fn a_strip_shows_what_had_most() {
        let mut history = History::default();
        let (path, buffer) = (Cause::plain(Limit::Path), Cause::plain(Limit::SendBuffer));
        history.add(at(0), at(130), path);
        history.add(at(130), at(400), buffer);
        // A gap of 0.5 s without samples.
        history.add(at(900), at(1000), path);
        assert_eq!(letters(&history.strip(at(999), 1_000_000_000, 10)), "psss.....p");
        assert_eq!(history.nanos_of(at(999), 1_000_000_000, |c| c == buffer), 300_000_000);
        assert_eq!(letters(&history.strip(at(1999), 2_000_000_000, 2)), "s.");
    }

    #[test]
    fn what_turns_out_to_be_another_cause() {
        let mut history = History::default();
        let [idle, turn] = [Detail::Idle, Detail::PeerTurn].map(Cause::from);
        history.add(at(0), at(100), Cause::plain(Limit::Path));
        history.add(at(100), at(460), idle);
        history.rename(at(100), at(460), idle, turn);
        let shown = history.strip(at(499), 500_000_000, 5);
        assert_eq!(shown, [Some(Cause::plain(Limit::Path)), Some(turn), Some(turn), Some(turn), Some(turn)]);
        assert_eq!(history.nanos_of(at(499), 500_000_000, |c| c == idle), 0);
        // Time that was dropped, and time in the future, does not change.
        history.rename(at(-1_000_000), at(1_000_000), idle, turn);
        history.add(at(460), at(500), idle);
        assert_eq!(history.strip(at(499), 500_000_000, 5)[4], Some(turn));
    }

    #[test]
    fn long_times_cost_no_more_than_is_kept() {
        let mut history = History::default();
        history.add(at(0), at(100_000_000), Cause::plain(Limit::Application));
        assert_eq!((history.fine.codes.len(), history.coarse.codes.len()), (600, 360));
        let strip = history.strip(at(99_999_999), 3_600_000_000_000, 30);
        assert_eq!(letters(&strip), "a".repeat(30));
        history.add(at(200_000_000), at(200_000_001), Cause::plain(Limit::Path));
        assert_eq!(letters(&history.strip(at(200_000_000), 1_000_000_000, 10)), ".........p");
    }

    /// The cells always equal those of a plain list.
    #[test]
    fn codes_are_a_list() {
        const MOST: usize = 7;
        let (mut codes, mut list) = (Codes::new(), VecDeque::new());
        let mut number = 1_u64;
        for step in 0..5000 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let random = (number >> 33) as usize;
            let code = (random % 3) as u8;
            match random / 3 % 4 {
                0 => {
                    let count = random / 12 % 5;
                    codes.extend(code, count);
                    list.extend(std::iter::repeat_n(code, count));
                }
                1 if (random / 12).is_multiple_of(16) => {
                    codes.clear();
                    list.clear();
                }
                _ if !list.is_empty() => {
                    let at = if step % 2 == 0 { list.len() - 1 } else { random / 12 % list.len() };
                    codes.set(at, code);
                    list[at] = code;
                }
                _ => {}
            }
            codes.keep_newest(MOST);
            list.drain(..list.len().saturating_sub(MOST));
            let all: VecDeque<u8> = (0..codes.len()).filter_map(|at| codes.get(at)).collect();
            assert_eq!(all, list, "step {step}");
            assert_eq!(codes.get(codes.len()), None);
        }
    }

    /// A long stretch gives the same cells as its pieces.
    #[test]
    fn long_stretches_are_their_pieces() {
        let cause = [Cause::plain(Limit::Path), Detail::Idle.into(), Cause::plain(Limit::SendBuffer)];
        for length in [99, 100, 101, 250, 1_999, 61_000, 700_000] {
            let [mut whole, mut pieces] = [History::default(), History::default()];
            let mut start = 37;
            for turn in 0..4_usize {
                let end = start + length + turn as i64 * 13;
                whole.add(at(start), at(end), cause[turn % 3]);
                let mut from = start;
                while from < end {
                    let until = end.min(from + 31);
                    pieces.add(at(from), at(until), cause[turn % 3]);
                    from = until;
                }
                start = end;
            }
            for (nanos, columns) in [(60_000_000_000, 600), (3_600_000_000_000, 360)] {
                let strips = [&whole, &pieces].map(|history| history.strip(at(start - 1), nanos, columns));
                assert_eq!(strips[0], strips[1], "{length}");
            }
        }
    }

    /// More columns than cells repeat cells.
    #[test]
    fn few_cells_fill_many_columns() {
        let mut history = History::default();
        history.add(at(0), at(200), Cause::plain(Limit::Path));
        assert_eq!(letters(&history.strip(at(199), 200_000_000, 7)), "ppppppp");
    }
}
