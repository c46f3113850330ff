import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onKey } from '../../src/charts/keyboard.js';
import { type Change, View } from '../../src/view/view.js';

/** A view whose frames the test runs. */
function setUp(): { view: View; changes: Change[]; frame: () => void } {
    let pending: (() => void) | null = null;
    const changes: Change[] = [];
    const view = new View({ start: 0, end: 10 }, 1e-6, (run) => (pending = run));
    view.listen((change) => changes.push(change));
    return { view, changes, frame: () => pending?.() };
}

test('many changes make one drawing', () => {
    const { view, changes, frame } = setUp();
    view.show({ start: 1, end: 2 });
    view.show({ start: 1, end: 3 });
    view.setCursor(2);
    assert.equal(changes.length, 0);
    frame();
    assert.deepEqual(changes, [{ time: true, cursor: true, limit: false }]);
});

test('nothing changes, nothing is drawn', () => {
    const { view, changes, frame } = setUp();
    view.show({ start: -5, end: 50 });
    view.setCursor(null);
    view.setLimit(null);
    frame();
    assert.deepEqual(changes, []);
});

test('panning stops at the ends with the width kept', () => {
    const { view } = setUp();
    view.show({ start: 1, end: 3 });
    view.pan(-5);
    assert.deepEqual(view.time, { start: 0, end: 2 });
    view.pan(100);
    assert.deepEqual(view.time, { start: 8, end: 10 });
});

test('a span is brought into sight, with its surroundings', () => {
    const { view } = setUp();
    view.show({ start: 0, end: 1 });
    view.reveal({ start: 5, end: 5.2 });
    assert.ok(view.time.start < 5 && view.time.end > 5.2);
    const before = view.time;
    view.reveal({ start: 5, end: 5.2 });
    assert.deepEqual(view.time, before);
    view.reset();
    // Too narrow to be visible in the whole time: the view zooms in on it.
    view.reveal({ start: 7, end: 7.001 });
    assert.ok(view.time.end - view.time.start < 0.1);
});

test('keys act, and leave others alone', () => {
    const { view } = setUp();
    const jumps: number[] = [];
    let helps = 0;
    const actions = { jump: (step: 1 | -1) => jumps.push(step), help: () => helps++ };
    const press = (key: string, more = {}): boolean =>
        onKey({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more }, view, actions);
    assert.ok(press('+'));
    assert.deepEqual(view.time, { start: 2.5, end: 7.5 });
    assert.ok(press('ArrowRight'));
    assert.deepEqual(view.time, { start: 3.5, end: 8.5 });
    assert.ok(press('a'));
    assert.deepEqual(view.time, { start: 2.5, end: 7.5 });
    assert.ok(press('d') && press('w'));
    assert.deepEqual(view.time, { start: 4.75, end: 7.25 });
    assert.ok(press('s'));
    assert.deepEqual(view.time, { start: 3.5, end: 8.5 });
    assert.ok(press('0'));
    assert.ok(view.isWhole);
    press('n');
    press('p');
    press('?');
    assert.deepEqual([jumps, helps], [[1, -1], 1]);
    assert.ok(press('ArrowRight', { shiftKey: true }));
    assert.equal(view.cursor, 5.1);
    press('Escape');
    assert.equal(view.cursor, null);
    // Two fixed cursors: at the pointer, otherwise in the middle.
    view.setCursor(2);
    assert.ok(press('['));
    view.setCursor(null);
    assert.ok(press(']'));
    assert.deepEqual([view.markers, view.marked], [[2, 5], { start: 2, end: 5 }]);
    assert.ok(press('z'));
    assert.deepEqual(view.time, { start: 2, end: 5 });
    assert.ok(press('m'));
    assert.ok(view.isMeasuring);
    press('Escape');
    assert.equal(view.marked, null);
    assert.ok(!press('x'));
    assert.ok(!press('+', { ctrlKey: true }));
});

test('what is wanted is shown as far as it exists; all, where none of it does', () => {
    const { view } = setUp();
    view.fit({ start: 8, end: 12 });
    assert.deepEqual(view.time, { start: 8, end: 10 });
    view.fit({ start: 100, end: 101 });
    assert.deepEqual(view.time, { start: 0, end: 10 });
    view.fit({ start: 2, end: 3 });
    assert.deepEqual(view.time, { start: 2, end: 3 });
});

test('what is shown at first is where a reset goes; from there all of the time is shown', () => {
    const view = new View({ start: 0, end: 100 }, 1e-6, (run) => run(), { start: 0, end: 11 });
    assert.deepEqual(view.time, { start: 0, end: 11 });
    assert.ok(view.isWhole);
    view.show({ start: 2, end: 3 });
    assert.ok(!view.isWhole);
    view.reset();
    assert.deepEqual(view.time, { start: 0, end: 11 });
    view.reset();
    assert.deepEqual(view.time, { start: 0, end: 100 });
    assert.ok(view.isWhole);
});
