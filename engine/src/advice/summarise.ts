import type { Asking, NoAnswer } from '../models/asking.js';
import { modelWords } from '../models/read-answer.js';
import type { Language } from '../sentences/sentence.js';
import { mayOrderModel } from '../text/embedded-instruction.js';
import { isGrounded } from './grounded.js';
import { promisesFulfilment } from './promises.js';

export interface ToSummarise {
  /** What was analysed, in words of ours: "ISO 26262-3:2018". */
  readonly subject: string;
  readonly language: Language;
  /** Counts by name: `gaps.critical`. The model sees the names only. */
  readonly counts: Readonly<Record<string, number>>;
  /** Most important first; forty are shown. Titles hold no words of documents. */
  readonly findings: readonly { readonly id: string; readonly severity: string; readonly title: string }[];
}

/** A sentence of a summary with the findings that it rests on. */
export interface SummarySentence {
  readonly text: string;
  readonly findings: readonly string[];
}

const MOST_FINDINGS = 40;
const MOST_SENTENCES = 6;

/**
 * A few sentences about a result. Numbers are put in by code; a sentence that calls something fulfilled, with a number, id, clause or level of its own, with a
 * finding that was not shown, or about nothing that was counted or found, is left out.
 */
export async function summarise(
  { subject, language, counts, findings }: ToSummarise,
  { asking }: { readonly asking: Asking },
): Promise<{ readonly sentences: readonly SummarySentence[] } | { readonly failed: NoAnswer }> {
  const shown = findings.filter(({ title }) => !mayOrderModel(title)).slice(0, MOST_FINDINGS);
  const ids = new Map(shown.map((one, at) => [`f${at + 1}`, one]));
  const [given] = await asking.ask([
    {
      task: 'summary',
      values: {
        language,
        subject,
        counts: Object.keys(counts).map((name) => ({ name: `{${name}}` })),
        findings: [...ids].map(([id, { severity, title }]) => ({ id, severity, title })),
      },
      sends: [],
    },
  ]);
  if (!given || 'failed' in given) return { failed: given?.failed ?? 'empty' };
  const input = [subject, ...shown.map(({ title }) => title)];
  const sentences = given.answer.sentences.flatMap(({ text, findings: named }): SummarySentence[] => {
    const words = modelWords(text);
    const slots = [...words.matchAll(/\{([\w.]+)\}/g)].map(([, name]) => name!);
    const isKnown = slots.every((name) => Object.hasOwn(counts, name)) && named.every((id) => ids.has(id));
    const isAbout = slots.length + named.length > 0;
    const plain = words.replace(/\{[\w.]+\}/g, '');
    if (!isKnown || !isAbout || /[{}]/.test(plain)) return [];
    if (promisesFulfilment(plain) || !isGrounded(plain, input)) return [];
    const filled = words.replace(/\{([\w.]+)\}/g, (_, name: string) => String(counts[name]));
    return [{ text: filled, findings: named.map((id) => ids.get(id)!.id) }];
  });
  return { sentences: sentences.slice(0, MOST_SENTENCES) };
}
