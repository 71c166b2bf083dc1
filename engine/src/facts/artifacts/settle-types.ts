import { artifactTypeWords, kindListed } from '../../words/artifact-types.js';
import { compactTitle } from '../../words/column-titles.js';
import type { ArtifactType } from './artifact.js';
import { type ExtractionWords, extractionWords } from './extraction-words.js';
import { codesIn, isDemand, stemOf } from './id-stems.js';
import { typeOfId } from './infer-type.js';
import type { Statement } from './statement.js';

/** What settling asks of a statement, and what it sets. */
type Typed = Pick<Statement, 'id' | 'told' | 'text' | 'references' | 'kind' | 'asil'> & {
  type: ArtifactType;
};

/** What follows what: what comes from a goal is a functional requirement, what comes from that a technical one. */
const BELOW: Partial<Record<ArtifactType, ArtifactType>> = {
  hazardous_event: 'safety_goal',
  safety_goal: 'functional_safety_requirement',
  functional_safety_requirement: 'technical_safety_requirement',
};
const FURTHEST = 3;

/**
 * Types of ids whose letters tell none ("LBG-1", "R-12"), by all that documents say of ids of the same letters: titles over them, columns
 * that name what they list, and at last what demands come from. What is told at the place itself stays. True where any type was set.
 * Linear in the statements.
 */
export function settleTypes(statements: readonly Typed[]): boolean {
  const words = extractionWords();
  const isNamed = putTypesBehindNames(statements, words);
  const isOfStates = dropStates(statements);
  return settleSilent(statements, words) || isNamed || isOfStates;
}

/**
 * "SZ-1" is a goal in one house and a safe state in another: where goals of other letters have levels and none of these has one, they are
 * states. True where any type was dropped. Linear in the statements.
 */
function dropStates(statements: readonly Typed[]): boolean {
  const { states } = artifactTypeWords();
  const lettersOf = ({ id }: Typed) => /^\p{L}+/u.exec(id)?.[0] ?? '';
  const goals = statements.filter(({ type }) => type === 'safety_goal');
  const levelled = new Set(goals.filter(({ asil }) => asil !== undefined).map(lettersOf));
  const likely = goals.filter((one) => states.includes(lettersOf(one)) && !levelled.has(lettersOf(one)));
  if (likely.length === 0 || levelled.size === 0) return false;
  for (const one of likely) one.type = 'unknown';
  return true;
}

function settleSilent(statements: readonly Typed[], words: ExtractionWords): boolean {
  const silent = statements.filter(
    ({ id }) => typeOfId(id, words) === undefined && stemOf(id) !== '' && !isNamedOtherwise(id, words),
  );
  if (silent.length === 0) return false;
  const told = toldTypes(statements, silent, words);
  let changed = false;
  const put = (statement: Typed, type: ArtifactType | undefined): void => {
    if (type === undefined || statement.type === type) return;
    statement.type = type;
    changed = true;
  };
  for (const statement of silent) if (!statement.told) put(statement, told.get(stemOf(statement.id)));
  const open = silent.filter(
    (one) => !one.told && one.type === 'unknown' && one.kind === 'definition' && demands(one),
  );
  for (let round = 0; round < FURTHEST && open.length > 0; round++) {
    const types = typesOfStems(statements);
    const found = new Map<string, ArtifactType | undefined>();
    for (const statement of open) {
      const parents = [...statement.references]
        .filter(({ role }) => role === 'up' || role === 'any')
        .flatMap(({ written }) => codesIn(written))
        .map((id) => typeOfId(id, words) ?? types.get(stemOf(id)));
      const below = parents.map((type) => type && BELOW[type]).find((type) => type !== undefined);
      if (below) vote(found, stemOf(statement.id), below);
    }
    for (const statement of open)
      if (statement.type === 'unknown') put(statement, found.get(stemOf(statement.id)));
  }
  if (open.length > 0) {
    // Of ids that are counted alike, one without a word of demanding is what the others are.
    const types = typesOfStems(open);
    for (const statement of silent)
      if (!statement.told && statement.type === 'unknown') put(statement, types.get(stemOf(statement.id)));
  }
  return changed;
}

/** A text that demands, or a level beside what the text comes from: "STE opens both bridges" is demanded by that. */
const demands = ({ text, asil, references }: Typed): boolean =>
  isDemand(text) || (asil !== undefined && text !== '' && [...references].some(({ role }) => role === 'up'));

/** "TSA-HE-01": a first group, and one behind it. */
const GROUPS = /^(?<first>\p{Lu}[\p{Lu}\p{N}]{0,9})[-_.](?<second>\p{Lu}{2,8})(?=[-_.]?\d)/u;
/** What the name of a project may look like by chance: letters that mean a demand. */
const OF_CHAIN: ReadonlySet<ArtifactType> = new Set<ArtifactType>(['hazardous_event', 'safety_goal', 'test']);

/**
 * Ids of a project that all begin with its name, which means a kind elsewhere ("TSA-HE-01", "TSA-SG-1", "TSA-FSR-001" of the trailer stability
 * assist): the group behind it tells the kind. A beginning is a name where groups of several kinds follow it and none of these begins
 * ids itself ("TC-SG-1" beside "SG-1" is a test). True where any type was set. Linear in the statements.
 */
function putTypesBehindNames(statements: readonly Typed[], words: ExtractionWords): boolean {
  const typeOf = (group: string) => words.typeOfPrefix.get(group) ?? words.typeOfWeakPrefix.get(group);
  const behind = new Map<string, Map<string, string>>();
  const counted = new Map<string, Set<string>>();
  const bare = new Set<string>();
  for (const { id } of statements) {
    const { first, second } = GROUPS.exec(id)?.groups ?? {};
    if (first === undefined) bare.add(/^\p{L}+/u.exec(id)?.[0] ?? '');
    else if (typeOf(second!) !== undefined) {
      const groups = behind.get(first) ?? new Map<string, string>();
      behind.set(first, groups);
      // Numbers of documents have each group once.
      if ((groups.get(second!) ?? id) === id) groups.set(second!, id);
      else counted.set(first, (counted.get(first) ?? new Set()).add(second!));
    }
  }
  const names = new Set<string>();
  for (const [first, groups] of counted) {
    const own = typeOf(first);
    const types = new Set([...groups].map(typeOf));
    const isName =
      types.size > 1 &&
      (own === undefined || KINDS_OF_DEMANDS.has(own)) &&
      [...types].some((type) => OF_CHAIN.has(type!)) &&
      ![...groups].some((group) => bare.has(group));
    if (isName) names.add(first);
  }
  let changed = false;
  if (names.size === 0) return changed;
  for (const statement of statements) {
    const { first, second } = GROUPS.exec(statement.id)?.groups ?? {};
    const type = first !== undefined && names.has(first) ? typeOf(second!) : undefined;
    // What its row or title says is no guess by letters.
    const isByLetters = statement.type === 'unknown' || statement.type === typeOf(first ?? '');
    if (type === undefined || type === statement.type || !isByLetters) continue;
    statement.type = type;
    changed = true;
  }
  return changed;
}

const KINDS_OF_DEMANDS: ReadonlySet<ArtifactType> = new Set<ArtifactType>([
  'functional_safety_requirement',
  'technical_safety_requirement',
  'hardware_requirement',
  'software_requirement',
  'cybersecurity_requirement',
]);

/** "Malfunction_01" is called what it is, and that is no artifact of the trace. */
function isNamedOtherwise(id: string, words: ExtractionWords): boolean {
  const name = id.replace(/[\d.\s_-]+[a-z]?$/u, '');
  return words.typeOfName.get(compactTitle(name)) === 'unknown' && kindListed(name) === undefined;
}

/** The only type of each stem; undefined for one of several. */
function vote(votes: Map<string, ArtifactType | undefined>, stem: string, type: ArtifactType): void {
  if (!votes.has(stem)) votes.set(stem, type);
  else if (votes.get(stem) !== type) votes.set(stem, undefined);
}

function toldTypes(
  statements: readonly Typed[],
  silent: readonly Typed[],
  words: ExtractionWords,
): ReadonlyMap<string, ArtifactType | undefined> {
  const votes = new Map<string, ArtifactType | undefined>();
  for (const { id, told, type } of silent) if (told && type !== 'unknown') vote(votes, stemOf(id), type);
  // "Goal" over the ids of goals in the list of hazards. What a table says of its own rows weighs more.
  const listed = new Map<string, ArtifactType | undefined>();
  for (const { references } of statements) {
    for (const { role, source, written } of references) {
      // "Checks" over what a test is about does not list tests.
      const kind = source === undefined || role === 'verifies' ? undefined : kindListed(source);
      if (kind === undefined || kind === 'requirement') continue;
      for (const id of codesIn(written))
        if (typeOfId(id, words) === undefined) vote(listed, stemOf(id), kind);
    }
  }
  for (const [stem, type] of listed) if (!votes.has(stem)) votes.set(stem, type);
  return votes;
}

function typesOfStems(statements: readonly Typed[]): ReadonlyMap<string, ArtifactType | undefined> {
  const types = new Map<string, ArtifactType | undefined>();
  for (const { id, type } of statements) if (type !== 'unknown') vote(types, stemOf(id), type);
  return types;
}
