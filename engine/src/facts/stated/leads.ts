import type { CorpusDocument } from '../../corpus/corpus.js';
import type { ArtifactType } from '../artifacts/artifact.js';
import { extractionWords } from '../artifacts/extraction-words.js';
import { typeInTitle } from '../artifacts/infer-type.js';
import { idsIn, prefixOf, type StatedItem, type StatedValue } from './stated-item.js';

/** Between the id that a number counts under and the one that it makes. */
export const SCOPE = ' / ';

/** An id or key as it is written, without the one that it counts under. */
export const withoutScope = (id: string): string => id.split(SCOPE).at(-1)!;

/** Longer paragraphs tell more than what the table below is about. Our own, as for links of the trace. */
const LONGEST = 120;

/** From goals to what they are refined in. */
const RANK: Partial<Record<ArtifactType, number>> = {
  ...{ safety_goal: 1, functional_safety_requirement: 2, technical_safety_requirement: 3 },
  ...{ hardware_requirement: 4, software_requirement: 4 },
};

const rankOf = (id: string) =>
  RANK[typeInTitle(id.replaceAll(/[\d.\s_-]+/gu, ' ').trim(), extractionWords()) ?? 'unknown'];

/**
 * Rows without a column of links come from the only id that the paragraph or heading right above their table names ("Functional Safety
 * Requirement 01-01 with its technical requirements:"). Ids that count anew under each of these ("Technical Safety Requirement 01") are
 * told apart by them. Linear in the items.
 */
export function withLeads(items: readonly StatedItem[]): readonly StatedItem[] {
  const leads = new Map<CorpusDocument, Map<number, StatedValue | undefined>>();
  const leadOf = (item: StatedItem): StatedValue | undefined => {
    if (!item.hasId || item.how !== 'table' || (item.table ?? -1) < 0) return undefined;
    const known = leads.get(item.document) ?? new Map<number, StatedValue | undefined>();
    leads.set(item.document, known);
    if (!known.has(item.table!)) known.set(item.table!, leadAbove(item.document, item.table!));
    const lead = known.get(item.table!);
    if (!lead || prefixOf(idsIn(lead.text)[0]!.key) === prefixOf(item.key)) return undefined;
    const [own, above] = [rankOf(item.id), rankOf(lead.text)];
    return above !== undefined && (own === undefined || above < own) ? lead : undefined;
  };
  const led = items.map((item) => ({ item, lead: leadOf(item) }));
  const scopes = new Map<string, Set<string>>();
  for (const { item, lead } of led) {
    if (!lead || !item.values.has('text')) continue;
    const place = scopes.get(item.key) ?? new Set();
    scopes.set(item.key, place.add(idsIn(lead.text)[0]!.key));
  }
  return led.map(({ item, lead }) => {
    if (!lead) return item;
    const isScoped = (scopes.get(item.key)?.size ?? 0) > 1;
    return {
      ...item,
      ...(isScoped
        ? { id: `${lead.text}${SCOPE}${item.id}`, key: `${idsIn(lead.text)[0]!.key}${SCOPE}${item.key}` }
        : {}),
      values: item.values.has('parent') ? item.values : new Map([...item.values, ['parent', lead]]),
    };
  });
}

function leadAbove({ read }: CorpusDocument, table: number): StatedValue | undefined {
  const { headerBlocks, rows } = read.tables[table] ?? { headerBlocks: [], rows: [] };
  const first = headerBlocks[0] ?? rows[0]?.block;
  for (let at = (first ?? 0) - 1; at >= 0; at--) {
    const block = read.document.blocks[at]!;
    const passage = read.passages[at];
    if (block.cells || !passage) return undefined;
    const ids = passage.text.length > LONGEST ? [] : idsIn(passage.text);
    if (ids.length === 1) {
      const start = passage.start + passage.text.indexOf(ids[0]!.id);
      return { text: ids[0]!.id, start, end: start + ids[0]!.id.length, passage, title: '' };
    }
    if (block.kind === 'heading') return undefined;
  }
  return undefined;
}
