import type { Language, LocalWords } from '../sentences/sentence.js';
import type { Criterion, Standard } from './criterion.js';

type Words = Pick<Criterion, 'title' | 'text' | 'german'>;

/** The title for sentences: in both languages where it is ours, else as the owner of the standard wrote it. */
export const titleWords = ({ title, german }: Words): LocalWords | string =>
  german ? { en: title, de: german.title } : title;

/** The demand for sentences, in both languages where it is ours. */
export const demandWords = ({ text, german }: Words): LocalWords | string =>
  german ? { en: text, de: german.text } : text;

/** A criterion with title and text in a language, where they are ours; what rules compare are the English ones. */
export const criterionIn = <C extends Words>(criterion: C, language: Language): C =>
  language === 'de' && criterion.german ? { ...criterion, ...criterion.german } : criterion;

/** A standard with its criteria in a language; for what prints a result, not for engines. */
export const standardIn = (standard: Standard, language: Language): Standard => ({
  ...standard,
  criteria: standard.criteria.map((one) => criterionIn(one, language)),
});
