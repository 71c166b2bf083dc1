import { type Corpus, type CorpusDocument, usableDocuments } from '../../corpus/corpus.js';
import { type FieldState, fieldOf } from '../../corpus/metadata-fields.js';
import { parseDate } from '../parse-date.js';
import { recordWords } from './record-words.js';
import type { StatedFacts } from './stated-facts.js';

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
      const iso = state?.value === undefined ? undefined : parseDate(state.value);
      return state && iso !== undefined ? { iso, field: state } : undefined;
    };
    const [number, version, date] = [field('document_id'), field('version'), dated(field('date'))];
    const approved = recordWords()
      .approvedOn.map((name) => dated(stated(name)))
      .find((one) => one !== undefined);
    const author = field('author');
    const dateOf = new Map<string, string>();
    for (const item of facts.items) {
      if (item.document !== document || item.passage.role !== 'history') continue;
      const [named, on] = [item.values.get('version')?.text, parseDate(item.values.get('date')?.text ?? '')];
      if (named !== undefined && on !== undefined) dateOf.set(named, on);
    }
    if (version?.value !== undefined && date && !dateOf.has(version.value))
      dateOf.set(version.value, date.iso);
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
