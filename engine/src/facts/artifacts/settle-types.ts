import { kindListed } from '../../words/artifact-types.js';
import { compactTitle } from '../../words/column-titles.js';
import type { ArtifactType } from './artifact.js';
import { type ExtractionWords, extractionWords } from './extraction-words.js';
import { codesIn, isDemand, stemOf } from './id-stems.js';
import { typeOfId } from './infer-type.js';
import type { Statement } from './statement.js';

/** What settling asks of a statement, and what it sets. */
type Typed = Pick<Statement, 'id' | 'told' | 'text' | 'references' | 'kind'> & { type: ArtifactType };

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
    ({ type, text, kind, told: isTold }) =>
      !isTold && type === 'unknown' && kind === 'definition' && isDemand(text),
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
  return changed;
}

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
    for (const { source, written } of references) {
      const kind = source === undefined ? undefined : kindListed(source);
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
