import { z } from 'zod';
import { normaliseText } from '../text/normalise.js';
import { byLanguageSchema, readWords } from '../words/read-words.js';
import { type Asil, asilRank, parseAsil, severityAsil } from './asil.js';

/** What an ASIL attribute says. "Not safety related" is not QM: QM counts only where it is written (domain E.3). */
export type AsilAttribute =
  | { readonly kind: 'stated'; readonly asil: Asil }
  | { readonly kind: 'absent' }
  /** A range, a capability or something that cannot be read. */
  | { readonly kind: 'unclear'; readonly written: string };

const schema = z.strictObject({ absent: byLanguageSchema });

let absentWords: ReadonlySet<string> | undefined;

/** Empty, a dash, or words for "no ASIL". */
function isAbsent(written: string): boolean {
  const plain = normaliseText(written.replace(/[\p{Pd}_]/gu, ' ').replace(/[.*]/g, ''));
  if (plain === '' || plain === '/') return true;
  if (!absentWords) {
    const { absent } = readWords('asil', schema);
    absentWords = new Set([...absent.en, ...absent.de].map(normaliseText));
  }
  return absentWords.has(plain);
}

const ABSENT_ATTRIBUTE: AsilAttribute = { kind: 'absent' };

/** Reads the cell or attribute that holds an ASIL; a bare letter counts here. */
export function readAsilAttribute(written: string | undefined): AsilAttribute {
  if (written === undefined || isAbsent(written)) return ABSENT_ATTRIBUTE;
  const asil = parseAsil(written);
  return asil ? { kind: 'stated', asil } : { kind: 'unclear', written: written.trim() };
}

/** 0 to 4: the level whose loss counts; unknown counts as B. */
export function severityLevel(asil: Asil | undefined): number {
  return asil ? asilRank(severityAsil(asil)) : 2;
}
