import { isArea, lifecycle } from '@normtrace/engine';
import { z } from 'zod';
import { text } from '../../platform/http/schemas.js';

const { phases, areas } = lifecycle();
const PHASES = phases.map(({ id }) => id) as [string, ...string[]];

export const Phase = z.enum(PHASES).meta({
  id: 'ProjectPhase',
  description: 'A phase of a project: what belongs to a later one is not due yet.',
});

export const TailoredOut = z
  .strictObject({
    area: text({ min: 1, max: 80 })
      .refine(isArea, `One of ${areas.map(({ id }) => id).join(', ')}, or the beginning of ids of criteria.`)
      .meta({
        description: `An area of work (${areas.map(({ id }) => `\`${id}\``).join(', ')}), or the beginning of ids of criteria (\`26262-8:12\`).`,
      }),
    reason: text({ min: 3, max: 1000 }).meta({ description: 'Why it is not done in this project.' }),
  })
  .meta({ id: 'NewTailoredOut', description: 'What is not done in a project, and why.' });

/** As it was told. */
export const ToldTailoredOut = z
  .object({
    area: z.string().meta({ description: 'An area of work, or the beginning of ids of criteria.' }),
    reason: z.string().meta({ description: 'Why it is not done in this project.' }),
  })
  .meta({ id: 'TailoredOut', description: 'What is not done in a project, and why.' });

/** What of the standards is outside of a project, as a run or a workspace says it. */
export const ProjectScopeFields = {
  phase: Phase.nullable()
    .optional()
    .meta({
      description:
        'The phase that the project is in: what is due in a later one stands in `not_due` and is not counted. Null: all of it ' +
        'is due. Default: as the workspace remembers it; what a run is told is remembered.',
    }),
  tailored_out: z
    .array(TailoredOut)
    .max(50)
    .optional()
    .meta({
      description:
        'What is not done in this project, each with its reason; it stands in `not_due` and is not counted. Default: as the ' +
        'workspace remembers it; what a run is told is remembered.',
    }),
};
const Fields = z.object(ProjectScopeFields);
export type ProjectScope = z.output<typeof Fields>;

export const NotDue = z
  .object({
    because: z.enum(['phase', 'person', 'plan', 'planned']).meta({
      description:
        '`phase`: due in a later one; `person`: tailored out; `plan`: a plan among the documents leaves it out; `planned`: a ' +
        'plan has its activity for later.',
    }),
    reason: z.string(),
    items: z.array(z.string()).meta({
      description: 'Ids of criteria, items of checklists, sections (`<type>.<key>`) or artifacts.',
    }),
  })
  .meta({ id: 'NotDue', description: 'What is not due or not done: no gap, in no score and in no count.' });

const Named = { id: z.string(), name: z.object({ en: z.string(), de: z.string() }) };
export const ProjectPhases = z
  .object({
    phases: z.array(z.object(Named)).meta({ description: 'In their order.' }),
    areas: z
      .array(z.object({ ...Named, phase: z.string().meta({ description: 'In which its results are due.' }) }))
      .meta({ description: 'Work that a project may leave out.' }),
  })
  .meta({ id: 'ProjectPhases', description: 'What a project may be in the middle of, and leave out.' });
