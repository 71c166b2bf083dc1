import { accessProbes } from './access-probes.js';
import { constraintProbes } from './constraint-probes.js';
import { functionProbes } from './function-probes.js';
import type { Probe } from './probe.js';
import { triggerProbes } from './trigger-probes.js';

/** Everything that isolation is tried by at the database itself. */
export const allProbes = (): readonly Probe[] => [
  ...accessProbes(),
  ...constraintProbes(),
  ...functionProbes,
  ...triggerProbes,
];
