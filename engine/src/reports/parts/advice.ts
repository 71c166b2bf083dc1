import type { CompletenessAnalysis } from '../../engines/completeness/completeness.js';
import type { LinkOpinions } from '../../engines/traceability/second-links.js';
import type { ReportAdvice } from '../report.js';

const RATINGS = ['unusable', 'weak', 'fair', 'good'] as const;

/** What a language model has against the wording of requirements, and what it takes chapters for. */
export const adviceOnDocuments = ({
  opinions = [],
  chapters = [],
}: Pick<CompletenessAnalysis, 'opinions' | 'chapters'>): readonly ReportAdvice[] => [
  ...chapters.flatMap(({ name, heading, typeId, evidence }): ReportAdvice[] =>
    typeId === undefined || heading === undefined
      ? []
      : [
          {
            ...{ kind: 'chapter', subject: `${name}: ${heading}`, about: typeId, says: 'yes', because: '' },
            quotes: evidence.map(({ quote }) => quote),
          },
        ],
  ),
  ...opinions.flatMap(({ requirementId, axis, score, reason = '', evidence }): ReportAdvice[] =>
    score === undefined || score === 3
      ? []
      : [
          {
            ...{
              kind: 'wording',
              subject: requirementId,
              about: axis,
              says: RATINGS[score],
              because: reason,
            },
            quotes: evidence.map(({ quote }) => quote),
          },
        ],
  ),
];

/** What a language model said of proposed links. */
export const adviceOnLinks = ({ links }: Pick<LinkOpinions, 'links'>): readonly ReportAdvice[] =>
  links.flatMap(({ artifactId, proposed, answer, shared = '' }): ReportAdvice[] =>
    answer === 'yes' || answer === 'no'
      ? [
          {
            ...{ kind: 'link', subject: `${artifactId} → ${proposed.artifactId}`, about: proposed.link.type },
            ...{ says: answer, because: shared, quotes: [] },
          },
        ]
      : [],
  );
