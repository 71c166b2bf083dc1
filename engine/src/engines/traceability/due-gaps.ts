import type { Outside } from '../../facts/project-scope.js';
import { NOT_DUE_RULES, type NotDue, notDueOf } from '../../findings/not-due.js';
import { worded } from '../../sentences/worded.js';
import type { TraceGap } from './traceability.js';

/** Gaps that are due in the phase of the project, and what is not, by reason. Counts and coverage of the trace stay as they are. */
export function dueGaps(
  gaps: readonly TraceGap[],
  outside: readonly Outside[],
): { readonly due: readonly TraceGap[]; readonly notDue: readonly NotDue[] } {
  if (outside.length === 0) return { due: gaps, notDue: [] };
  const found = gaps.map((gap) => ({ gap, area: areaOf(gap, outside) }));
  return {
    due: found.flatMap(({ gap, area }) => (area ? [] : [gap])),
    notDue: notDueOf(
      found.flatMap(({ gap, area }) =>
        area
          ? [
              {
                id: gap.artifactId,
                rules: [NOT_DUE_RULES[area.because]],
                evidence: area.evidence,
                ...worded({ reason: area.reason }),
              },
            ]
          : [],
      ),
    ),
  };
}

const areaOf = (
  { gapType, kind, artifactType }: TraceGap,
  outside: readonly Outside[],
): Outside | undefined =>
  outside.find(({ gaps }) =>
    gaps.some((one) => one === `${gapType}/${kind}` || one === `${gapType}/${kind} ${artifactType}`),
  );
