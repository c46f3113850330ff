// Which chart shows the cause at a glance, and the sentence that is written on it.

import type { HalfModel } from '../data/half.js';
import type { Language, ProofChart } from '../format.js';

/** The chart that comes first, and its sentence. */
export interface Proof {
    readonly chart: ProofChart;
    readonly text: string | null;
}

/** The proof of what limited a direction. */
export function proofOf({ chart: { proof } }: HalfModel, language: string): Proof {
    return { chart: proof.chart, text: proof.sentences[language as Language] ?? null };
}
