import type { DocumentType } from '../../document-types/document-type.js';
import type { Check } from '../../engines/checklist/check.js';
import { phraseFinder } from '../../text/phrases.js';

/** Shorter single words ("scope", "timing") mean too many things. */
const LONGEST_COMMON_WORD = 13;
/** What more templates than this have tells nothing about any of them. */
const MOST_PLACES = 6;
const EACH = /(?<!\p{L})(?:each|every|all|jede[rsmn]?|alle[rn]?|sämtliche)(?!\p{L})/iu;

/** Places of templates that the words of an item name. */
export type TemplateTopics = (text: string) => readonly Check[];

interface Place {
  readonly kind: 'section' | 'column';
  readonly type: string;
  readonly reference: string;
}

/**
 * The checks for an item that names a section of a template by its heading, or a column by its title: the section has to be
 * filled, the column in every row where the item says "each". A kind of document that the item names comes first.
 * @param isDescriptive Whether an item asks no more than that something is described; otherwise a person confirms.
 */
export function templateTopics(
  types: Iterable<DocumentType>,
  isDescriptive: (text: string) => boolean,
): TemplateTopics {
  const all = [...types];
  const places = placesByName(all);
  const names = [...places.keys()];
  const find = phraseFinder(names);
  const aliases = all.flatMap(({ id, name, aliases: own }) =>
    [name.en, name.de, ...own].filter(isTelling).map((alias) => ({ id, alias })),
  );
  const findAlias = phraseFinder(aliases.map(({ alias }) => alias));
  return (text) => {
    const named = new Set(findAlias(text).map(({ phrase }) => aliases[phrase]!.id));
    const matches = find(text).sort((a, b) => b.end - b.start - (a.end - a.start));
    const placesOf = (phrase: number, kind: Place['kind']): string[] => {
      const found = places.get(names[phrase]!)!.filter((place) => place.kind === kind);
      const ofNamed = found.filter(({ type }) => named.has(type));
      const own = (ofNamed.length > 0 ? ofNamed : found).map(({ reference }) => reference);
      return own.length > MOST_PLACES ? [] : own;
    };
    const first = (kind: Place['kind']): string[] =>
      matches.map(({ phrase }) => placesOf(phrase, kind)).find((own) => own.length > 0) ?? [];
    const columns = EACH.test(text) ? first('column') : [];
    if (columns.length > 0) return [{ check: 'column', of: columns, filled: 100, value: 'anything' }];
    const sections = first('section');
    if (sections.length > 0) {
      return [{ check: 'section', of: sections, ...(isDescriptive(text) ? {} : { confirm: true }) }];
    }
    return [];
  };
}

function isTelling(name: string): boolean {
  return /\s/.test(name.trim()) || name.length > LONGEST_COMMON_WORD;
}

function placesByName(types: readonly DocumentType[]): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  const add = (name: string, place: Place) => {
    const key = name.toLowerCase();
    if (!isTelling(name)) return;
    const known = places.get(key);
    if (!known) places.set(key, [place]);
    else if (known.every(({ reference }) => reference !== place.reference)) known.push(place);
  };
  for (const { id: type, sections, tables } of types) {
    for (const { key, heading, synonyms } of sections) {
      const place = { kind: 'section', type, reference: `${type}.${key}` } as const;
      for (const name of [heading.en, heading.de, ...synonyms]) add(name, place);
    }
    for (const table of tables) {
      for (const { key, names } of table.columns) {
        const place = { kind: 'column', type, reference: `${type}.${table.key}.${key}` } as const;
        for (const name of names) add(name, place);
      }
    }
  }
  return places;
}
