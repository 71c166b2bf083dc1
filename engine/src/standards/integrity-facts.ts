import { z } from 'zod';
import { BUILT_IN_DATA, type DataFolder, once, readDataFile } from '../data/load-data.js';
import { keySchema } from '../data/shared-schemas.js';
import type { Verification } from './criterion.js';
import { verificationSchema } from './verification-schema.js';

/** How independent the person is: I0 should be another person … I3 another department or organisation. */
export type IndependenceLevel = 'i0' | 'i1' | 'i2' | 'i3';

/** A confirmation measure with the independence that each integrity level asks for (domain C.1). */
export interface ConfirmationMeasure {
  readonly id: string;
  readonly title: string;
  /** What plans call it as well, in German too. */
  readonly aliases: readonly string[];
  /** By the highest ASIL of the item; absent where the measure is not demanded. */
  readonly independence: Readonly<Partial<Record<'QM' | 'A' | 'B' | 'C' | 'D', IndependenceLevel>>>;
}

export interface ConfirmationIndependence {
  readonly verified: Verification;
  /** What each level means, and whether it is demanded or recommended. */
  readonly levels: readonly {
    readonly id: IndependenceLevel;
    readonly meaning: string;
    readonly obligation: 'shall' | 'should';
  }[];
  readonly measures: readonly ConfirmationMeasure[];
}

/** Target of a metric for random hardware failures (domain C.4). */
export interface HardwareMetric {
  readonly id: 'spfm' | 'lfm' | 'pmhf';
  readonly title: string;
  /** `ratio`: 0 to 1; `per_hour`: failures per hour of operation (1e-9 is one FIT). */
  readonly unit: 'ratio' | 'per_hour';
  readonly direction: 'at_least' | 'below';
  /** By the ASIL of the safety goal; for B a recommendation. */
  readonly targets: Readonly<Record<'B' | 'C' | 'D', number>>;
  readonly verified: Verification;
}

const levelSchema = z.enum(['i0', 'i1', 'i2', 'i3']);
const demandedSchema = z.enum(['i0', 'i1', 'i2', 'i3', 'none']);

const independenceSchema = z.strictObject({
  standard: z.string(),
  verified: verificationSchema,
  levels: z
    .array(z.strictObject({ id: levelSchema, meaning: z.string(), obligation: z.enum(['shall', 'should']) }))
    .length(4),
  measures: z.array(
    z.strictObject({
      id: keySchema,
      title: z.string(),
      aliases: z.array(z.string()),
      qm: demandedSchema,
      a: demandedSchema,
      b: demandedSchema,
      c: demandedSchema,
      d: demandedSchema,
    }),
  ),
});

const metricsSchema = z.strictObject({
  standard: z.string(),
  verified: verificationSchema,
  metrics: z.array(
    z.strictObject({
      id: z.enum(['spfm', 'lfm', 'pmhf']),
      title: z.string(),
      unit: z.enum(['ratio', 'per_hour']),
      direction: z.enum(['at_least', 'below']),
      targets: z.strictObject({ b: z.number(), c: z.number(), d: z.number() }),
    }),
  ),
});

/** The table of independence, which an installation may correct. Throws `DataError` for a file that cannot be used. */
export function loadConfirmationIndependence(
  data: DataFolder = BUILT_IN_DATA,
): Promise<ConfirmationIndependence> {
  return once(data, 'confirmation independence', async () => {
    const { value } = await readDataFile(data, 'confirmation-independence.yaml', independenceSchema);
    const measures = value.measures.map(({ id, title, aliases, qm, a, b, c, d }) => {
      const demanded = Object.entries({ QM: qm, A: a, B: b, C: c, D: d }).filter(
        ([, level]) => level !== 'none',
      );
      return { id, title, aliases, independence: Object.fromEntries(demanded) };
    });
    return { verified: value.verified, levels: value.levels, measures };
  });
}

/** Targets of SPFM, LFM and PMHF. Throws `DataError` for a file that cannot be used. */
export function loadHardwareMetrics(data: DataFolder = BUILT_IN_DATA): Promise<readonly HardwareMetric[]> {
  return once(data, 'hardware metrics', async () => {
    const { value } = await readDataFile(data, 'hardware-metrics.yaml', metricsSchema);
    return value.metrics.map(({ targets: { b, c, d }, ...metric }) => ({
      ...metric,
      targets: { B: b, C: c, D: d },
      verified: value.verified,
    }));
  });
}
