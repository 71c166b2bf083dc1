import type { PassageRole } from '../../corpus/passages/passage.js';
import type { Trap } from './trap.js';

const PLACE: Partial<Record<PassageRole, { trap: `T${number}`; note: string }>> = {
  heading: { trap: 'T1', note: 'it is only a heading' },
  toc: { trap: 'T1', note: 'it stands only in the table of contents' },
  header_footer: { trap: 'T1', note: 'it stands only in a page header or footer' },
  caption: { trap: 'T1', note: 'it is only the title of a figure or table' },
  scope: { trap: 'T1', note: 'a scope or purpose statement announces content, it does not show it' },
  references: { trap: 'T1', note: 'it stands only in a list of references' },
  glossary: { trap: 'T1', note: 'it only explains a term' },
  catalogue: { trap: 'T1', note: 'it stands in a pick list or rating scale that comes with the form' },
  history: { trap: 'T1', note: 'it stands only in the change history' },
  code: { trap: 'T1', note: 'it stands only in code' },
  guidance: { trap: 'T8', note: 'it is the template speaking to its author' },
  comment: { trap: 'T11', note: "it is a reviewer's remark" },
  other_item: { trap: 'T4', note: 'it is about another item or variant' },
  example: { trap: 'T15', note: 'it is an example' },
};

/** T1, T4, T8, T11, T15: the topic stands where topics are named, explained or remarked on, not treated. */
export const roleTrap: Trap = ({ role }) => {
  if (role === 'body') return undefined;
  if (role === 'figure') {
    return { trap: 'T14', rule: 'T14-figure-only', effect: 'human', note: 'it stands only in a figure' };
  }
  const place = PLACE[role]!;
  const effect = role === 'comment' ? 'counter' : 'ignored';
  return { trap: place.trap, rule: `${place.trap}-${role.replace('_', '-')}`, effect, note: place.note };
};
