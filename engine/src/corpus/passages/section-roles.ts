import { z } from 'zod';
import { normaliseText } from '../../text/normalise.js';
import { type ColumnMeaning, compactTitle, meaningOfTitles } from '../../words/column-titles.js';
import { listSchema, readWords } from '../../words/read-words.js';
import { bareHeading } from './headings.js';
import type { PassageRole } from './passage.js';
import type { Table } from './tables.js';

const roleSchema = z.strictObject({
  subtree: z.boolean(),
  headings: listSchema,
  tails: listSchema.optional(),
});
const sectionRolesSchema = z.strictObject({
  toc: roleSchema,
  scope: roleSchema,
  references: roleSchema,
  glossary: roleSchema,
  history: roleSchema,
  example: roleSchema,
  guidance: roleSchema,
  catalogue: roleSchema,
});
const groupsSchema = z.array(z.array(listSchema).min(1));
const tableRolesSchema = z.strictObject({
  history: groupsSchema,
  glossary: groupsSchema,
  references: groupsSchema,
  comment: groupsSchema,
  tested: listSchema,
});

export interface SectionRole {
  readonly role: PassageRole;
  /** Whether subsections have the role too. */
  readonly subtree: boolean;
}

/**
 * The role that a heading gives to what stands under it, or undefined for a section with content of its own.
 * `Purpose of the safety plan` announces; `Purpose of the item` is content.
 */
export function roleOfHeading(heading: string): SectionRole | undefined {
  const phrases = headingPhrases();
  const opening = OPENING.exec(heading)?.[0].toLowerCase();
  if (opening !== undefined && !phrases.has(opening) && !MAY_NUMBER.test(opening)) return undefined;
  const bare = onlyWords(bareHeading(heading));
  const firstWord = bare.includes(' ') ? bare.slice(0, bare.indexOf(' ')) : bare;
  return phrases.get(firstWord)?.find(({ phrase, tails }) => {
    if (bare === phrase) return true;
    if (!bare.startsWith(`${phrase} `)) return false;
    const last = bare.slice(bare.lastIndexOf(' ') + 1);
    const linked = /^(?:of|des|der|of the|of this|dieses|dieser) /.test(bare.slice(phrase.length + 1));
    return tails.has(last) && linked;
  })?.given;
}

/** A first word that no numbering and no sign stands before, and that no letter beyond ASCII goes on with. */
const OPENING = /^[A-Za-z]{2,}(?=[\x20-\x40[-`{-~]|$)/;
const MAY_NUMBER = /^(?:chapter|section|annex|appendix|anhang|kapitel|abschnitt|anlage|[ivx]+)$/;

interface HeadingPhrase {
  readonly given: SectionRole;
  readonly phrase: string;
  readonly tails: ReadonlySet<string>;
}

let compiled: ReadonlyMap<string, readonly HeadingPhrase[]> | undefined;

/** By first word, in the order of the roles. */
function headingPhrases(): ReadonlyMap<string, readonly HeadingPhrase[]> {
  if (compiled) return compiled;
  const byFirstWord = new Map<string, HeadingPhrase[]>();
  for (const [role, words] of Object.entries(readWords('section-roles', sectionRolesSchema))) {
    const given = { role: role as PassageRole, subtree: words.subtree };
    const tails = new Set((words.tails ?? []).map(normaliseText));
    for (const phrase of words.headings.map(onlyWords)) {
      const [firstWord = ''] = phrase.split(' ');
      const known = byFirstWord.get(firstWord);
      if (known) known.push({ given, phrase, tails });
      else byFirstWord.set(firstWord, [{ given, phrase, tails }]);
    }
  }
  compiled = byFirstWord;
  return compiled;
}

function onlyWords(text: string): string {
  return normaliseText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The role of a table whose columns show that it holds no evidence: a change history, a glossary, findings. */
export function roleOfTable(table: Table): PassageRole | undefined {
  const titles = table.columns.map((title) =>
    normaliseText(title ?? '')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  );
  const { tested, ...roles } = readWords('tables', tableRolesSchema);
  for (const [role, alternatives] of Object.entries(roles)) {
    const found = alternatives.some(
      (groups) =>
        groups.length <= titles.length &&
        groups.every((group) => group.some((name) => titles.includes(normaliseText(name).trim()))),
    );
    if (!found) continue;
    const isTests = role === 'comment' && tested.some((name) => titles.includes(normaliseText(name).trim()));
    return isTests ? undefined : (role as PassageRole);
  }
  return undefined;
}

/** What titles of columns mean that only rows about artifacts have. */
const OF_ARTIFACTS: readonly ColumnMeaning[] = [
  ...(['asil', 'ftti', 'detection', 'reaction', 'safe_state'] as const),
  ...(['severity', 'exposure', 'controllability', 'parameter'] as const),
];

/** Rows that state something of goals, events or parameters, also where a section "Overview" only announces the rest. */
export function statesArtifacts({ columns }: Table): boolean {
  return columns.some((title = '') => {
    const meaning = meaningOfTitles().get(compactTitle(title.replace(/\s*[([].*$/u, '')));
    return meaning !== undefined && OF_ARTIFACTS.includes(meaning);
  });
}
