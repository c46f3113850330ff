// Where the dots of many connections go so that each can be told from the others.

/** Dots nearer than this lie on each other. */
const APART = 13;
/** Beyond so many connections, those that lie together are gathered into one dot with their number. */
const MOST_DOTS = 400;
/** Pixels of a cell of which the connections of one limit become one dot: larger ones where dots would lie on each other. */
const GATHERED: readonly number[] = [44, 62, 88, 124, 176];

/** A connection where its values are. */
export interface Spot {
    readonly row: number;
    readonly x: number;
    readonly y: number;
    /** Only those of one cause become one dot. */
    readonly cause: string;
    /** What it could save, as a share of the largest: from 0 to 1. */
    readonly share: number;
}

/** A dot: one connection, or several of one limit that lie together. */
export interface Place {
    readonly rows: readonly number[];
    readonly x: number;
    readonly y: number;
    readonly radius: number;
}

/** The ground for the dots' centres. */
export interface Ground {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
}

/** Moves `x`, `y` away from `taken` places, in a spiral that ends at `reach`; null if all of that is taken. */
export function apart(
    x: number,
    y: number,
    taken: (x: number, y: number) => boolean,
    reach = 3 * APART,
): { x: number; y: number } | null {
    for (let step = 0; step <= ((2 * reach) / APART) ** 2; step++) {
        const angle = step * 2.4;
        const away = APART * 0.5 * Math.sqrt(step);
        const place = { x: x + away * Math.cos(angle), y: y + away * Math.sin(angle) };
        if (!taken(place.x, place.y)) return place;
    }
    return null;
}

/** Where the dots go: on their values, moved aside a little where others are, or gathered where they are too many. */
export function arrange(spots: readonly Spot[], ground: Ground): Place[] {
    let places: Place[] = [];
    // Each alone if that can be told apart, else the smallest cells that can.
    for (const size of spots.length > MOST_DOTS ? GATHERED : [0, ...GATHERED]) {
        const attempt = gather(spots, ground, size);
        places = attempt.places;
        if (attempt.covered === 0) break;
    }
    return places;
}

function mean(values: readonly number[]): number {
    return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The dots when those of one cause within `size` pixels are one (0: each is one), and how many found no place of their own. */
function gather(spots: readonly Spot[], ground: Ground, size: number): { places: Place[]; covered: number } {
    const cells = new Map<string, Spot[]>();
    for (const spot of spots) {
        const cell = size > 0 ? `${Math.floor(spot.x / size)} ${Math.floor(spot.y / size)} ${spot.cause}` : String(spot.row);
        const own = cells.get(cell);
        if (own) own.push(spot);
        else cells.set(cell, [spot]);
    }
    const grid = new Map<string, Place[]>();
    const cellOf = (x: number, y: number): [number, number] => [Math.floor(x / 32), Math.floor(y / 32)];
    const places: Place[] = [];
    let covered = 0;
    for (const own of cells.values()) {
        const first = own[0] as Spot;
        const radius = own.length > 1 ? Math.min(14, 9 + Math.log10(own.length) * 2) : 6 + 6 * Math.sqrt(first.share);
        const taken = (x: number, y: number): boolean => {
            const [cx, cy] = cellOf(x, y);
            for (let dx = -1; dx <= 1; dx++) {
                for (let dy = -1; dy <= 1; dy++) {
                    for (const other of grid.get(`${cx + dx} ${cy + dy}`) ?? []) {
                        if (Math.hypot(other.x - x, other.y - y) < (other.radius + radius) * 0.9) return true;
                    }
                }
            }
            return x < ground.left || x > ground.right || y < ground.top || y > ground.bottom;
        };
        // Several stand in their middle, so that neighbours do not crowd at a common edge.
        const wanted = { x: mean(own.map((spot) => spot.x)), y: mean(own.map((spot) => spot.y)) };
        const free = apart(wanted.x, wanted.y, taken, size > 0 ? size : undefined);
        if (free === null) covered++;
        const place = { rows: own.map((spot) => spot.row), ...(free ?? wanted), radius };
        const name = cellOf(place.x, place.y).join(' ');
        const there = grid.get(name);
        if (there) there.push(place);
        else grid.set(name, [place]);
        places.push(place);
    }
    return { places, covered };
}
