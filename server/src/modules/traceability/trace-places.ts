import type { Location, TraceGap, TraceLink } from '@normtrace/engine';
import type { TaskContext } from '../../platform/processes/serve-tasks.js';
import { ask, type EngineQuestion } from '../engine/engine-question.js';
import { BETWEEN, traceRowId } from './trace-columns.js';

/** Where something stands. */
export interface PlaceRow {
  readonly work_product_id: string;
  readonly version: number;
  readonly location: Location;
  readonly quote: string;
  readonly start: number;
  readonly end: number;
}

/** Rows of the trace whose places are asked for. */
export interface AskedPlaces {
  /** Rows of the trace that documents state, as a column. */
  readonly ids: string;
  /** What each is, as a column. */
  readonly kinds: string;
}

/** As they come from the database: what many rows would say again and again goes once. */
export interface FoundPlaces {
  /** `PackedPlace` or null for each row, in the order asked for, as JSON. */
  readonly places: string;
  /** Versions that the rows of documents are from, by their work products. */
  readonly versions: Readonly<Record<string, number>>;
}

type PackedPlace = readonly [
  work_product_id: string,
  location: Location,
  quote: string,
  start: number,
  end: number,
];

export const placesOf: EngineQuestion<AskedPlaces, FoundPlaces> = { kind: 'places of the trace' };

/** An artifact, the integrity level of one, or a link. */
export type Placed = 'artifact' | 'level' | 'link';

/** Places in one question: the side that answers serves others, too. */
const AT_ONCE = 2000;
/** Questions at the same time: the database answers them side by side. */
const QUESTIONS = 3;

/** Kinds of gaps about integrity levels. */
const ABOUT_LEVELS = /^AI-/;

/**
 * Asks where the gaps of a trace stand: their link, else their artifact; null for what people added.
 * @returns In the order of the gaps.
 */
export async function askPlaces(
  gaps: readonly TraceGap[],
  about: { readonly workspaceId: string; readonly links: readonly TraceLink[] },
  context: TaskContext,
): Promise<readonly (PlaceRow | null)[]> {
  const idOf = (...parts: string[]): string => traceRowId(about.workspaceId, 'document', ...parts);
  const asked: AskedPlaces[] = [];
  for (let at = 0; at < gaps.length; at += AT_ONCE) {
    const ids: string[] = [];
    const kinds: Placed[] = [];
    for (const { kind, artifactId, link } of gaps.slice(at, at + AT_ONCE)) {
      if (link === undefined) {
        ids.push(idOf(artifactId));
        kinds.push(ABOUT_LEVELS.test(kind) ? 'level' : 'artifact');
      } else {
        const { sourceId, type, targetId } = about.links[link]!;
        ids.push(idOf(sourceId, type, targetId));
        kinds.push('link');
      }
    }
    asked.push({ ids: ids.join(BETWEEN), kinds: kinds.join(BETWEEN) });
  }
  const found: FoundPlaces[] = [];
  const questions = asked.entries();
  const askOn = async (): Promise<void> => {
    for (const [at, question] of questions) found[at] = await ask(context, placesOf, question);
  };
  await Promise.all(Array.from({ length: QUESTIONS }, askOn));
  return found.flatMap(({ places, versions }) =>
    (JSON.parse(places) as (PackedPlace | null)[]).map(
      (place) =>
        place && {
          work_product_id: place[0],
          version: versions[place[0]]!,
          location: place[1],
          quote: place[2],
          start: place[3],
          end: place[4],
        },
    ),
  );
}
