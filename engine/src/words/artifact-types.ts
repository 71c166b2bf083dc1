import { z } from 'zod';
import { compactTitle, forEach } from './column-titles.js';
import { listSchema, readWords } from './read-words.js';

/** What an artifact is in the V-model (domain E.1); what each type owes is in `data/traceability.yaml`. */
export const ARTIFACT_TYPES = [
  /** A row of a hazard analysis: carries S, E, C and the ASIL that follows from them. */
  'hazardous_event',
  'safety_goal',
  'functional_safety_requirement',
  'technical_safety_requirement',
  'hardware_requirement',
  'software_requirement',
  'cybersecurity_goal',
  /** Of any level between goal and design. */
  'cybersecurity_requirement',
  /** Architectural element, unit, code module, circuit. */
  'design',
  /** Test case, or another measure of verification or validation. */
  'test',
  /** Executed result, review record, analysis, measurement. */
  'evidence',
  /** Shown for a person to type; has no gaps and satisfies nothing. */
  'unknown',
] as const;
export type ArtifactType = (typeof ARTIFACT_TYPES)[number];

const typeSchema = z.strictObject({
  prefixes: listSchema,
  weak: listSchema,
  names: listSchema,
  everyday: listSchema,
  words: listSchema,
  documents: listSchema,
});

const typesSchema = z.strictObject({
  types: z.strictObject(
    forEach(
      ARTIFACT_TYPES.filter((type) => type !== 'unknown'),
      typeSchema,
    ),
  ),
  generic: listSchema,
  demands: listSchema,
  others: z.strictObject({ prefixes: listSchema, headings: listSchema, documents: z.string() }),
  states: listSchema,
  informational: listSchema,
  external: listSchema,
});

/** The word list `artifact-types`: how the type of an artifact is told, English and German. */
export const artifactTypeWords = () => readWords('artifact-types', typesSchema);

let names: ReadonlySet<string> | undefined;

/** Names of types of artifacts and generic ones ("Requirement"), by their letters and digits. */
export function namesOfTypes(): ReadonlySet<string> {
  if (!names) {
    const { types, generic } = artifactTypeWords();
    names = new Set([...Object.values(types).flatMap((one) => one.names), ...generic].map(compactTitle));
  }
  return names;
}

/** What a title says that it lists; `requirement` where it does not say of which kind. */
export type ListedKind = Exclude<ArtifactType, 'unknown'> | 'requirement';

let listed: ReadonlyMap<string, ListedKind> | undefined;

function kindsByTitle(): ReadonlyMap<string, ListedKind> {
  if (!listed) {
    const { types, demands } = artifactTypeWords();
    listed = new Map([
      ...demands.map((name) => [compactTitle(name), 'requirement'] as const),
      ...Object.entries(types).flatMap(([type, { names: full, everyday }]) =>
        [...full, ...everyday].map((name) => [compactTitle(name), type as ListedKind] as const),
      ),
    ]);
  }
  return listed;
}

/** Before what is listed, and what follows it, says nothing about its kind: "2.1 List of the goals of the lift (draft)". */
const BEFORE =
  /^[\d.\s]*(?:(?:list|table|overview|set|summary|Liste|Tabelle|Übersicht)\s+(?:of|der|aller|mit)\s+)?(?:(?:the|our|all|die|der|unsere|alle)\s+)?/iu;
const BEHIND =
  /\s*(?:[([–—:].*|\s(?:of|for|from|on|to|in|with|der|des|für|zu|zum|zur|an|aus|von|vom|im|in|mit|and\s+their|und\s+ihre)\s.*)$/iu;
const COUNTED = /[\s_-]*(?:IDs?|No\.?|Nr\.?|#|list|table|overview|-?Liste|-?Tabelle|-?Übersicht)$/iu;

/** What a heading, the name of a sheet or the title over ids says that it lists, in everyday words too ("Goals", "Ziele"). */
export function kindListed(title: string): ListedKind | undefined {
  const bare = title.replace(BEFORE, '').replace(BEHIND, '').replace(COUNTED, '');
  const compact = compactTitle(bare);
  const known = kindsByTitle();
  return (
    known.get(compact) ??
    known.get(compact.replace(/(?:s|e|en|n)$/, '')) ??
    known.get(compact.replace(/ies$/, 'y')) ??
    known.get(compact.replace(/fälle$/, 'fall'))
  );
}
