import { kindListed } from '../../words/artifact-types.js';
import { columnWords, compactTitle } from '../../words/column-titles.js';
import type { ArtifactType } from './artifact.js';
import type { ExtractionWords } from './extraction-words.js';
import { letterGroups } from './id-forms.js';
import { identifierWords } from './identifiers.js';
import type { Statement, StatementSource } from './statement.js';

/** What tells the type of a statement. */
type Told = Pick<Statement, 'id' | 'typeWord' | 'columnType' | 'titled' | 'location'>;

/**
 * What an artifact is (domain E.7): an explicit type, columns that only one type has, the name in the id, the prefix,
 * the heading right above, the type of the document, the headings further up; `unknown` where none of them tells. A telling prefix comes before the
 * type of the document, so that goals repeated in a concept stay goals; so do prefixes and headings of what is no artifact
 * of the trace, so that safe states and mechanisms of a concept are no requirements.
 */
export function inferType(statement: Told, source: StatementSource, words: ExtractionWords): ArtifactType {
  return (
    typeAtPlace(statement, words) ??
    (statement.titled && source.documentType ? words.typeOfDocument.get(source.documentType) : undefined) ??
    typeOfHeadings(statement, words) ??
    words.typeOfWeakPrefix.get(letterGroups(statement.id)[0] ?? '') ??
    'unknown'
  );
}

/** What the place itself tells: the first five of these. */
export function typeAtPlace(statement: Told, words: ExtractionWords): ArtifactType | undefined {
  return (
    typeOfToolWord(statement.typeWord, words) ??
    statement.columnType ??
    (words.documentHeadings.test(statement.location.section?.at(-1) ?? '') ? 'unknown' : undefined) ??
    typeOfId(statement.id, words) ??
    (isNoArtifact(statement, words) ? 'unknown' : undefined) ??
    (statement.titled ? typeOfHeading(statement.location.section?.at(-1) ?? '', words) : undefined)
  );
}

/** "Safety goals", and in everyday words "The goals of the lift". */
function typeOfHeading(title: string, words: ExtractionWords): ArtifactType | undefined {
  const exact = typeInTitle(title, words);
  if (exact) return exact;
  const kind = kindListed(title);
  return kind === 'requirement' ? undefined : kind;
}

/** The type that an id tells by its name or prefix; undefined for generic ones. */
export function typeOfId(id: string, words: ExtractionWords): ArtifactType | undefined {
  let cached = typesOfIds.get(words);
  if (!cached) {
    cached = new Map();
    typesOfIds.set(words, cached);
  }
  const family = familyOf(id);
  const known = cached.get(family);
  if (known !== undefined) return known ?? undefined;
  const type = typeOfFamily(id, words);
  if (cached.size < 10_000) cached.set(family, type ?? null);
  return type;
}

/** The same for ids that differ in their digits only. */
function familyOf(id: string): string {
  let digits = id.length;
  while (digits > 0 && isDigit(id.charCodeAt(digits - 1))) digits--;
  for (let at = 0; at < digits; at++) {
    // More numbers, or letters after a number: without regard to them.
    if (isDigit(id.charCodeAt(at))) return id.replace(/[^\p{L}]+/gu, ' ');
  }
  return id.slice(0, digits);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

const typesOfIds = new WeakMap<ExtractionWords, Map<string, ArtifactType | null>>();

function typeOfFamily(id: string, words: ExtractionWords): ArtifactType | undefined {
  const named = words.typeOfName.get(compactTitle(id.replace(/[\d.\s_-]+[a-z]?$/, '')));
  if (named && named !== 'unknown') return named;
  const specificationItem = /^([a-z]{2,12})~/.exec(id)?.[1];
  if (specificationItem) {
    if (specificationItem === 'req') return 'technical_safety_requirement';
    return words.typeOfWord.get(specificationItem);
  }
  // The last telling group before the number: `SDOC-SRS-12`, but `FSR_STEER_SW_01` is an FSR.
  for (const [at, group] of letterGroups(id).entries()) {
    if (at > 0 && group.length < 3) continue;
    const isLower = at === 0 && identifierWords().lowercase.includes(group);
    const type = words.typeOfPrefix.get(isLower ? group.toUpperCase() : group);
    if (type) return type;
  }
  return undefined;
}

/** `CompReq`, `sysreq`, `System Requirement`, `hazard`: the whole word, else its end. */
export function typeOfToolWord(word: string | undefined, words: ExtractionWords): ArtifactType | undefined {
  if (!word) return undefined;
  const compact = compactTitle(word);
  const whole = words.typeOfWord.get(compact) ?? words.typeOfName.get(compact);
  if (whole && whole !== 'unknown') return whole;
  for (let at = 1; at < compact.length - 3; at++) {
    const end = compact.slice(at);
    const type = words.typeOfWord.get(end) ?? words.typeOfName.get(end);
    if (type && type !== 'unknown' && startsWord(word, end)) return type;
  }
  return undefined;
}

/** Whether the end begins with a word of its own: `AssumedSystemReq` ends in the words of `systemreq`. */
function startsWord(word: string, end: string): boolean {
  const parts = word.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).map((part) => part.toLowerCase());
  for (let first = 1; first < parts.length; first++) {
    if (parts.slice(first).join('') === end) return true;
  }
  return false;
}

const OF_WHAT =
  /(?<=\S)\s+(?:on|about|of|for|made|from|in|an|zu|für|über|der|des|zum|zur|aus|von|in|im)\s.*$/iu;

/** What has an id beside the artifacts of the trace: safe states, mechanisms, assumptions, failure modes. */
function isNoArtifact({ id, location }: Told, words: ExtractionWords): boolean {
  if (words.otherPrefixes.has(letterGroups(id)[0] ?? '')) return true;
  const heading = location.section?.at(-1);
  // "6. Assumptions on external systems": what they are about says nothing of what they are.
  const title = heading?.replace(/^[\d.\s]+/, '').replace(OF_WHAT, '');
  return title !== undefined && words.otherHeadings.has(compactTitle(title));
}

function typeOfHeadings(statement: Told, words: ExtractionWords): ArtifactType | undefined {
  for (const title of [...(statement.location.section ?? [])].reverse()) {
    const type = typeInTitle(title, words);
    if (type) return type;
  }
  return undefined;
}

/**
 * What a column of ids lists by its title: a name of a type, or its prefix ("FSR", "TSR IDs"), behind a word for a link the everyday
 * name as well ("From functional requirement").
 */
export function typeOfListed(title: string, words: ExtractionWords): ArtifactType | undefined {
  const whole = title.replace(/(?<![\s_-])[\s_-]*(?:IDs?|No\.?|Nr\.?)$/i, '').trim();
  const bare = whole.replace(linkWord(), '');
  const prefix = (one: string) => words.typeOfPrefix.get(one.toUpperCase());
  const listed = typeInTitle(bare, words) ?? prefix(bare) ?? prefix(bare.replace(/s$/, ''));
  if (listed || bare === whole) return listed;
  const kind = kindListed(bare);
  return kind === 'requirement' ? undefined : kind;
}

let links: RegExp | undefined;
/** "From", "Derived from the", "Aus". */
function linkWord(): RegExp {
  links ??= new RegExp(
    `^(?:${columnWords()
      .contexts.map((one) => one.replaceAll(' ', '\\s'))
      .join('|')})\\s(?:(?:the|der|dem|den)\\s)?`,
    'iu',
  );
  return links;
}

/** "2.1 Safety goals" tells; a title with further words does not, nor one with an id. */
export function typeInTitle(title: string, words: ExtractionWords): ArtifactType | undefined {
  const compact = compactTitle(title.replace(/^[\d.\s]+/, ''));
  const type =
    words.typeOfName.get(compact) ??
    words.typeOfName.get(compact.replace(/(?:s|e|en|n)$/, '')) ??
    words.typeOfName.get(compact.replace(/ies$/, 'y')) ??
    words.typeOfName.get(compact.replace(/fälle$/, 'fall'));
  return type === 'unknown' ? undefined : type;
}
