import { catalog } from '../words/words.ts';
import de from './words.de.json';
import en from './words.en.json';

/** Words that every screen shows alike: severities, statuses, verdicts, what went wrong. */
export const useCommonWords = catalog(en, de);
