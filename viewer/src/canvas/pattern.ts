// Textures that distinguish limits without colour.

import type { LimitLook } from '../format.js';
import type { Pen } from './ink.js';
import { limitColour, limitInk, type Theme } from './theme.js';

const SIZE = 8;

function strokes(pattern: LimitLook['pattern']): [number, number, number, number][] {
    switch (pattern) {
        case 'diagonal':
            return [
                [-2, 10, 10, -2],
                [-2, 2, 2, -2],
                [6, 10, 10, 6],
            ];
        case 'back_diagonal':
            return [
                [-2, -2, 10, 10],
                [-2, 6, 2, 10],
                [6, -2, 10, 2],
            ];
        case 'cross':
            return [
                [-2, 10, 10, -2],
                [-2, -2, 10, 10],
            ];
        case 'horizontal':
            return [
                [0, 2, 8, 2],
                [0, 6, 8, 6],
            ];
        case 'vertical':
            return [
                [2, 0, 2, 8],
                [6, 0, 6, 8],
            ];
        case 'grid':
            return [
                [0, 4, 8, 4],
                [4, 0, 4, 8],
            ];
        default:
            return [];
    }
}

/** Draws one tile of a limit's texture. */
export function drawTile(context: CanvasRenderingContext2D, look: LimitLook, theme: Theme): void {
    context.fillStyle = limitColour(look, theme);
    context.fillRect(0, 0, SIZE, SIZE);
    context.globalAlpha = 0.24;
    context.strokeStyle = limitInk(look, theme);
    context.fillStyle = context.strokeStyle;
    context.lineWidth = 1;
    if (look.pattern === 'dots') {
        context.fillRect(1, 1, 2, 2);
        context.fillRect(5, 5, 2, 2);
    }
    context.beginPath();
    for (const [x0, y0, x1, y1] of strokes(look.pattern)) {
        context.moveTo(x0, y0);
        context.lineTo(x1, y1);
    }
    context.stroke();
    context.globalAlpha = 1;
}

/** Fill patterns for canvases, created once per limit and background. */
export class Patterns {
    readonly #made = new Map<string, CanvasPattern | string>();

    /** The texture of `look`, as a fill style. */
    fill(context: Pen, look: LimitLook | undefined, theme: Theme): CanvasPattern | string {
        if (!look) return theme.inkSoft;
        const key = `${theme.name} ${look.id}`;
        const known = this.#made.get(key);
        if (known !== undefined) return known;
        const tile = document.createElement('canvas');
        const ratio = Math.max(1, Math.round(window.devicePixelRatio));
        tile.width = SIZE * ratio;
        tile.height = SIZE * ratio;
        const on = tile.getContext('2d');
        let fill: CanvasPattern | string = limitColour(look, theme);
        if (on) {
            on.scale(ratio, ratio);
            drawTile(on, look, theme);
            const pattern = context.createPattern(tile, 'repeat');
            if (pattern) {
                // Tiles are in device pixels, so the scale of the charts is undone.
                pattern.setTransform(new DOMMatrix().scaleSelf(1 / ratio, 1 / ratio));
                fill = pattern;
            }
        }
        this.#made.set(key, fill);
        return fill;
    }
}
