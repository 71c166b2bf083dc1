import { z } from 'zod';
import { readTable } from '../words/read-words.js';

const schema = z.strictObject({
  owners: z.record(z.string(), z.string()),
  stakes: z.record(z.string(), z.string()),
});

const theWords = () => readTable('recommendations', schema);

/** Who normally owns a work product of one of the types. */
export function ownerOf(documentTypes: readonly string[]): string {
  const { owners } = theWords();
  return documentTypes.map((type) => owners[type]).find((owner) => owner !== undefined) ?? owners.default!;
}

/** What is at stake when something is missing in a work product of one of the types. */
export function stakesOf(documentTypes: readonly string[]): string {
  const { stakes } = theWords();
  return documentTypes.map((type) => stakes[type]).find((stake) => stake !== undefined) ?? stakes.default!;
}
