import { z } from 'zod';
import type { BothLanguages } from '../data/shared-schemas.js';
import { keySchema } from '../data/shared-schemas.js';
import { readTable } from '../words/read-words.js';

const named = z.strictObject({ en: z.string().min(1), de: z.string().min(1) });
const prefixes = z.array(z.string().min(1)).default([]);

const areaSchema = z.strictObject({
  id: keySchema,
  phase: keySchema,
  name: named,
  says: z.string(),
  criteria: prefixes,
  references: prefixes,
  sections: prefixes,
  gaps: prefixes,
  conditions: z.array(keySchema).default([]),
  with_it: z.strictObject({ criteria: prefixes, sections: prefixes }).optional(),
});

const schema = z
  .strictObject({
    phases: z.array(z.strictObject({ id: keySchema, name: named })).min(1),
    areas: z.array(areaSchema).min(1),
    plans: z.strictObject({
      types: z.array(keySchema).min(1),
      out_of_scope: z.array(z.string()).min(1),
      elsewhere: z.string(),
      around: z.string(),
      applied: z.string(),
      notApplied: z.string(),
      decision: z.string(),
    }),
  })
  .superRefine(({ phases, areas }, { addIssue }) => {
    const known = new Set(phases.map(({ id }) => id));
    for (const [index, { phase }] of areas.entries()) {
      if (known.has(phase)) continue;
      const message = `There is no phase "${phase}"`;
      addIssue({ code: 'custom', path: ['areas', index, 'phase'], message });
    }
  });

/** A phase of a project; what belongs to later ones is not due in it. */
export interface Phase {
  readonly id: string;
  readonly name: BothLanguages;
}

/** Work whose results are due at the end of a phase; prefixes of what belongs to it. */
export interface Area {
  readonly id: string;
  /** Id of the phase. */
  readonly phase: string;
  readonly name: BothLanguages;
  /** How plans name it. */
  readonly says: RegExp;
  /** Beginnings of ids of criteria, of references of checklist items; sections of templates (`<type>.<key>`). */
  readonly criteria: readonly string[];
  readonly references: readonly string[];
  readonly sections: readonly string[];
  /** Gaps of the trace: `type/kind`, or `type/kind <type of artifact>`. */
  readonly gaps: readonly string[];
  /** Ids of `conditions.yaml` that do not hold for whoever tailors the area out. */
  readonly conditions: readonly string[];
  /** What falls away with it where it is not done at all, though it is due in an earlier phase. */
  readonly withIt: { readonly criteria: readonly string[]; readonly sections: readonly string[] };
}

/** `data/phases.yaml`: phases in their order and what belongs to them. */
export interface Lifecycle {
  readonly phases: readonly Phase[];
  readonly areas: readonly Area[];
  readonly plans: {
    /** Types of documents that say it. */
    readonly types: readonly string[];
    readonly outOfScope: RegExp;
    /** Behind a part of the standard: who else plans it, or when. */
    readonly elsewhere: RegExp;
    readonly around: RegExp;
    readonly applied: RegExp;
    readonly notApplied: RegExp;
    readonly decision: RegExp;
  };
}

let known: Lifecycle | undefined;

/** The phases of projects. Throws `DataError` for a file that cannot be used. */
export function lifecycle(): Lifecycle {
  if (known) return known;
  const { phases, areas, plans } = readTable('phases', schema);
  known = {
    phases,
    areas: areas.map(({ with_it: withIt = { criteria: [], sections: [] }, says, ...area }) => ({
      ...area,
      says: new RegExp(`(?<![\\p{L}\\p{N}])(?:${says})(?![\\p{L}\\p{N}])`, 'giu'),
      withIt,
    })),
    plans: {
      types: plans.types,
      outOfScope: new RegExp(plans.out_of_scope.map((one) => `(?:${one})`).join('|'), 'iu'),
      elsewhere: new RegExp(plans.elsewhere, 'iu'),
      around: new RegExp(`(?<!\\p{L})${plans.around}(?!\\p{L})`, 'giu'),
      applied: new RegExp(plans.applied, 'iu'),
      notApplied: new RegExp(plans.notApplied, 'iu'),
      decision: new RegExp(plans.decision, 'iu'),
    },
  };
  return known;
}

/** A criterion, item, section or gap begins with a prefix: `26262-4:7` and what is below it, not `26262-4:75`. */
export function isFrom(id: string, prefix: string): boolean {
  return id.startsWith(prefix) && !/^\d/.test(id.slice(prefix.length));
}

/** An area by its id, or the beginning of the ids of criteria: `hardware`, `26262-8:12`. */
export const isArea = (name: string): boolean =>
  /^[\w.-]+:[\w.-]+$/.test(name) || lifecycle().areas.some(({ id }) => id === name);
