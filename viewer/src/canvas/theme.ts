// Colours of drawings, the same as in the static pictures (crates/tcpwhy-view/src/svg/theme.rs). They are not
// in the style sheet because canvases cannot use its variables directly.

import type { LimitLook } from '../format.js';

export type ThemeName = 'light' | 'dark';

/** Colours for one background. */
export interface Theme {
    readonly name: ThemeName;
    readonly ground: string;
    readonly ink: string;
    readonly inkSoft: string;
    readonly grid: string;
    readonly data: string;
    readonly dataFill: string;
    readonly flightFill: string;
    /** Area below the line of the bytes in flight. */
    readonly flightArea: string;
    /** Opacity of a limit's colour in a tinted area. */
    readonly tint: number;
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
    readonly other: string;
    readonly marker: string;
    readonly reference: string;
    readonly cursor: string;
    readonly brush: string;
}

const LIGHT: Theme = {
    name: 'light',
    ground: '#ffffff',
    ink: '#1c2126',
    inkSoft: '#5a6776',
    grid: '#e7eaee',
    data: '#1c2126',
    dataFill: '#9db0c4',
    flightFill: 'rgba(29, 43, 58, 0.10)',
    flightArea: 'rgba(29, 43, 58, 0.16)',
    tint: 0.26,
    ack: '#00795c',
    edge: '#a8468a',
    edgeFill: 'rgba(176, 70, 138, 0.07)',
    resent: '#c4161c',
    sack: '#6546bf',
    outOfOrder: '#b36200',
    control: '#0068a8',
    zero: '#a3006a',
    pipe: '#6546bf',
    congestion: '#0068a8',
    other: '#7d5a2e',
    marker: '#0b5cad',
    reference: '#b36200',
    cursor: '#17202b',
    brush: 'rgba(11, 92, 173, 0.16)',
};

const DARK: Theme = {
    name: 'dark',
    ground: '#161b22',
    ink: '#e8ebee',
    inkSoft: '#a3b0be',
    grid: '#262e38',
    data: '#e8ebee',
    dataFill: '#55677b',
    flightFill: 'rgba(219, 228, 238, 0.12)',
    flightArea: 'rgba(219, 228, 238, 0.2)',
    // On dark background, paler tints of two limits would look alike: here any two differ by ΔE >= 10.
    tint: 0.5,
    ack: '#35c79a',
    edge: '#e59bce',
    edgeFill: 'rgba(229, 143, 196, 0.08)',
    resent: '#ff6b66',
    sack: '#b5a2ff',
    outOfOrder: '#ffb04d',
    control: '#62b8f0',
    zero: '#ff8fd0',
    pipe: '#b5a2ff',
    congestion: '#62b8f0',
    other: '#d6b27a',
    marker: '#6db3f5',
    reference: '#ffb04d',
    cursor: '#e4e9ef',
    brush: 'rgba(109, 179, 245, 0.22)',
};

/** Colours for background `name`. */
export function theme(name: ThemeName): Theme {
    return name === 'dark' ? DARK : LIGHT;
}

/** Fill colour of a limit on the background of `theme`. */
export function limitColour(look: LimitLook | undefined, ground: Theme): string {
    if (!look) return ground.inkSoft;
    return ground.name === 'dark' ? look.dark : look.light;
}

/** Text colour that is readable on the limit's fill. */
export function limitInk(look: LimitLook | undefined, ground: Theme): string {
    if (!look) return ground.ground;
    return ground.name === 'dark' ? look.ink_dark : look.ink_light;
}
