import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseColour } from '../../src/canvas/raster.js';
import { limitColour, theme } from '../../src/canvas/theme.js';
import type { ViewData } from '../../src/format.js';

type Rgb = readonly [number, number, number];

/** CIE 1976 L*a*b* (D65, sRGB). */
function lab(colour: Rgb): Rgb {
    const [r, g, b] = colour.map((value) => {
        const c = value / 255;
        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
    const f = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
    const x = f((0.412456 * r + 0.357576 * g + 0.180438 * b) / 0.95047);
    const y = f(0.212673 * r + 0.715152 * g + 0.072175 * b);
    const z = f((0.019334 * r + 0.119192 * g + 0.950304 * b) / 1.08883);
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function apart(a: Rgb, b: Rgb): number {
    const [one, other] = [lab(a), lab(b)];
    return Math.hypot(...one.map((value, i) => value - (other[i] as number)));
}

/** `colour` drawn on `ground`, with `opacity` in addition to its own. */
function on(ground: Rgb, colour: string, opacity = 1): Rgb {
    const { red, green, blue, alpha } = parseColour(colour);
    const share = alpha * opacity;
    return [red, green, blue].map((value, i) => value * share + (ground[i] as number) * (1 - share)) as unknown as Rgb;
}

test('on dark ground the tints of any two limits differ, and from the area of the flight beside them', () => {
    const data = JSON.parse(readFileSync(new URL('../fixtures/three.json', import.meta.url), 'utf8')) as ViewData;
    const dark = theme('dark');
    const ground = on([0, 0, 0], dark.ground);
    const tints = data.limits.map((look) => [look.id, on(ground, limitColour(look, dark), dark.tint)] as const);
    assert.ok(tints.length >= 16);
    tints.push(['flight', on(ground, dark.flightArea)], ['ground', ground]);
    for (const [i, [name, tint]] of tints.entries())
        for (const [other, beside] of tints.slice(i + 1))
            assert.ok(apart(tint, beside) >= 10, `${name} and ${other}: ${apart(tint, beside).toFixed(1)}`);
});
