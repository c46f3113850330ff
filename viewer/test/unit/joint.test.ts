import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Scale } from '../../src/base/scale.js';
import { Units } from '../../src/base/units.js';
import { Words } from '../../src/base/words.js';
import { Grid } from '../../src/canvas/grid.js';
import { theme } from '../../src/canvas/theme.js';
import type { Frame } from '../../src/charts/frame.js';
import { JointChart } from '../../src/charts/joint.js';
import { HalfModel } from '../../src/data/half.js';
import { checkData, Source } from '../../src/data/source.js';
import { differenceText, ratioText } from '../../src/panels/compared_numbers.js';

const data = checkData(JSON.parse(readFileSync(new URL('../fixtures/three.json', import.meta.url), 'utf8')));
const words = new Words('en', { ...data.messages.en, 'viewer-joint-end': '{letter} · {time}' });
const units = new Units(words);
const light = theme('light');
const given = new Source(data).known(0, 'en').chart?.halves;
assert.ok(given);
const chart = [...given].sort((a, b) => b.timeline.rows - a.timeline.rows)[0];
assert.ok(chart);
/** B is the same transfer, 1 s later. */
const LATER = 1;
const halves = [new HalfModel(chart, data), new HalfModel(chart, data, LATER)] as const;
const end = chart.span.to_s;

interface Rect {
    readonly x: number;
    readonly y: number;
    readonly right: number;
    readonly colour: string;
}

/** Shapes that a chart draws on 1,000 by 200 pixels. */
function drawn(kind: 'bytes' | 'flight'): { rects: Rect[]; texts: { text: string; x: number }[]; time: Scale } {
    const rects: Rect[] = [];
    const texts: { text: string; x: number }[] = [];
    const time = new Scale({ start: 0, end: end + LATER }, 0, 1000);
    const after: (() => void)[] = [];
    const on = {
        font: '',
        measureText: (text: string) => ({ width: text.length * 7 }),
        fillRect: () => {},
        fillText: (text: string, x: number) => texts.push({ text, x }),
    };
    const frame = {
        data,
        words,
        units,
        theme: light,
        ink: {
            clip: () => {},
            rect: (x: number, y: number, width: number, _: number, colour: string) =>
                rects.push({ x, y, right: x + width, colour }),
        },
        on,
        later: (draw: () => void) => after.push(draw),
        half: halves[0],
        grid: new Grid(time, 1),
        time,
        left: 0,
        right: 1000,
        top: 0,
        bottom: 200,
    } as unknown as Frame;
    const sides = [
        { letter: 'A', half: halves[0] },
        { letter: 'B', half: halves[1] },
    ] as const;
    new JointChart(kind, sides, words, units, true).draw(frame);
    for (const draw of after) draw();
    return { rects, texts, time };
}

test('each line ends where its transfer ended, at the same height for the same bytes', () => {
    const { rects, texts, time } = drawn('bytes');
    const of = (colour: string): Rect[] => rects.filter((rect) => rect.colour === colour);
    const [a, b] = [of(light.data), of(light.control)];
    const last = (all: Rect[]): number => Math.max(...all.map((rect) => rect.right));
    assert.ok(Math.abs(last(a) - time.at(end)) <= 2, `A ends at ${last(a)}, not at ${time.at(end)}`);
    assert.ok(last(b) > time.at(end) + 20 && last(b) <= 1001, `B ends at ${last(b)}`);
    const top = (all: Rect[]): number => Math.min(...all.map((rect) => rect.y));
    assert.ok(Math.abs(top(a) - top(b)) < 8, 'one axis of values, up to a gap of B');
    const named = texts.map(({ text }) => text).filter((text) => /^[AB] · /.test(text));
    assert.deepEqual(named, [`A · ${units.seconds(end)}`, `B · ${units.seconds(end + LATER)}`]);
});

test('the lines differ without colour: A is solid, B has gaps', () => {
    const { rects, time } = drawn('bytes');
    const columns = (colour: string): Set<number> => {
        const all = new Set<number>();
        for (const rect of rects.filter((one) => one.colour === colour))
            for (let x = Math.round(rect.x); x < Math.round(rect.right); x++) all.add(x);
        return all;
    };
    const share = (all: Set<number>, from: number, to: number): number =>
        [...all].filter((x) => x >= from && x < to).length / (to - from);
    const middle = [Math.round(time.at(LATER + (end - LATER) * 0.5)), Math.round(time.at(end)) - 4] as const;
    assert.ok(share(columns(light.data), ...middle) > 0.98);
    const dashed = share(columns(light.control), ...middle);
    assert.ok(dashed > 0.5 && dashed < 0.8, `${dashed}`);
});

test('at a moment each key has its own value', () => {
    const sides = [
        { letter: 'A', half: halves[0] },
        { letter: 'B', half: halves[1] },
    ] as const;
    const [a, b] = new JointChart('bytes', sides, words, units, true).keys();
    assert.equal(a?.value?.(end * 0.5), b?.value?.(end * 0.5 + LATER));
    assert.equal(a?.value?.(end + 0.5), null, 'A has ended');
});

test('changes are multiples, shares or counts', () => {
    assert.equal(ratioText(10, 26), '×2.6');
    assert.equal(ratioText(10, 150), '×15');
    assert.equal(ratioText(10, 11.8), '+18%');
    assert.equal(ratioText(10, 6.2), '−38%');
    assert.equal(ratioText(10, 10.01), '=');
    assert.equal(ratioText(0, 5), '');
    assert.equal(ratioText(null, 5), '');
    assert.equal(differenceText(31, 0), '−31');
    assert.equal(differenceText(0, 3), '+3');
    assert.equal(differenceText(3, 3), '=');
});
