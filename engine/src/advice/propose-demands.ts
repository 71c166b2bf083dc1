import type { Asking, NoAnswer } from '../models/asking.js';
import { mayOrderModel } from '../text/embedded-instruction.js';
import { splitSentences, type TextRange } from '../text/sentences.js';

/** A demand that a model found on a page: its sentences, and the clause as it stands there. */
export interface ProposedDemand {
  readonly sentences: readonly TextRange[];
  /** Empty where the page has none. */
  readonly clause: string;
}

/**
 * Asks which sentences of a page of an uploaded standard demand something. Only sentences of the page count, each for one demand; a
 * clause that does not stand on the page is left out. Nothing is asked where words of the standard may not be sent.
 */
export async function proposeDemands(
  pages: readonly string[],
  { asking }: { readonly asking: Asking },
): Promise<readonly (readonly ProposedDemand[] | { readonly failed: NoAnswer })[]> {
  if (!asking.use.sendsStandard) return pages.map(() => ({ failed: 'policy' }));
  const read = pages.map((page) => {
    const ranges = splitSentences(page).filter(({ start, end }) => !mayOrderModel(page.slice(start, end)));
    return { page, ranges: new Map(ranges.map((range, at) => [`s${at + 1}`, range])) };
  });
  const answers = await asking.ask(
    read.map(({ page, ranges }) => ({
      task: 'demands' as const,
      values: {
        sentences: [...ranges].map(([id, { start, end }]) => ({ id, sentence: page.slice(start, end) })),
      },
      sends: [],
      sendsStandard: true,
    })),
  );
  return read.map(({ page, ranges }, at) => {
    const given = answers[at]!;
    if ('failed' in given) return given;
    const used = new Set<string>();
    return given.answer.demands.flatMap(({ sentences, clause }): ProposedDemand[] => {
      const own = [...new Set(sentences)].filter((id) => ranges.has(id) && !used.has(id));
      for (const id of own) used.add(id);
      if (own.length === 0) return [];
      const number = clause.trim();
      const stands = number !== '' && number.length <= 20 && /\d/.test(number) && standsIn(page, number);
      const places = own.map((id) => ranges.get(id)!).sort((a, b) => a.start - b.start);
      return [{ sentences: places, clause: stands ? number : '' }];
    });
  });
}

/** Whether a number stands in a text as a whole: 5.2 not in 15.2 or 5.2.1. */
function standsIn(text: string, number: string): boolean {
  const escaped = number.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}.])${escaped}(?![\\p{L}\\p{N}]|\\.\\d)`, 'u').test(text);
}
