import { catalog } from '../../words/words.ts';
import de from './audit-words/words.de.json';
import en from './audit-words/words.en.json';

/** What an event of the audit log says was done, by its action. */
export const useAuditWords = catalog(en, de);
