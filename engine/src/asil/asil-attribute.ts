import { type Asil, asilRank, parseAsil, severityAsil } from '../judgement/asil.js';

/** What an ASIL attribute says. "Not safety related" is not QM: QM counts only where it is written (domain E.3). */
export type AsilAttribute =
  | { readonly kind: 'stated'; readonly asil: Asil }
  | { readonly kind: 'absent' }
  /** A range, a capability or something that cannot be read. */
  | { readonly kind: 'unclear'; readonly written: string };

const ABSENT =
  /^[\s\p{Pd}_.*/]*$|^\s*(?:none|n\s*\/?\s*a\.?|no|nil|not\s+(?:safety[\s-]+(?:related|relevant)|applicable|assigned|set)|non[\s-]?safety(?:[\s-]+(?:related|relevant))?|kein[e]?|ohne|entfällt|nicht\s+(?:sicherheits(?:relevant|bezogen)|zutreffend|anwendbar))\s*$/iu;

const ABSENT_ATTRIBUTE: AsilAttribute = { kind: 'absent' };

/** Reads the cell or attribute that holds an ASIL; a bare letter counts here. */
export function readAsilAttribute(written: string | undefined): AsilAttribute {
  if (written === undefined || ABSENT.test(written)) return ABSENT_ATTRIBUTE;
  const asil = parseAsil(written);
  return asil ? { kind: 'stated', asil } : { kind: 'unclear', written: written.trim() };
}

/** 0 to 4: the level whose loss counts; unknown counts as B. */
export function severityLevel(asil: Asil | undefined): number {
  return asil ? asilRank(severityAsil(asil)) : 2;
}
