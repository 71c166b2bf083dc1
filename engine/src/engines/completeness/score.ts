import {
  COMPLETENESS_STATES,
  type CompletenessScore,
  type CompletenessState,
  type SectionResult,
} from './completeness.js';
import { completenessRules } from './rules.js';

/**
 * Weighted share of the sections that are demanded (domain D.3). Sections whose condition is open are left out, and
 * counted; an optional section that is there can only raise the value.
 */
export function scoreOf(sections: readonly SectionResult[]): CompletenessScore {
  const { weights } = completenessRules();
  const states = Object.fromEntries(COMPLETENESS_STATES.map((state) => [state, 0])) as Record<
    CompletenessState,
    number
  >;
  let all = 0;
  let met = 0;
  for (const section of sections) {
    if (section.applies !== 'yes') continue;
    states[section.state]++;
    all += weights[section.severity]!;
    met += weights[section.severity]! * worthOf(section);
  }
  const unknown = sections.filter((section) => section.applies === 'unknown').length;
  if (all === 0) return { value: null, states, unknown };
  for (const section of sections) {
    if (section.need !== 'optional' || worthOf(section) * all <= met) continue;
    all += weights[section.severity]!;
    met += weights[section.severity]! * worthOf(section);
  }
  return { value: Math.round((met / all) * 1000) / 10, states, unknown };
}

/** A reference counts where it leads to the content. */
function worthOf({ state, reference }: SectionResult): number {
  if (state === 'by_reference' && reference?.target !== 'provided') return 0;
  return completenessRules().values[state];
}
