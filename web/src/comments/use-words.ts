import { catalog } from '../words/words.ts';
import de from './words.de.json';
import en from './words.en.json';

export const useCommentWords = catalog(en, de);
