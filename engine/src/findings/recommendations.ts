import { type Sentence, type SentenceKey, say } from '../sentences/sentence.js';
import { isKnownKey } from '../sentences/texts.js';

/** Who normally owns a work product of one of the types. */
export const ownerOf = (documentTypes: readonly string[]): Sentence => ofTypes('owners', documentTypes);

/** What is at stake when something is missing in a work product of one of the types. */
export const stakesOf = (documentTypes: readonly string[]): Sentence => ofTypes('stakes', documentTypes);

/** The text of the first type that has one. */
function ofTypes(file: 'owners' | 'stakes', documentTypes: readonly string[]): Sentence {
  const key = documentTypes.map((type) => `${file}.${type}`).find(isKnownKey);
  return key === undefined ? say(`${file}.default`) : { key: key satisfies string as SentenceKey };
}
