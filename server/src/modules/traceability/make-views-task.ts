import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { constants, deflateRawSync, inflateRaw } from 'node:zlib';
import type { Language } from '../../platform/http/language.js';
import type { EngineTask } from '../engine/engine-task.js';
import { countLevels } from './count-levels.js';
import { examine, type TraceOptions } from './examine-trace-task.js';
import { ALL_GAPS, type ListedGaps, writeGaps } from './list-gaps.js';
import { readTrace, type TraceColumns } from './read-trace.js';
import type { LevelCounts } from './trace-levels.repository.js';
import { type PackedMap, packedMap } from './trace-map-task.js';
import { askPlaces } from './trace-places.js';

export interface MakeViewsInput {
  readonly workspaceId: string;
  readonly columns: TraceColumns;
  readonly options: TraceOptions;
  /** See `selectAssumed`. */
  readonly assumed: Uint8Array | null;
}

/** What the screens of the trace are drawn from, as it is stored: see `unpackView`. */
export interface PackedViews {
  /** `PackedMap` */
  readonly map: Uint8Array;
  /** `ListedGaps` */
  readonly gaps: Readonly<Record<Language, Uint8Array>>;
  readonly levels: LevelCounts;
}

/** Raised when what is stored takes another form: what was stored before is made again then. */
export const VIEW_FORM = 2;

/** Examines a trace once for the map and for the gaps in each language, and counts its levels. */
export const makeViewsTask: EngineTask<MakeViewsInput, PackedViews> = {
  name: 'makeTraceViews',
  processorSeconds: 240,
  work: async ({ workspaceId, columns, options, assumed }, context) => {
    const trace = readTrace(columns);
    const examination = await examine(trace, { ...options, listedPerType: ALL_GAPS });
    const places = await askPlaces(examination.analysis.gaps, { workspaceId, links: trace.links }, context);
    const gapsIn = (language: Language): Uint8Array =>
      packView(writeGaps(examination, { places, as: 'gaps', language }));
    return {
      result: {
        map: packView(packedMap(examination)),
        gaps: { en: gapsIn('en'), de: gapsIn('de') },
        levels: countLevels(columns, assumed),
      },
    };
  },
};

const inflated = promisify(inflateRaw);

const packView = (view: PackedMap | ListedGaps): Uint8Array =>
  new Uint8Array(deflateRawSync(serialize(view), { level: constants.Z_BEST_SPEED }));

export const unpackView = async <View extends PackedMap | ListedGaps>(packed: Uint8Array): Promise<View> =>
  deserialize(await inflated(packed)) as View;
