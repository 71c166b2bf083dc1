import type { Location } from '../../documents/location.js';
import type { Sentence } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { ExtractionNote, StatementSource } from './statement.js';

interface Place {
  readonly document: number;
  readonly location: Location;
}

/** Notes of one kind that are listed; all are counted. */
const MOST_LISTED = 100;

/** Collects what has to be told. */
export interface Notes {
  add(code: ExtractionNote['code'], message: Sentence, place: Place, other?: Place): void;
  readonly listed: readonly ExtractionNote[];
  readonly counts: Readonly<Partial<Record<ExtractionNote['code'], number>>>;
}

export function collectNotes(documents: readonly StatementSource[]): Notes {
  const listed: ExtractionNote[] = [];
  const counts: Partial<Record<ExtractionNote['code'], number>> = {};
  const placeOf = ({ document, location }: Place) => ({ documentId: documents[document]!.id, location });
  return {
    listed,
    counts,
    add(code, message, place, other) {
      const count = (counts[code] ?? 0) + 1;
      counts[code] = count;
      if (count > MOST_LISTED) return;
      listed.push({
        code,
        ...worded({ message }),
        ...placeOf(place),
        ...(other ? { other: placeOf(other) } : {}),
      });
    },
  };
}
