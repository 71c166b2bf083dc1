import type { QualityOptions } from '../../facts/requirement.js';

export interface ChecklistOptions {
  /** Answers to the questions of `conditions.yaml`, by condition id. */
  readonly conditions?: Readonly<Record<string, boolean>>;
  /** ISO date; without it nothing is overdue. */
  readonly today?: string;
  readonly requirementQuality?: QualityOptions;
}
