import { type Corpus, type CorpusDocument, usableDocuments } from '../../corpus/corpus.js';
import { type FieldState, fieldOf } from '../../corpus/metadata-fields.js';
import { dayOf } from '../day-of.js';
import { recordWords } from './record-words.js';
import type { StatedFacts } from './stated-facts.js';
import type { StatedItem } from './stated-item.js';

/** What a document says about itself. */
export interface StatedDocument {
  readonly document: CorpusDocument;
  /** Number of the document, as written. */
  readonly number?: FieldState;
  readonly version?: FieldState;
  /** ISO date. */
  readonly date?: { readonly iso: string; readonly field: FieldState };
  readonly approved?: { readonly iso: string; readonly field: FieldState };
  readonly author?: FieldState;
  /** ISO dates of its versions, by the change history and the cover. */
  readonly dateOf: ReadonlyMap<string, string>;
}

const known = new WeakMap<StatedFacts, readonly StatedDocument[]>();

/** Cover and change history of every usable document; read once. */
export function statedDocuments(corpus: Corpus, facts: StatedFacts): readonly StatedDocument[] {
  const documents = known.get(facts) ?? readDocuments(corpus, facts);
  known.set(facts, documents);
  return documents;
}

/** `v1.1` as `1.1`. */
export const bareVersion = (written: string): string => written.trim().replace(/^v\.?\s*(?=\d)/iu, '');

/** Rows of the change history: of a section that is called so, else of a table at the start whose rows begin with versions, the own one among them. */
export function historyOf(
  document: CorpusDocument,
  facts: StatedFacts,
  own: string | undefined,
): readonly StatedItem[] {
  const rows = facts.items.filter((item) => item.document === document && item.values.has('version'));
  const called = rows.filter(({ passage }) => passage.role === 'history');
  if (called.length > 0) return called;
  const front = rows.filter(
    ({ passage, cells, values }) =>
      passage.blockIndex < FRONT_BLOCKS && cells[0]?.start === values.get('version')!.start,
  );
  const [first] = front;
  const table = front.filter((row) => row.table === first?.table);
  return table.some(({ values }) => bareVersion(values.get('version')!.text) === own) ? table : [];
}

/** Versions that sentences at the start tell with their dates: "1.0 (15.01.2024) first issue", "Issue 2 of 3 May 2024: …". */
function toldVersions(
  { corpus, document }: { readonly corpus: Corpus; readonly document: CorpusDocument },
  own: string | undefined,
  day: string | undefined,
): readonly (readonly [string, string])[] {
  if (own === undefined) return [];
  const { read } = document;
  const pattern = new RegExp(recordWords().versionOfDay, 'gu');
  const told = read.document.blocks.slice(0, FRONT_BLOCKS).flatMap((block) => {
    const { role } = read.passages[block.index]!;
    if (block.cells || block.kind === 'heading' || (role !== 'body' && role !== 'history')) return [];
    return [...block.text.matchAll(pattern)].flatMap(({ groups, index, 0: whole }) => {
      // "the impact analysis v1.0 of 21 February": the version of what the word before names.
      if (/^[Vv\d]\.?\d/u.test(whole) && /\p{Ll}\s$/u.test(block.text.slice(0, index))) return [];
      const on = dayOf(groups!.date!, document, corpus);
      return on === undefined ? [] : [[bareVersion(groups!.version!), on] as const];
    });
  });
  // Of the versions of other documents, none is the own one on the day of the cover.
  return told.some(([version, on]) => version === own && (day === undefined || on === day)) ? told : [];
}
/** Histories that are no tables stand at the start. */
const FRONT_BLOCKS = 40;

function readDocuments(corpus: Corpus, facts: StatedFacts): readonly StatedDocument[] {
  return usableDocuments(corpus).map((document): StatedDocument => {
    const stated = (key: string) => {
      const state = fieldOf(corpus, key, document.id);
      return state.state === 'present' && state.evidence.length > 0 ? state : undefined;
    };
    const { frontMatter } = recordWords();
    const field = (key: keyof typeof frontMatter) =>
      [key, ...frontMatter[key]].map(stated).find((state) => state !== undefined);
    const dated = (state: FieldState | undefined) => {
      const iso = state?.value === undefined ? undefined : dayOf(state.value, document, corpus);
      return state && iso !== undefined ? { iso, field: state } : undefined;
    };
    const [number, version, date] = [field('document_id'), field('version'), dated(field('date'))];
    const approved = recordWords()
      .approvedOn.map((name) => dated(stated(name)))
      .find((one) => one !== undefined);
    const author = field('author');
    const dateOf = new Map<string, string>();
    const own = version?.value === undefined ? undefined : bareVersion(version.value);
    for (const item of historyOf(document, facts, own)) {
      const [named, on] = [
        item.values.get('version')?.text,
        dayOf(item.values.get('date')?.text ?? '', document, corpus),
      ];
      if (named !== undefined && on !== undefined) dateOf.set(bareVersion(named), on);
    }
    for (const [named, on] of toldVersions({ corpus, document }, own, date?.iso))
      if (!dateOf.has(named)) dateOf.set(named, on);
    if (own !== undefined && date && !dateOf.has(own)) dateOf.set(own, date.iso);
    return {
      document,
      dateOf,
      ...(number ? { number } : {}),
      ...(version ? { version } : {}),
      ...(date ? { date } : {}),
      ...(approved ? { approved } : {}),
      ...(author ? { author } : {}),
    };
  });
}
