import { catalog } from '../words/words.ts';
import de from './parts-words/words.de.json';
import en from './parts-words/words.en.json';

/** Of changes in parts: on every screen, unlike the words of gaps. */
export const usePartsWords = catalog(en, de);
