// The chart that shows the cause at a glance, and its sentence.

import type { HalfModel } from '../data/half.js';
import type { Language, ProofChart } from '../format.js';

/** The first chart, and its sentence. */
export interface Proof {
    readonly chart: ProofChart;
    readonly text: string | null;
}

/** The proof of a direction's limit. */
export function proofOf({ chart: { proof } }: HalfModel, language: string): Proof {
    return { chart: proof.chart, text: proof.sentences[language as Language] ?? null };
}
