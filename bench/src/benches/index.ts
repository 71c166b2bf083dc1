import type { Bench } from '../measure.js';
import { retrieval } from './retrieval.js';

/** Every bench, in the order in which they run. */
export const BENCHES: readonly Bench[] = [retrieval];
