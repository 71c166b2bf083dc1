import type { Block, Document } from '../../documents/document.js';
import type { Criterion } from '../criterion.js';
import { firstWords } from './criteria-from-table.js';
import { StandardFileError } from './standard-file-error.js';

/** Words that oblige, English and German. `should` and its German forms recommend. */
const OBLIGES =
  /(?<!\p{L})(?:shall|must|(?:is|are)\s+required\s+to|(?:has|have)\s+to\s+be|muss|müssen|(?:ist|sind)\s+(?:\p{L}+\s+){0,6}zu\s+\p{L}+en|hat\s+(?:\p{L}+\s+){0,6}zu\s+\p{L}+en|(?:darf|dürfen)\s+(?:\p{L}+\s+){0,6}(?:nicht|kein\p{L}*|nur))(?!\p{L})/iu;
const RECOMMENDS =
  /(?<!\p{L})(?:should|is\s+recommended|are\s+recommended|sollte|sollten|soll|sollen|wird\s+empfohlen)(?!\p{L})/iu;

/** Paragraphs and sections that explain; no standard demands anything in them. */
const INFORMATIVE_START = /^(?:NOTE|EXAMPLE|ANMERKUNG|BEISPIEL|HINWEIS)S?(?:\s*\d+)?(?!\p{L})/u;
const INFORMATIVE_SECTION =
  /^(?:foreword|preface|vorwort|introduction|einleitung|scope|anwendungsbereich|normative references|normative verweisungen|terms(?:,| and).*definitions|begriffe|abbreviat|abkürzung|bibliograph|literatur|contents|inhalt|index|copyright|acknowledg)|\(informative\)|\(informativ\)/iu;

/** `4.1.2`, `A.3`, `Annex B`, `§ 5`, `Article 32`, `Artikel 7` at the start of a heading or paragraph. */
const LEADING_NUMBER =
  /^(?:(?:annex|anhang|article|artikel|art\.|clause|section|kapitel|abschnitt|§{1,2})\s*)?((?:[A-Z]|\d{1,3})(?:\.\d{1,3}){0,6})\.?(?=[\s):]|$)/iu;
/** An id in brackets at either end, or before a colon: `[SWE-050]`, `RQ-05-01:`. */
const BRACKET_ID =
  /^\s*\[([A-Za-z][\w.:/-]{0,40}\d[\w.:/-]*)\]|\[([A-Za-z][\w.:/-]{0,40}\d[\w.:/-]*)\]\s*\.?\s*$/u;
const COLON_ID = /^([A-Z][A-Za-z]{0,11}(?:[-_. ][A-Za-z0-9]{1,12}){0,4}[-_. ]\d[\w.-]*)\s*[:|–—]\s/u;

/**
 * Finds the demands of a standard in running text: one criterion for each paragraph, list item or table row that
 * obliges or recommends, with the clause it stands in. Items of a list that a demand announces with a colon
 * belong to it. Notes, examples, scope, terms and informative annexes demand nothing. Ids come from the
 * text (a bracketed or leading id, a leading number), else `<clause>-<n>` in the order of the document. Own rules.
 * Throws `StandardFileError` when no demand is found.
 */
export function criteriaFromDocument(document: Document): Criterion[] {
  const criteria: Criterion[] = [];
  const outline = startOutline();
  let open: Criterion | undefined;
  const close = (): void => {
    if (open) criteria.push(open);
    open = undefined;
  };
  for (const block of document.blocks) {
    if (block.kind === 'heading') {
      close();
      outline.enter(block);
      continue;
    }
    if (block.kind !== 'paragraph' && block.kind !== 'list_item' && block.kind !== 'table_row') continue;
    if (block.table?.header || INFORMATIVE_START.test(block.text) || outline.isInformative()) {
      close();
      continue;
    }
    if (open && block.kind === 'list_item' && /:\s*(?:\[[^\]]*\]\s*)?$/.test(open.text.split('\n')[0]!)) {
      open = { ...open, text: `${open.text}\n${block.text}` };
      continue;
    }
    for (const text of statementsOf(block)) {
      close();
      const obliges = OBLIGES.test(text);
      if (obliges || RECOMMENDS.test(text)) open = outline.demand(text, obliges ? 'shall' : 'should');
    }
  }
  close();
  if (criteria.length === 0) {
    throw new StandardFileError(
      [
        {
          message:
            'No demand was found: no sentence obliges ("shall", "must", "muss") or recommends ("should", "sollte").',
        },
      ],
      'Check that the file is the standard itself, or upload its demands as a table with the columns ID and Text.',
    );
  }
  return outline.withGroups(criteria);
}

/** Where one numbered statement ends and the next begins although the lines were joined into one paragraph. */
const NEXT_STATEMENT =
  /(?<=[.;:\]]\s)(?=\d{1,3}(?:\.\d{1,3}){1,6}\.?\s+\p{Lu})|(?<=\[[A-Za-z][\w.:/-]{0,40}\d[\w.:/-]*\]\s)(?=\p{Lu}|\d)/gu;

/** The statements of a block. In a table row the demand stands in one cell; the others name or comment on it. */
function statementsOf(block: Block): string[] {
  if (!block.cells) return block.text.split(NEXT_STATEMENT).map((text) => text.trim());
  const demanding = block.cells.filter(({ text }) => OBLIGES.test(text) || RECOMMENDS.test(text));
  const id = block.cells.find(
    ({ text }) => COLON_ID.test(`${text.trim()}: `) || LEADING_NUMBER.test(text.trim()),
  );
  const text = demanding.map((cell) => cell.text).join(' ');
  return [id && !demanding.includes(id) ? `${id.text.trim()}: ${text}` : text];
}

/** Headings without a number name their group by their words, up to here. */
const LONGEST_GROUP_NAME = 60;

const LEADING_PUNCTUATION = /^[\s.:–—)-]+/u;

interface Heading {
  readonly level: number;
  readonly clause: string;
  readonly title: string;
  readonly informative: boolean;
  /** Given when the first demand below it is found. */
  id?: string;
}

/** Where in the standard we are. */
interface Outline {
  enter(block: Block): void;
  isInformative(): boolean;
  demand(text: string, obligation: 'shall' | 'should'): Criterion;
  /** The criteria with their groups: groups stand before their first criterion, parents before children. */
  withGroups(criteria: readonly Criterion[]): Criterion[];
}

function startOutline(): Outline {
  let path: Heading[] = [];
  const groups = new Map<string, Heading & { parentId?: string }>();
  const uniqueId = idGiver();

  /** Id of the group that the open headings name; made when its first demand is found. */
  const groupId = (): string | undefined => {
    let parentId: string | undefined;
    for (const heading of path) {
      heading.id ??= uniqueId(undefined, `group:${heading.clause.slice(0, LONGEST_GROUP_NAME)}`);
      groups.set(heading.id, { ...heading, ...(parentId === undefined ? {} : { parentId }) });
      parentId = heading.id;
    }
    return parentId;
  };

  return {
    enter(block) {
      const level = block.level ?? 1;
      path = path.filter((heading) => heading.level < level);
      const number = LEADING_NUMBER.exec(block.text);
      const title = (number ? block.text.slice(number[0].length) : block.text).replace(
        LEADING_PUNCTUATION,
        '',
      );
      const informative = (path.at(-1)?.informative ?? false) || INFORMATIVE_SECTION.test(title);
      path.push({ level, clause: number?.[1] ?? block.text, title: title || block.text, informative });
    },
    isInformative: () => path.at(-1)?.informative ?? false,
    demand(text, obligation) {
      const number = LEADING_NUMBER.exec(text)?.[1];
      const ownNumber = number?.includes('.') ? number : undefined;
      const clause = ownNumber ?? path.at(-1)?.clause ?? 'text';
      const parentId = groupId();
      return {
        id: uniqueId(ownId(text) ?? ownNumber, clause),
        kind: 'clause',
        ...(parentId === undefined ? {} : { parentId }),
        clause,
        title: firstWords(withoutId(text)),
        text: withoutId(text),
        severity: obligation === 'shall' ? 'high' : 'medium',
        obligation,
      };
    },
    withGroups(criteria) {
      const result: Criterion[] = [];
      const placed = new Set<string>();
      const place = (id: string | undefined): void => {
        if (id === undefined || placed.has(id)) return;
        placed.add(id);
        const { clause, title, parentId } = groups.get(id)!;
        place(parentId);
        const parent = parentId === undefined ? {} : { parentId };
        result.push({
          id,
          kind: 'group',
          ...parent,
          clause,
          title,
          text: '',
          severity: 'low',
          obligation: 'shall',
        });
      };
      for (const criterion of criteria) {
        place(criterion.parentId);
        result.push(criterion);
      }
      return result;
    },
  };
}

/**
 * Gives each demand its wanted id once; after that, and without one, `<base>-<n>` in the order of the text.
 * A group is its clause, numbered from its second heading on.
 */
function idGiver(): (wanted: string | undefined, base: string) => string {
  const given = new Set<string>();
  const counts = new Map<string, number>();
  return (wanted, base) => {
    let id = wanted ?? (base.startsWith('group:') ? base : undefined);
    while (id === undefined || given.has(id)) {
      const stem = wanted ?? base;
      const next = (counts.get(stem) ?? 0) + 1;
      counts.set(stem, next);
      id = `${stem}-${next}`;
    }
    given.add(id);
    return id;
  };
}

function ownId(text: string): string | undefined {
  const bracket = BRACKET_ID.exec(text);
  return bracket?.[1] ?? bracket?.[2] ?? COLON_ID.exec(text)?.[1];
}

function withoutId(text: string): string {
  const trimmed = text.replace(BRACKET_ID, '').replace(COLON_ID, '');
  const number = LEADING_NUMBER.exec(trimmed);
  const rest = number?.[1]?.includes('.') ? trimmed.slice(number[0].length) : trimmed;
  return rest.replace(LEADING_PUNCTUATION, '').trim() || text.trim();
}
