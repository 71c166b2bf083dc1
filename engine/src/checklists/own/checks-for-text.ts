import { z } from 'zod';
import type { DataFolder } from '../../data/load-data.js';
import { BUILT_IN_DATA, once, readDataFile } from '../../data/load-data.js';
import { everyPhrase, keySchema, phrasesSchema } from '../../data/shared-schemas.js';
import { loadDocumentTypes } from '../../document-types/load-document-types.js';
import { type Check, checkSchema } from '../../engines/checklist/check.js';
import type { ChecklistItem } from '../../engines/checklist/checklist.js';
import { AUTOMATION, type Automation } from '../../engines/checklist/question.js';
import type { ArtifactType } from '../../facts/artifacts/artifact.js';
import { extractionWords } from '../../facts/artifacts/extraction-words.js';
import { phraseFinder } from '../../text/phrases.js';
import { compactTitle } from '../../words/column-titles.js';
import { templateTopics } from './template-topics.js';

const conceptSchema = z.strictObject({
  id: keySchema,
  asked_by: phrasesSchema,
  /** Other words that ask for it together: one of each group. */
  asked_by_all: z.array(phrasesSchema).min(2).optional(),
  /** Words that give the item another meaning. */
  unless: phrasesSchema.optional(),
  auto: z.enum(AUTOMATION),
  checks: z.array(checkSchema).min(1),
});
const fileSchema = z.strictObject({ concepts: z.array(conceptSchema).min(1), descriptive: phrasesSchema });

/** The checks that the words of an item ask for, and how far they answer it. Without any the text itself is looked for. */
export type ChecksForText = (text: string, guidance?: string) => Pick<ChecklistItem, 'automation' | 'checks'>;

/**
 * Reads what the words of checklist items mean (`words/checklist-concepts.yaml`). Words of the item count; those of its
 * guidance only where the item itself names nothing. Throws `DataError` for a file that cannot be used.
 */
export function loadChecksForText(data: DataFolder = BUILT_IN_DATA): Promise<ChecksForText> {
  return once(data, 'checklist concepts', async () => {
    const [{ value }, documentTypes] = await Promise.all([
      readDataFile(data, 'words/checklist-concepts.yaml', fileSchema),
      loadDocumentTypes(data),
    ]);
    const describes = phraseFinder(everyPhrase(value.descriptive));
    const topics = templateTopics(documentTypes.values(), (text) => describes(text).length > 0);
    const typeIn = typeFinder();
    const named = conceptFinder(value.concepts);
    return (text, guidance = '') => {
      const inText = named(text);
      if (inText.length === 0) {
        const checks = topics(text);
        if (checks.length > 0) return { automation: 'assisted', checks };
      }
      const found = inText.length > 0 ? inText : named(guidance);
      if (found.length === 0) return { automation: 'assisted', checks: [] };
      const type = typeIn(text);
      return {
        automation: leastOf(found.map(({ auto }) => auto)),
        checks: found.flatMap(({ checks }) => checks.map((check) => narrowed(check, type))),
      };
    };
  });
}

type Concept = z.output<typeof conceptSchema>;

/** The concepts that a text names. One search for the words of all of them: a text is taken apart once. */
function conceptFinder(concepts: readonly Concept[]): (text: string) => readonly Concept[] {
  const phrases = concepts.flatMap((concept) => [
    ...everyPhrase(concept.asked_by).map((phrase) => ({ phrase, concept, asks: true })),
    ...(concept.unless ? everyPhrase(concept.unless) : []).map((phrase) => ({
      phrase,
      concept,
      asks: false,
    })),
  ]);
  const find = phraseFinder(phrases.map(({ phrase }) => phrase));
  const groups = concepts.flatMap((concept) =>
    (concept.asked_by_all ?? []).map((words) => ({ concept, words })),
  );
  const grouped = groups.flatMap(({ words }, group) =>
    everyPhrase(words).map((phrase) => ({ phrase, group })),
  );
  const findGrouped = phraseFinder(grouped.map(({ phrase }) => phrase));
  return (text) => {
    const found = find(text).map(({ phrase }) => phrases[phrase]!);
    const asked = new Set(found.filter(({ asks }) => asks).map(({ concept }) => concept));
    // Words that no phrase holds count where no phrase is found: a question names its subject once.
    const named = new Set(
      asked.size > 0 ? [] : findGrouped(text).map(({ phrase }) => grouped[phrase]!.group),
    );
    for (const concept of concepts) {
      const own = groups.flatMap((one, at) => (one.concept === concept ? [at] : []));
      if (own.length > 0 && own.every((at) => named.has(at))) asked.add(concept);
    }
    const excluded = new Set(found.filter(({ asks }) => !asks).map(({ concept }) => concept));
    return concepts.filter((concept) => asked.has(concept) && !excluded.has(concept));
  };
}

const SUBJECT = /^\s*(?:for|für)\s+(?<subject>[^:,.?]{3,60})[:,]/iu;

/** Artifact types that an item says it is about ("For stakeholder requirements: …"); none where one is not known. */
export function subjectOf(text: string): readonly ArtifactType[] {
  const subject = SUBJECT.exec(text)?.groups?.subject;
  if (subject === undefined) return [];
  const { typeOfName, typeOfWord } = extractionWords();
  const parts = subject.split(/\s*[/,]\s*|\s+(?:and|or|und|oder)\s+/u);
  const noun = parts.at(-1)!.split(/[\s-]/u).at(-1)!;
  const types = parts.map((part) => {
    const whole = part.toLowerCase().endsWith(noun.toLowerCase()) ? part : `${part} ${noun}`;
    const compact = compactTitle(whole);
    return [compact, compact.replace(/(?:s|en)$/u, '')]
      .map((title) => typeOfName.get(title) ?? typeOfWord.get(title))
      .find((type) => type !== undefined && type !== 'unknown');
  });
  return types.every((type) => type !== undefined) ? [...new Set(types)] : [];
}

/** Finds the type of requirement that a text calls by its name first: what it is about; others are what that is linked to. */
function typeFinder(): (text: string) => ArtifactType | undefined {
  const { names, typeOfName } = extractionWords();
  const find = phraseFinder(names);
  return (text) =>
    find(text)
      .map(({ phrase }) => typeOfName.get(compactTitle(names[phrase]!)))
      .find((type) => type !== undefined && /requirement$|goal$/.test(type));
}

/** A check of requirements looks at those that the item names. */
function narrowed(check: Check, type: ArtifactType | undefined): Check {
  const isNarrow = check.check === 'wording' || check.check === 'linked' || check.check === 'inherited';
  return isNarrow && type ? { ...check, types: [type] } : check;
}

/** What needs a person most. */
function leastOf(levels: readonly Automation[]): Automation {
  return levels.reduce((least, level) =>
    AUTOMATION.indexOf(level) > AUTOMATION.indexOf(least) ? level : least,
  );
}
