import type { PassageRole } from '../../corpus/passages/passage.js';
import { type Sentence, say } from '../../sentences/sentence.js';
import type { Trap } from './trap.js';

const PLACE: Partial<Record<PassageRole, { trap: `T${number}`; note: Sentence }>> = {
  heading: { trap: 'T1', note: say('verdicts.it-is-only-a-heading') },
  toc: { trap: 'T1', note: say('verdicts.it-stands-only-in-the-table') },
  header_footer: { trap: 'T1', note: say('verdicts.it-stands-only-in-a-page') },
  caption: { trap: 'T1', note: say('verdicts.it-is-only-the-title-of') },
  scope: { trap: 'T1', note: say('verdicts.a-scope-or-purpose-statement-announces') },
  references: { trap: 'T1', note: say('verdicts.it-stands-only-in-a-list') },
  glossary: { trap: 'T1', note: say('verdicts.it-only-explains-a-term') },
  catalogue: { trap: 'T1', note: say('verdicts.it-stands-in-a-pick-list') },
  history: { trap: 'T1', note: say('verdicts.it-stands-only-in-the-change') },
  code: { trap: 'T1', note: say('verdicts.it-stands-only-in-code') },
  guidance: { trap: 'T8', note: say('verdicts.it-is-the-template-speaking-to') },
  comment: { trap: 'T11', note: say('verdicts.it-is-a-reviewer-s-remark') },
  other_item: { trap: 'T4', note: say('verdicts.it-is-about-another-item-or') },
  example: { trap: 'T15', note: say('verdicts.it-is-an-example') },
};

/** T1, T4, T8, T11, T15: the topic stands where topics are named, explained or remarked on, not treated. */
export const roleTrap: Trap = ({ role }) => {
  if (role === 'body') return undefined;
  if (role === 'figure') {
    return {
      trap: 'T14',
      rule: 'T14-figure-only',
      effect: 'human',
      note: say('verdicts.it-stands-only-in-a-figure'),
    };
  }
  const place = PLACE[role]!;
  const effect = role === 'comment' ? 'counter' : 'ignored';
  return { trap: place.trap, rule: `${place.trap}-${role.replace('_', '-')}`, effect, note: place.note };
};
