import { usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { recordWords } from '../../facts/stated/record-words.js';
import { statedDocuments } from '../../facts/stated/stated-documents.js';
import { say } from '../../sentences/sentence.js';
import { splitSentences } from '../../text/sentences.js';
import { firstOfEach, type StatedContext, type StatedContradiction } from './stated-rule.js';

/** A document says itself that a review, an analysis or a test was not done, or admits that something is missing. */
export function activityDenied({ corpus }: StatedContext): readonly StatedContradiction[] {
  const { activities, deniedAfter, deniedBefore, deniedBy, admitted, nothing, reasoned } = recordWords();
  const activity = `(?<!\\p{L})[\\p{L}-]{0,40}${activities}(?!\\p{L})`;
  const patterns = [
    new RegExp(`${activity}[^.;]{0,80}?\\s${deniedAfter}(?!\\p{L})`, 'iu'),
    new RegExp(
      `^\\W*${nothing}\\s(?:\\S+\\s){0,4}?${activity}[^.;]{0,80}?\\s${deniedBefore}(?!\\p{L})`,
      'iu',
    ),
    ...deniedBy.map((by) => new RegExp(by.replaceAll('{activity}', activity), 'iu')),
    ...admitted.map((one) => new RegExp(one, 'iu')),
  ];
  // Few paragraphs deny anything: the others are not taken apart.
  const isDenied = new RegExp(
    [deniedAfter, deniedBefore, ...deniedBy, ...admitted].join('|').replaceAll('{activity}', '\\p{L}'),
    'iu',
  );
  const isReasoned = new RegExp(`(?<!\\p{L})${reasoned}(?!\\p{L})`, 'iu');
  return firstOfEach(
    usableDocuments(corpus).flatMap(({ read, id }) =>
      read.passages.flatMap((passage) => {
        if (passage.role !== 'body' || corpus.otherItem.has(passage.id)) return [];
        const { cells } = read.document.blocks[passage.blockIndex]!;
        const pieces = cells
          ? cells.map(({ start, text }) => ({ start, text }))
          : [{ start: passage.start, text: passage.text }];
        return pieces
          .filter(({ text }) => isDenied.test(text))
          .flatMap((piece) =>
            splitSentences(piece.text).flatMap(({ start, end }): StatedContradiction[] => {
              const sentence = piece.text.slice(start, end);
              if (!patterns.some((pattern) => pattern.test(sentence)) || isReasoned.test(sentence)) return [];
              const place = { start: piece.start + start, end: piece.start + end };
              return [
                {
                  rule: 'activity-denied',
                  item: `${id} ${sentence.trim().slice(0, 60)}`,
                  confidence: 'medium',
                  words: { sentence: sentence.trim().slice(0, 160) },
                  affected: [],
                  evidence: [
                    quote(read.document, passage, place, {
                      role: 'counter',
                      note: say('findings.note-said-not-to-be-done'),
                    }),
                  ],
                },
              ];
            }),
          );
      }),
    ),
  );
}

/** A document is referred to for content, and is neither given nor listed anywhere. */
export function documentNowhere({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const numbers = statedDocuments(corpus, facts).flatMap(({ number }) =>
    number?.value ? [number.value.trim()] : [],
  );
  // A scheme of numbers shows in several documents: the same beginning, the same shape.
  const schemes = new Map<string, number>();
  for (const number of numbers) {
    const prefix = /^[A-Z][A-Z0-9]*[-_]/u.exec(number)?.[0];
    if (prefix && /\d$/.test(number)) schemes.set(prefix, (schemes.get(prefix) ?? 0) + 1);
  }
  const own = [...schemes].filter(([, count]) => count >= 3).map(([prefix]) => prefix);
  if (own.length === 0) return [];
  const pattern = new RegExp(
    `(?<!\\p{L})${recordWords().holds}\\s+(?<number>(?:${own.join('|')})[A-Z]{1,6}[-_]\\d+)(?![\\p{L}\\p{N}])`,
    'giu',
  );
  const listed = new Set([...numbers, ...facts.items.map((item) => item.cells[0]?.text ?? '')]);
  return firstOfEach(
    usableDocuments(corpus).flatMap(({ read, name }) =>
      read.passages.flatMap((passage) => {
        if (read.document.blocks[passage.blockIndex]!.cells || passage.role === 'header_footer') return [];
        return [...passage.text.matchAll(pattern)].flatMap((match): StatedContradiction[] => {
          const { number } = match.groups as { number: string };
          if (listed.has(number)) return [];
          const end = passage.start + match.index + match[0].length;
          const at = { start: end - number.length, end };
          return [
            {
              rule: 'document-nowhere',
              item: number,
              confidence: 'medium',
              words: { document: number, where: name },
              affected: [number],
              evidence: [
                quote(read.document, passage, passage, {
                  role: 'counter',
                  note: say('findings.note-reference'),
                  focus: at,
                }),
              ],
            },
          ];
        });
      }),
    ),
  );
}
