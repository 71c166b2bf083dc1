import { usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { recordWords } from '../../facts/stated/record-words.js';
import { kindsOfTitle } from '../../facts/stated/stated-columns.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { say } from '../../sentences/sentence.js';
import { splitSentences } from '../../text/sentences.js';
import { compactTitle } from '../../words/column-titles.js';
import { anyOf, patternOf } from '../../words/read-words.js';
import {
  firstOfEach,
  type StatedContext,
  type StatedContradiction,
  shown,
  stemsOf,
  textOf,
} from './stated-rule.js';

/** Rows that leave out a part of the standard's work. */
function tailoredOut({ facts }: StatedContext): readonly StatedItem[] {
  const out = anyOf(recordWords().tailoredOut);
  const notUsed = new RegExp(recordWords().notUsed, 'iu');
  return facts.items.filter((row) => {
    const decision = row.values.get('decision');
    if (row.table === undefined || !row.values.has('rationale') || !decision) return false;
    // "No" under "Tailored" leaves nothing out.
    const isAsked = !patternOf(recordWords().asksTailored).test(decision.title);
    return out.test(decision.text) || (isAsked && notUsed.test(decision.text.trim()));
  });
}

/** What is left out is left out for cost or time only. */
export function tailoredWithoutReason(context: StatedContext): readonly StatedContradiction[] {
  const noReason = new RegExp(recordWords().noReason, 'iu');
  return tailoredOut(context).flatMap((row): StatedContradiction[] => {
    const rationale = row.values.get('rationale')!;
    if (!noReason.test(rationale.text.trim())) return [];
    return [
      {
        rule: 'tailored-without-reason',
        item: `${row.key} ${row.document.id}`,
        confidence: 'medium',
        words: { what: row.id, rationale: rationale.text },
        affected: [row.id],
        evidence: [...shown(row, rationale, row.id), ...shown(row, row.values.get('decision'), 'decision')],
      },
    ];
  });
}

/** A dash, or nothing but the decision again. */
const EMPTY_REASON = /^(?:[-–—/.]*|n\/?a|none|keine?)$/iu;

/** A row or a sentence of the tailoring leaves a part out, and neither it nor what follows says why. */
export function tailoredWithoutAny({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const { tailoredOut: out, tailoringHeadings, partOfStandard, reasonGiven } = recordWords();
  const [isOut, isReason] = [anyOf(out), new RegExp(reasonGiven, 'iu')];
  const isTailoring = new RegExp(tailoringHeadings, 'iu');
  const isPart = new RegExp(partOfStandard, 'iu');
  const told = (place: {
    readonly document: StatedItem['document'];
    readonly what: string;
    readonly evidence: StatedContradiction['evidence'];
  }): StatedContradiction => ({
    rule: 'tailored-without-any',
    item: `${place.what.slice(0, 60)} ${place.document.id}`,
    confidence: 'medium',
    words: { what: place.what },
    affected: [place.what],
    evidence: place.evidence,
  });
  const inRows = facts.items.flatMap((row) => {
    const decision = row.values.get('decision');
    const said = decision && isOut.test(decision.text);
    if (row.table === undefined || !said || row.values.has('rationale') || !isTailoring.test(row.section))
      return [];
    // A column of reasons, empty in this row; without one, a sentence may give them.
    const columns = row.document.read.tables[row.table]?.columns ?? [];
    if (!columns.some((title) => kindsOfTitle(title ?? '').includes('rationale'))) return [];
    return [told({ document: row.document, what: row.id, evidence: shown(row, decision, row.id) })];
  });
  const empty = tailoredOut({ corpus, facts }).flatMap((row) =>
    EMPTY_REASON.test(textOf(row, 'rationale').trim())
      ? [
          told({
            document: row.document,
            what: row.id,
            evidence: shown(row, row.values.get('decision'), row.id),
          }),
        ]
      : [],
  );
  const inText = usableDocuments(corpus).flatMap((document) => {
    const { read } = document;
    return read.passages.flatMap((passage): StatedContradiction[] => {
      const block = read.document.blocks[passage.blockIndex]!;
      const title = block.location.section?.at(-1) ?? '';
      if (block.cells || passage.role !== 'body' || !isTailoring.test(title)) return [];
      const sentences = splitSentences(passage.text).map(({ start, end }) => ({
        start,
        end,
        text: passage.text.slice(start, end),
      }));
      const [label] = passage.text.split(':');
      return sentences.flatMap((sentence, at): StatedContradiction[] => {
        const { text, start, end } = sentence;
        if (!isOut.test(text) || isReason.test(text)) return [];
        // "Part 12: Omitted. The product is no motorcycle." gives its reason in the next sentence.
        const next = sentences[at + 1]?.text;
        if (next !== undefined && (isReason.test(next) || !isPart.test(next)) && !isOut.test(next)) return [];
        const what =
          isPart.exec(text)?.[0] ??
          (at === 0 || label!.length > LONGEST_LABEL ? undefined : isPart.exec(label!)?.[0]);
        if (what === undefined) return [];
        const place = { start: passage.start + start, end: passage.start + end };
        return [
          told({
            document,
            what: what.trim(),
            evidence: [
              quote(read.document, passage, place, { role: 'counter', note: say('findings.note-claim') }),
            ],
          }),
        ];
      });
    });
  });
  return firstOfEach([...inRows, ...empty, ...inText]);
}
/** What is left out stands before a colon. */
const LONGEST_LABEL = 80;

/** The first cell of a row that says when something begins and ends. */
function scheduled({ cells }: StatedItem): StatedValue | undefined {
  const { begins, ends } = recordWords();
  const has = (titles: readonly string[]) =>
    cells.some(({ title }) => titles.some((one) => compactTitle(one) === compactTitle(title)));
  return has(begins) && has(ends) ? cells[0] : undefined;
}

/** What is left out is planned as an activity of its own in the same document. */
export function tailoredOutButPlanned(context: StatedContext): readonly StatedContradiction[] {
  const generic = stemsOf(recordWords().genericWords.join(' '));
  const telling = (text: string) =>
    [...stemsOf(text)].filter((stem) => !generic.has(stem) && stem.length > 4);
  return firstOfEach(
    tailoredOut(context).flatMap((row) => {
      const subject = new Set(telling(textOf(row, 'phase') || row.id));
      const [, part] =
        /^(?:part|teil|iso\s*26262-)?\s*(\d{1,2})(?!\d)/iu.exec((textOf(row, 'phase') || row.id).trim()) ??
        [];
      const work = anyOf(recordWords().partWork[part ?? ''] ?? ['(?!)']);
      return context.facts.items.flatMap((other): StatedContradiction[] => {
        const activity = other.values.get('activity') ?? scheduled(other);
        if (!activity || other.document !== row.document || other.table === row.table) return [];
        const named = telling(activity.text).filter((stem) => subject.has(stem));
        if (named.length === 0 && !work.test(activity.text)) return [];
        return [
          {
            rule: 'tailored-out-but-planned',
            item: `${row.key} ${other.key}`,
            confidence: 'medium',
            words: { what: row.id, decision: textOf(row, 'decision'), activity: activity.text },
            affected: [row.id, activity.text],
            evidence: [
              ...shown(other, activity, 'the activity'),
              ...shown(row, row.values.get('decision'), row.id),
            ],
          },
        ];
      });
    }),
  );
}
