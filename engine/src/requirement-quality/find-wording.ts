import type { QualityOptions, RequirementText } from '../facts/requirement.js';
import { splitSentences } from '../text/sentences.js';
import { type QualityRule, qualityWords, type WordRule } from '../words/quality-words.js';

/** Where a rule of words applies. Half-open ranges in the text. */
export interface WordingHit {
  readonly rule: QualityRule;
  readonly start: number;
  readonly end: number;
}

/** Hits of one rule of words in a text, without any context; an absent word is a hit on the whole text. */
export function matchWords(words: WordRule, text: string): readonly { start: number; end: number }[] {
  if (words.excuse?.test(text)) return [];
  const hits = [...text.matchAll(words.expression)]
    .map((match) => ({ start: match.index, end: match.index + match[0].length }))
    .filter(({ end }) => {
      if (words.tailExcuse?.test(text.slice(end))) return false;
      return !words.tail?.expression.test(text.slice(end, end + words.tail.characters));
    });
  if (!words.absent) return hits;
  return hits.length > 0 ? [] : [{ start: 0, end: text.length }];
}

/** What is longer is no requirement; the rules look at its beginning, so that no text costs more than that. */
const LONGEST_DEMAND = 4000;

/** The requirement without notes and rationales behind it: they are no part of the demand (domain G.1). */
export function demandOf(whole: string): string {
  const text = whole.slice(0, LONGEST_DEMAND);
  const { asides } = qualityWords().expressions;
  const from = text.search(asides);
  return from > 0 ? text.slice(0, from).trimEnd() : text;
}

/**
 * Hits of the rules of words (RQQ-01 to RQQ-17) in one requirement, with the traps of domain G.2 taken out:
 * defined words, weak modals beside a normative verb, prohibitions and passives of goals, lines of a list.
 */
export function findWording(
  requirement: RequirementText,
  options: QualityOptions = {},
): readonly WordingHit[] {
  const text = demandOf(requirement.text);
  const hits: WordingHit[] = [];
  for (const rule of qualityWords().rules.values()) {
    if (!rule.words || options.without?.includes(rule.id)) continue;
    for (const hit of matchWords(rule.words, text)) {
      if (!isTrap(rule.id, { text, ...hit }, { requirement, options })) hits.push({ rule, ...hit });
    }
  }
  // A weak modal explains why there is no normative verb: one finding.
  const isWeak = hits.some((hit) => hit.rule.id === 'RQQ-02');
  return hits.filter((hit) => !(isWeak && hit.rule.id === 'RQQ-01'));
}

function isTrap(
  rule: string,
  { text, start, end }: { text: string; start: number; end: number },
  { requirement, options }: { requirement: RequirementText; options: QualityOptions },
): boolean {
  const { expressions } = qualityWords();
  const has = (pattern: RegExp, within: string) => within.search(pattern) >= 0;
  if (rule === 'RQQ-02') return has(expressions.normative, sentenceAt(text, start));
  // "As soon as the sensor fails" is a trigger, "as soon as possible" none.
  if (rule === 'RQQ-03' && /^as soon as(?! possible)/iu.test(text.slice(Math.max(0, start - 3), end + 12)))
    return true;
  if (rule === 'RQQ-03' || rule === 'RQQ-04') return isDefined(text, start, end, options.glossary ?? []);
  if (rule === 'RQQ-06')
    return (
      isInBrackets(text, start) &&
      /\(\s*(?:e\.\s?g|z\.\s?B|such\s+as)/iu.test(text.slice(Math.max(0, start - 3), end))
    );
  if (rule === 'RQQ-07') {
    const verb = /\p{L}+$/u.exec(text.slice(start, end))?.[0].toLowerCase();
    return (
      verb !== undefined &&
      (options.allowedVerbs ?? []).some((allowed) => verb.startsWith(allowed.toLowerCase()))
    );
  }
  if (rule === 'RQQ-08') return requirement.level === 'goal';
  // Each line of a list has its own verb.
  if (rule === 'RQQ-09')
    return !text.split('\n').some((line) => (line.match(expressions.normative)?.length ?? 0) > 1);
  // A state, an enumeration, or the number of a standard: "error_status(=1)", "RFC 9172".
  if (rule === 'RQQ-12')
    return /(?:[\p{L}\p{N}_)(]\s*={1,2}\s*['‘’"]?|\p{Lu}{2,}\s)$/u.test(
      text.slice(Math.max(0, start - 12), start),
    );
  if (rule === 'RQQ-17') return isUsualProhibition(requirement, text);
  return false;
}

/** Goals forbid; below, a prohibition is one without condition or limit, or stands at the level that can be tested. */
function isUsualProhibition({ level }: RequirementText, text: string): boolean {
  if (level === 'goal') return true;
  if (level === 'software' || level === 'hardware') return false;
  const { trigger } = qualityWords().expressions;
  return text.search(trigger) >= 0 || /\d|\p{Lu}[\p{L}\p{N}]*_[\p{L}\p{N}_]+/u.test(text);
}

function sentenceAt(text: string, at: number): string {
  const sentence = splitSentences(text).find((range) => range.start <= at && at < range.end);
  return sentence ? text.slice(sentence.start, sentence.end) : text;
}

function isInBrackets(text: string, at: number): boolean {
  return text.lastIndexOf('(', at) > text.lastIndexOf(')', at);
}

/** Whether the hit lies in a term that the project defines: "normal mode". */
function isDefined(text: string, start: number, end: number, glossary: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return glossary.some((term) => {
    const wanted = term.toLowerCase();
    if (wanted === '') return false;
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
      if (at <= start && end <= at + wanted.length) return true;
    }
    return false;
  });
}
