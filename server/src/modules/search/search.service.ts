import { inLanguage } from '@normtrace/engine';
import type { ReadContext } from '../../platform/http/route.js';
import { type ListedChecklistRow, selectChecklists } from '../checklists/checklists.repository.js';
import { builtInRows } from '../checklists/checklists.service.js';
import { toLocation } from '../gaps/gaps.service.js';
import { criteriaOf, wordsOfCriterion } from '../standards/standards.service.js';
import { type ReadableStandardRow, selectStandardsFor } from '../standards/words.repository.js';
import * as repository from './search.repository.js';
import { type Found, SEARCHED, type Searched, type SearchResult } from './search.schemas.js';

type Context = Pick<ReadContext, 'read' | 'caller' | 'language' | 'now'>;
type Search = (
  asked: repository.Asked,
  context: Context,
) => Promise<{ readonly total: number; readonly items: readonly Found[] }>;

/** Letters of a text that an answer shows. */
const SHOWN = 240;

/** Searches everything of a workspace that the caller may see; a type of which nothing is found is left out. */
export async function search(
  asked: repository.Asked,
  types: readonly Searched[] | undefined,
  context: Context,
): Promise<SearchResult> {
  const wanted = SEARCHED.filter((type) => types === undefined || types.includes(type));
  const [unsearched, ...found] = await Promise.all([
    wanted.includes('passage')
      ? context.read<{ count: number }>(repository.countUnsearched(asked.workspace_id))
      : [],
    ...wanted.map(async (type) => ({ type, ...(await SEARCHES[type](asked, context)) })),
  ]);
  return {
    groups: found.filter(({ total }) => total > 0).map((group) => ({ ...group, items: [...group.items] })),
    documents_not_searched: unsearched[0]?.count ?? 0,
  };
}

const NOWHERE = {
  work_product_id: null,
  version: null,
  location: null,
  range: null,
  standard_id: null,
  severity: null,
  status: null,
} as const;

const SEARCHES: Readonly<Record<Searched, Search>> = {
  artifact: async (asked, { read }) => {
    const rows = await read<repository.ArtifactFound>(repository.findArtifacts(asked));
    return counted(rows, ({ id, label, text, work_product_id, version, location, start, end }) => ({
      ...toFound(asked.q, { id, label, text }),
      ...{ work_product_id, version, location: location && toLocation(location) },
      range: start === null || end === null ? null : { start, end },
    }));
  },
  gap: async (asked, { read, caller, now, language }) => {
    const rows = await read<repository.GapFound>(repository.findGaps(asked, { userId: caller.userId, now }));
    return counted(rows, ({ id, label, words, work_product_id, standard_id, severity, status }) => ({
      ...toFound(asked.q, { id, label, text: inLanguage(words, language).title }),
      ...{ work_product_id, standard_id, severity, status },
    }));
  },
  work_product: byName(repository.findWorkProducts),
  standard: byName(repository.findStandards),
  report: byName(repository.findReports),
  criterion: async (asked, { read, caller, language }) => {
    const standards = await read<ReadableStandardRow>(selectStandardsFor(asked.workspace_id, caller.userId));
    const has = wordsIn(asked.q);
    const found = await Promise.all(
      standards.map(async (standard) =>
        (await criteriaOf(standard, read))
          // In both languages: people know a work product by the name that their standard gives it.
          .filter(({ id, clause, title, german }) =>
            has(`${id} ${clause} ${standard.readable ? `${title} ${german?.title ?? ''}` : ''}`),
          )
          .map((criterion) => {
            const { title: text } = wordsOfCriterion(criterion, { readable: standard.readable, language });
            return {
              ...toFound(asked.q, { id: criterion.id, label: criterion.clause, text }),
              standard_id: standard.id,
            };
          }),
      ),
    );
    const all = found.flat();
    const hasWhole = ({ id, label }: Found): boolean => `${id} ${label}`.includes(asked.q);
    return {
      total: Math.min(all.length, repository.MOST),
      items: all.sort((a, b) => Number(hasWhole(b)) - Number(hasWhole(a))).slice(0, asked.limit),
    };
  },
  checklist: async (asked, { read, language }) => {
    const rows = await read<ListedChecklistRow>(
      selectChecklists({ workspace_id: asked.workspace_id }, await builtInRows()),
    );
    const has = wordsIn(asked.q);
    const found = rows.filter(({ key, title }) => has(`${key} ${title.en} ${title.de ?? ''}`));
    return {
      total: found.length,
      items: found.slice(0, asked.limit).map(({ id, workspace_id, key, title }) =>
        toFound(asked.q, {
          // A built-in one is known by its word.
          id: workspace_id === null ? key : id,
          label: (language === 'de' ? title.de : undefined) ?? title.en,
          text: null,
        }),
      ),
    };
  },
  passage: async (asked, { read }) => {
    const rows = await read<repository.PassageFound>(repository.findPassages(asked));
    return counted(rows, ({ id, label, text, work_product_id, version, location, start }) => {
      const [first] = highlightsIn(text, asked.q, 'phrase');
      const at = first ?? { start: 0, end: Math.min(text.length, SHOWN) };
      return {
        ...toFound(asked.q, { id, label, text: around(text, at) }),
        ...{ work_product_id, version, location: toLocation(location) },
        range: { start: start + at.start, end: start + at.end },
      };
    });
  },
};

function byName(statement: (asked: repository.Asked) => ReturnType<typeof repository.findReports>): Search {
  return async (asked, { read }) =>
    counted(await read<repository.NameFound>(statement(asked)), ({ id, label }) =>
      toFound(asked.q, { id, label, text: null }),
    );
}

const counted = <Row extends { readonly total: number }>(
  rows: readonly Row[],
  toItem: (row: Row) => Found,
): { readonly total: number; readonly items: readonly Found[] } => ({
  total: rows[0]?.total ?? 0,
  items: rows.map(toItem),
});

function toFound(
  q: string,
  one: { readonly id: string; readonly label: string; readonly text: string | null },
): Found {
  const text = one.text === null ? null : shortened(one.text);
  return {
    ...NOWHERE,
    ...one,
    text,
    label_highlights: highlightsIn(one.label, q),
    text_highlights: text === null ? [] : highlightsIn(text, q),
  };
}

const shortened = (text: string): string =>
  text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1).trimEnd()}…`;

/** The lines of a passage that stand around what was found. */
function around(text: string, { start }: { readonly start: number }): string {
  const from = start < SHOWN / 2 ? 0 : text.indexOf(' ', start - SHOWN / 3) + 1;
  return `${from > 0 ? '…' : ''}${shortened(text.slice(from))}`;
}

const LITERAL = /[.*+?^${}()|[\]\\]/g;
const wordsOf = (q: string): readonly string[] => q.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');

/** Where a text has the words, each from its beginning on; as a phrase where it has that, for who wants one place. */
export function highlightsIn(
  text: string,
  q: string,
  as: 'words' | 'phrase' = 'words',
): Found['text_highlights'] {
  const words = wordsOf(q);
  if (words.length === 0) return [];
  const phrase = words.join('[^\\p{L}\\p{N}]+');
  const any = [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(LITERAL, '\\$&'))
    .join('|');
  const found = (pattern: string) =>
    [...text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})`, 'giu'))].map(
      ({ index, 0: { length } }) => ({
        start: index,
        end: index + length,
      }),
    );
  const whole = found(phrase);
  return as === 'phrase' && whole.length > 0 ? whole : found(any);
}

/** Whether a text has all words, each from its beginning on. */
function wordsIn(q: string): (text: string) => boolean {
  const words = wordsOf(q).map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${word}`, 'iu'));
  return (text) => words.length > 0 && words.every((word) => word.test(text));
}
