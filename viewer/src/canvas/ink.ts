// Drawing interface of charts: pixels of the screen, or elements of a saved picture.

/** Draws rectangles, which are below everything else. */
export interface Ink {
    /** Fills a rectangle, at least a pixel wide and high; `opacity` multiplies the colour's own. */
    rect(x: number, y: number, width: number, height: number, colour: string, opacity?: number): void;
    /** Clips later rectangles; without arguments, to the whole area. */
    clip(left?: number, top?: number, right?: number, bottom?: number): void;
}

/** Text and shapes: the part of a canvas' context that charts use. */
export type Pen = Pick<
    CanvasRenderingContext2D,
    | 'font'
    | 'fillStyle'
    | 'strokeStyle'
    | 'lineWidth'
    | 'globalAlpha'
    | 'textAlign'
    | 'textBaseline'
    | 'fillRect'
    | 'fillText'
    | 'measureText'
    | 'beginPath'
    | 'moveTo'
    | 'lineTo'
    | 'closePath'
    | 'fill'
    | 'stroke'
    | 'createPattern'
>;
