import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sketch, VectorInk, VectorPen } from '../../src/canvas/vector.js';

test('rectangles are cut to the clip, and of one look become one path', () => {
    const sketch = new Sketch();
    const ink = new VectorInk(sketch);
    ink.clip(10, 10, 20, 20);
    ink.rect(0, 0, 15, 15, '#0b5cad');
    ink.rect(18, 18, 10, 10, '#0b5cad');
    ink.rect(50, 50, 5, 5, '#0b5cad');
    ink.rect(NaN, 0, 5, 5, '#0b5cad');
    ink.clip();
    ink.rect(1, 2, 3, 4, 'rgba(1, 2, 3, 0.5)', 0.5);
    const svg = sketch.svg(100, 50, 'a < b & "c"', 'en');
    assert.match(svg, /<path fill="#0b5cad" d="M10 10h5v5h-5zM18 18h2v2h-2z"\/>/);
    assert.match(svg, /<path fill="#010203" fill-opacity="0.25" d="M1 2h3v4h-3z"\/>/);
    assert.match(svg, /<title>a &lt; b &amp; &quot;c&quot;<\/title>/);
});

test('text of a capture stays text', () => {
    const sketch = new Sketch();
    const pen = new VectorPen(sketch, {} as CanvasRenderingContext2D);
    pen.font = '600 11px system-ui, "Segoe UI"';
    pen.textAlign = 'right';
    pen.fillStyle = '#ffffff';
    pen.fillText('</text><script>', 5, 6);
    const svg = sketch.svg(10, 10, '', 'en');
    assert.match(
        svg,
        /<text x="5" y="6" font-family="system-ui, &quot;Segoe UI&quot;" font-size="11" font-weight="600" text-anchor="end" fill="#ffffff">&lt;\/text&gt;&lt;script&gt;<\/text>/,
    );
});
