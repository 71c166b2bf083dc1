import { z } from 'zod';
import { Id } from '../../platform/http/schemas.js';
import { AnalysisType, Evidence, GapStatus, Severity, TextRange } from '../gaps/gaps.schemas.js';
import { DiffQuery } from './version-diff.schemas.js';

export const VersionGapsQuery = DiffQuery.pick({ base: true, head: true });

const place = (description: string) =>
  z
    .object({
      location: Evidence.shape.location,
      range: TextRange.meta({ description: 'Where exactly the quote stands in that version.' }),
    })
    .nullable()
    .meta({ description });

const VersionGap = z.object({
  gap_id: Id,
  criterion_id: z.string(),
  clause: z.string(),
  title: z.string(),
  status: GapStatus.meta({ description: 'As it is now.' }),
  severity: Severity.meta({ description: 'The one that counts now.' }),
  base: place('Its first quote in the older version; null where it quotes nothing there.'),
  head: place('Its first quote in the newer version; null where it quotes nothing there.'),
});
export type VersionGap = z.output<typeof VersionGap>;

const gaps = (description: string) =>
  z
    .object({
      total: z.int().meta({ description: 'How many there are.' }),
      items: z
        .array(VersionGap)
        .meta({ description: 'Gravest first; of two runs that are compared no more than 100.' }),
    })
    .meta({ description });

export const VersionGaps = z
  .object({
    work_product_id: Id,
    base: z.int().meta({ description: 'Number of the older version.' }),
    head: z.int().meta({ description: 'Number of the version that it is compared with.' }),
    runs: z
      .array(
        z.object({
          analysis_type: AnalysisType,
          standard_id: Id.nullable().meta({ description: 'Null where the run is about no standard.' }),
          base: Id.meta({ description: 'The newest run that read the older version.' }),
          head: Id.meta({ description: 'The newest run that read the newer version.' }),
          others_changed: z.int().meta({
            description:
              'Other documents that only one of the two runs read, or in another version: gaps can have come or gone with them.',
          }),
        }),
      )
      .meta({
        description:
          'What is compared: for each standard, checklist and type of analysis that read both versions two runs. Empty where none did.',
      }),
    gone: gaps('Found in the older version, and no longer in the newer one.'),
    new: gaps('Found in the newer version alone.'),
    moved: gaps('Found in both, quoted at other places of the document.'),
    same: z.int().meta({ description: 'Found in both, and not moved.' }),
    not_compared: z.int().meta({
      description: 'Found in the older version; the run of the newer one did not look at their clause.',
    }),
  })
  .meta({
    id: 'VersionGaps',
    description:
      'What became of the gaps that are about a document, were searched in it or quote it, from one version to another.',
  });
export type VersionGaps = z.output<typeof VersionGaps>;
