import { type Location, printLocation } from '../documents/location.js';
import type { Severity } from '../findings/finding.js';
import { printPlace } from '../reports/layout/print-place.js';
import { render } from '../sentences/render.js';
import { type Language, type Sentence, say } from '../sentences/sentence.js';

/** What a command prints, in the language that was asked for. */
export interface Words {
  readonly language: Language;
  /** A sentence of `data/texts`. */
  (sentence: Sentence): string;
  place(location: Location): string;
}

export function wordsIn(language: Language): Words {
  const words = (sentence: Sentence): string => render(sentence, language);
  const place = (location: Location): string =>
    language === 'en' ? printLocation(location) : printPlace(location, language);
  return Object.assign(words, { language, place });
}

export const severityName = (severity: Severity): Sentence => say(`terminal.severity.${severity}`);
