import { catalog } from '../words/words.ts';
import de from './words.de.json';
import en from './words.en.json';

/** What is said about gaps, wherever one is shown. */
export const useGapWords = catalog(en, de);
