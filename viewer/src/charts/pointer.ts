// Mouse, pen, touch and wheel events of the charts, translated into actions of the shared view.

import type { Scale } from '../base/scale.js';
import type { View } from '../view/view.js';

/** A drag of fewer pixels is a click. */
const CLICK = 4;

/** Distance in pixels within which a drag moves a cursor. */
const HANDLE = 8;

/** Attaches the pointer to `stage`, whose times are mapped by `scale()`. `onClick` gets the instant that was
 *  clicked. */
export function attachPointer(stage: HTMLElement, view: View, scale: () => Scale, onClick: (time: number) => void): void {
    /** Begins to place the two cursors: moves the one near the pointer, otherwise both begin there. */
    const beginMarks = (clientX: number): void => {
        const near = (time: number | null): boolean => time !== null && Math.abs(scale().at(time) - (clientX - left())) <= HANDLE;
        const [a, b] = view.markers;
        anchor = near(a) && b !== null ? b : near(b) && a !== null ? a : timeAt(clientX);
    };
    const left = (): number => stage.getBoundingClientRect().left;
    const timeAt = (clientX: number): number => {
        const time = scale().invert(clientX - left());
        return Math.min(Math.max(time, view.time.start), view.time.end);
    };
    const touches = new Map<number, number>();
    let drag: { x: number; time: number } | null = null;
    /** Position of the fixed cursor while the other is dragged. */
    let anchor: number | null = null;
    let pan: { x: number; start: number } | null = null;
    let pinch: { width: number; centre: number; time: number; span: number } | null = null;

    stage.addEventListener('pointerdown', (event) => {
        if (event.pointerType === 'touch') {
            touches.set(event.pointerId, event.clientX);
            stage.setPointerCapture(event.pointerId);
            if (touches.size === 1 && view.isMeasuring) {
                drag = { x: event.clientX, time: timeAt(event.clientX) };
                beginMarks(event.clientX);
            } else if (touches.size === 1) {
                pan = { x: event.clientX, start: view.time.start };
                view.setCursor(timeAt(event.clientX));
            } else {
                pan = null;
                drag = null;
                anchor = null;
                pinch = measure();
            }
            return;
        }
        if (event.button === 1 || (event.button === 0 && event.shiftKey)) {
            pan = { x: event.clientX, start: view.time.start };
            event.preventDefault();
        } else if (event.button === 0) {
            drag = { x: event.clientX, time: timeAt(event.clientX) };
            if (view.isMeasuring) beginMarks(event.clientX);
        } else return;
        stage.setPointerCapture(event.pointerId);
    });

    function measure(): typeof pinch {
        const [a, b] = [...touches.values()] as [number, number];
        const centre = (a + b) / 2;
        return {
            width: Math.max(10, Math.abs(a - b)),
            centre,
            time: scale().invert(centre - left()),
            span: view.time.end - view.time.start,
        };
    }

    stage.addEventListener('pointermove', (event) => {
        if (event.pointerType === 'touch') {
            if (!touches.has(event.pointerId)) return;
            touches.set(event.pointerId, event.clientX);
            if (touches.size === 2 && pinch) {
                const now = measure();
                if (!now) return;
                const span = (pinch.span * pinch.width) / now.width;
                const { from, to } = scale();
                const share = (now.centre - left() - from) / (to - from);
                view.show({ start: pinch.time - span * share, end: pinch.time + span * (1 - share) });
            } else if (pan) {
                view.moveTo(pan.start - (event.clientX - pan.x) / scale().factor);
                view.setCursor(timeAt(event.clientX));
            } else if (drag && anchor !== null && Math.abs(event.clientX - drag.x) >= CLICK)
                view.setMarkers(anchor, timeAt(event.clientX));
            return;
        }
        if (pan) view.moveTo(pan.start - (event.clientX - pan.x) / scale().factor);
        view.setCursor(timeAt(event.clientX));
        if (drag && anchor !== null) {
            if (Math.abs(event.clientX - drag.x) >= CLICK) view.setMarkers(anchor, timeAt(event.clientX));
        } else if (drag && Math.abs(event.clientX - drag.x) >= CLICK) {
            const now = timeAt(event.clientX);
            view.setBrush({ start: Math.min(drag.time, now), end: Math.max(drag.time, now) });
        }
    });

    const finish = (event: PointerEvent): void => {
        const moved = drag && Math.abs(event.clientX - drag.x) >= CLICK;
        const { brush } = view;
        if (event.type === 'pointerup') {
            if (moved && anchor !== null) view.setMarkers(anchor, timeAt(event.clientX));
            else if (moved && brush && brush.end > brush.start) view.show(brush);
            else if (drag) onClick(timeAt(event.clientX));
            else if (pan && touches.size === 1 && Math.abs(event.clientX - pan.x) < CLICK) onClick(timeAt(event.clientX));
        }
        touches.delete(event.pointerId);
        view.setBrush(null);
        drag = null;
        anchor = null;
        pan = null;
        pinch = null;
        const rest = [...touches.values()][0];
        if (rest !== undefined) pan = { x: rest, start: view.time.start };
    };
    stage.addEventListener('pointerup', finish);
    stage.addEventListener('pointercancel', finish);
    stage.addEventListener('pointerleave', (event) => {
        if (event.pointerType !== 'touch' && !drag) view.setCursor(null);
    });
    stage.addEventListener('dblclick', () => view.reset());
    stage.addEventListener(
        'wheel',
        (event) => {
            const isZoom = event.ctrlKey || event.metaKey || stage.closest('.charts')?.classList.contains('is-active');
            const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
            const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
            if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
                event.preventDefault();
                view.pan((sideways * unit) / 800);
            } else if (isZoom) {
                event.preventDefault();
                view.zoom(1.0018 ** (event.deltaY * unit), timeAt(event.clientX));
            }
        },
        { passive: false },
    );
}
