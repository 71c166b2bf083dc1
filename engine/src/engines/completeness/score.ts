import type { Agreement } from '../../contradictions/agreement.js';
import {
  COMPLETENESS_STATES,
  type CompletenessScore,
  type CompletenessState,
  type SectionResult,
} from './completeness.js';
import { completenessRules } from './rules.js';

/**
 * Weighted share of the sections that are demanded (domain D.3), of several documents together times how far they agree with
 * themselves. Sections whose condition is open are left out, and
 * counted; an optional section that is there can only raise the value.
 */
export function scoreOf(sections: readonly SectionResult[], agreement?: Agreement): CompletenessScore {
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
  const agreed = agreement ? { agreement } : {};
  if (all === 0) return { value: null, states, unknown, ...agreed };
  for (const section of sections) {
    if (section.need !== 'optional' || worthOf(section) * all <= met) continue;
    all += weights[section.severity]!;
    met += weights[section.severity]! * worthOf(section);
  }
  const share = (met / all) * (agreement?.value ?? 100);
  return { value: Math.round(share * 10) / 10, states, unknown, ...agreed };
}

/** A reference counts where it leads to the content. */
function worthOf({ state, reference }: SectionResult): number {
  if (state === 'by_reference' && reference?.target !== 'provided') return 0;
  return completenessRules().values[state];
}

/** Findings about content that is there and says nothing or something else; what is not there counts in its section. */
const OPEN_CONTENT: ReadonlySet<string> = new Set([
  'text_says_nothing',
  'other_language',
  'placeholder',
  'template_text',
  'table_empty',
  'table_cells',
  'metadata_value',
]);
export const isOpenContent = ({ kind }: { readonly kind: string }) => OPEN_CONTENT.has(kind);
