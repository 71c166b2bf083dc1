import { catalog } from '../../words/words.ts';
import de from './words.de.json';
import en from './words.en.json';

export const useWords = catalog(en, de);
