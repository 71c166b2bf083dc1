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
  others: z.strictObject({ prefixes: listSchema, headings: listSchema }),
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
