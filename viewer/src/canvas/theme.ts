// Colours of what is drawn. They stand here and not in the style sheet because canvases cannot use its variables directly.

import type { LimitLook } from '../format.js';

export type ThemeName = 'light' | 'dark';

/** Colours for one ground. */
export interface Theme {
    readonly name: ThemeName;
    readonly ground: string;
    readonly ink: string;
    readonly inkSoft: string;
    readonly grid: string;
    readonly data: string;
    readonly dataFill: string;
    readonly flightFill: string;
    readonly ack: string;
    readonly edge: string;
    readonly edgeFill: string;
    readonly resent: string;
    readonly sack: string;
    readonly outOfOrder: string;
    readonly control: string;
    readonly zero: string;
    readonly pipe: string;
    readonly congestion: string;
    readonly reference: string;
    readonly cursor: string;
    readonly brush: string;
}

const LIGHT: Theme = {
    name: 'light',
    ground: '#ffffff',
    ink: '#17202b',
    inkSoft: '#5a6776',
    grid: '#e7eaee',
    data: '#1d2b3a',
    dataFill: '#9db0c4',
    flightFill: 'rgba(29, 43, 58, 0.10)',
    ack: '#0f8a63',
    edge: '#b0468a',
    edgeFill: 'rgba(176, 70, 138, 0.07)',
    resent: '#d42a12',
    sack: '#6a3fd0',
    outOfOrder: '#b26a00',
    control: '#0b5cad',
    zero: '#a3006a',
    pipe: '#8f5a00',
    congestion: '#5a3fb0',
    reference: '#5a6776',
    cursor: '#17202b',
    brush: 'rgba(11, 92, 173, 0.16)',
};

const DARK: Theme = {
    name: 'dark',
    ground: '#161b22',
    ink: '#e4e9ef',
    inkSoft: '#a3b0be',
    grid: '#262e38',
    data: '#dbe4ee',
    dataFill: '#55677b',
    flightFill: 'rgba(219, 228, 238, 0.12)',
    ack: '#3fd0a0',
    edge: '#e58fc4',
    edgeFill: 'rgba(229, 143, 196, 0.08)',
    resent: '#ff6a50',
    sack: '#b49bff',
    outOfOrder: '#f0b04a',
    control: '#6db3f5',
    zero: '#ff8fd0',
    pipe: '#e3b96b',
    congestion: '#b0a0ff',
    reference: '#a3b0be',
    cursor: '#e4e9ef',
    brush: 'rgba(109, 179, 245, 0.22)',
};

/** Colours for ground `name`. */
export function theme(name: ThemeName): Theme {
    return name === 'dark' ? DARK : LIGHT;
}

/** Fill of a limit on the ground of `theme`. */
export function limitColour(look: LimitLook | undefined, ground: Theme): string {
    if (!look) return ground.inkSoft;
    return ground.name === 'dark' ? look.dark : look.light;
}

/** Ink that can be read on the limit's fill. */
export function limitInk(look: LimitLook | undefined, ground: Theme): string {
    if (!look) return ground.ground;
    return ground.name === 'dark' ? look.ink_dark : look.ink_light;
}
