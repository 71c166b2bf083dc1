import { type Sentence, written } from '../sentences/sentence.js';
import type { CriterionVerdict, Evidence, Finding, Search } from './finding.js';

// What results say; of those that a version stored without keys, their words.

export const reasonOf = ({ said, reason }: Pick<CriterionVerdict, 'said' | 'reason'>): Sentence =>
  said?.reason ?? written(reason);

export const observedOf = ({ said, observed }: Pick<Finding, 'said' | 'observed'>): Sentence =>
  said?.observed ?? written(observed);

export const statementOf = ({ said, statement }: Search): Sentence => said?.statement ?? written(statement);

export const noteOf = ({ said, note }: Evidence): Sentence | undefined =>
  said?.note ?? (note === undefined ? undefined : written(note));
