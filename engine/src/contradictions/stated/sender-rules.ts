import { type CorpusDocument, usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import type { Passage } from '../../corpus/passages/passage.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { normaliseText } from '../../text/normalise.js';
import { splitSentences } from '../../text/sentences.js';
import { patternOf } from '../../words/read-words.js';
import { firstOfEach, levelOf, type StatedContext, type StatedContradiction, shown } from './stated-rule.js';
import { placeIn } from './text-limits.js';

/**
 * A row says in one cell that something is lost, and in another, or in a column of senders, that it sends what is told about that.
 * Whatever the columns are called: "Loss of the main controller" beside "message, sent by the main controller".
 */
export function warningSentByWhatFailed({ facts, corpus }: StatedContext): readonly StatedContradiction[] {
  return firstOfEach([
    ...facts.items.flatMap((item) => (item.how === 'table' ? inRow(item) : [])),
    ...usableDocuments(corpus).flatMap((document) =>
      document.read.passages.flatMap((passage) =>
        passage.role === 'body' && passage.columns === undefined ? inPassage(document, passage) : [],
      ),
    ),
  ]);
}

/** "If the control unit is dead, its mode manager sends the request": a part of what is lost, or it itself. */
function inPassage(document: CorpusDocument, passage: Passage): readonly StatedContradiction[] {
  const { senders, carriers } = stateWords();
  if (!patternOf(`(?<!\\p{L})${senders.sends}(?!\\p{L})`).test(passage.text)) return [];
  if (!patternOf(senders.lost).test(passage.text)) return [];
  for (const { start, end } of splitSentences(passage.text)) {
    const sentence = passage.text.slice(start, end);
    const [lost] = named(sentence, [
      `(?<!\\p{L})(?:${carriers.condition})\\s+${article()}${NAME}\\s+(?:${senders.isLost})(?!\\p{L})`,
    ]);
    if (!lost || patternOf(senders.instead).test(sentence.slice(lost.end))) continue;
    const [sender] = named(sentence.slice(lost.end), [
      `(?<!\\p{L})(?:(?:${senders.own})\\s+)?${article()}${NAME}\\s+(?:${senders.sends})(?!\\p{L})`,
    ]);
    if (!sender) continue;
    const isPart = patternOf(`^(?:${senders.own})\\s`).test(sender.text);
    const isOther = patternOf(senders.guards).test(sender.name);
    if (isPart ? isOther : !isSame(lost.name, sender.name)) continue;
    const place = (one: Named, from: number) => {
      const focus = {
        start: passage.start + start + from + one.start,
        end: passage.start + start + from + one.end,
      };
      const whole = { start: passage.start + start, end: passage.start + end };
      return quote(document.read.document, passage, whole, { role: 'counter', note: lost.name, focus });
    };
    const section = document.read.sections[document.read.sectionOf[passage.blockIndex]!]?.title ?? '';
    return [
      {
        rule: 'told-by-what-failed',
        item: `${lost.name} ${document.id}`,
        confidence: 'medium',
        words: { item: section, lost: lost.name, carrier: sender.text },
        affected: [],
        evidence: [place(sender, lost.end), place(lost, 0)],
      },
    ];
  }
  return [];
}

function inRow(item: StatedItem): readonly StatedContradiction[] {
  if (item.cells.length < 3) return [];
  for (const cell of item.cells) {
    for (const lost of lostIn(cell.text)) {
      for (const other of item.cells) {
        const sender = other === cell ? undefined : senderIn(other);
        if (!sender || !isSame(lost.name, sender.name)) continue;
        return [
          {
            rule: 'told-by-what-failed',
            item: `${item.key} ${item.document.id}`,
            asil: levelOf(item),
            confidence: 'medium',
            words: { item: item.id, lost: lost.name, carrier: sender.text },
            affected: [item.id],
            evidence: [
              ...shown(item, placeIn(other, sender.start, sender.end), item.id),
              ...shown(item, placeIn(cell, lost.start, lost.end), item.id),
            ],
          },
        ];
      }
    }
  }
  return [];
}

interface Named {
  readonly name: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Before a name, and what ends it. */
const article = () => `(?:(?:${stateWords().senders.article})\\s+)?`;
const end = () => `(?=\\s*(?:$|[,.;:()/]|(?:${stateWords().senders.ends})(?!\\p{L})))`;
const WORD = '[\\p{L}\\p{N}][\\p{L}\\p{N}_-]*';
const NAME = `(?<name>(?:${WORD}\\s+){0,3}?${WORD})`;

/** What a cell says to be lost. */
function lostIn(text: string): readonly Named[] {
  const { senders } = stateWords();
  if (!patternOf(senders.lost).test(text)) return [];
  return named(text, [
    `(?<!\\p{L})(?:${senders.lossOf})\\s+${article()}${NAME}${end()}`,
    `(?<![\\p{L}\\p{N}_-])${NAME}[\`"]?\\s+(?:(?:or|oder)\\s+(?:${senders.own})\\s+\\p{L}+\\s+)?(?:${senders.isLost})(?!\\p{L})`,
  ]);
}

/** Who sends what a cell tells; undefined where somebody notices the loss instead. */
function senderIn(cell: StatedValue): Named | undefined {
  const { senders } = stateWords();
  if (patternOf(senders.title).test(cell.title) && cell.text.split(/\s+/u).length <= 4)
    return { name: cell.text, text: cell.text, start: 0, end: cell.text.length };
  // What a message says is nobody's doing.
  const text = cell.text.replaceAll(/"[^"]*"|“[^”]*”|„[^“”]*[“”]/gu, (words) => ' '.repeat(words.length));
  if (patternOf(senders.instead).test(text)) return undefined;
  return named(text, [
    `(?<!\\p{L})(?:${senders.sentBy})\\s+[\`]?${article()}${NAME}[\`]?${end()}`,
    `^${article()}[\`]?${NAME}[\`]?\\s+(?:${senders.sends})(?!\\p{L})`,
  ])[0];
}

function named(text: string, patterns: readonly string[]): readonly Named[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(patternOf(pattern, 'giu'))].map((match) => ({
      name: match.groups!.name!,
      text: match[0].trim(),
      start: match.index,
      end: match.index + match[0].length,
    })),
  );
}

/** The same thing, or one of several that are all lost ("the controllers" and "the main controller"). */
function isSame(lost: string, sender: string): boolean {
  const [gone, sends] = [lost, sender].map((name) => wordsOf(name)) as [string[], string[]];
  if (gone.length === 0 || sends.length === 0) return false;
  const isAll = gone.every((word) => sends.includes(word));
  return isAll && (gone.length === sends.length || (/(?:s|n|r)$/u.test(lost) && gone.length > 1));
}

/** Words of a name without their endings. */
function wordsOf(name: string): string[] {
  const { senders } = stateWords();
  const empty = patternOf(`^(?:${senders.empty})$`);
  return normaliseText(name)
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => word !== '' && !empty.test(word))
    .map((word) => (/\p{N}/u.test(word) || word.length < 5 ? word : word.replace(/(?:es|en|e?s|n)$/u, '')));
}
