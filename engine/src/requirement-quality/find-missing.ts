import { severityAsil } from '../asil/asil.js';
import { readAsilAttribute } from '../asil/asil-attribute.js';
import type { QualityOptions, RequirementText } from '../facts/requirement.js';
import { splitSentences } from '../text/sentences.js';
import { qualityWords } from '../words/quality-words.js';
import { demandOf } from './find-wording.js';

/** A hit of a rule that words alone do not decide. */
export interface ParsedHit {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
  readonly note?: string;
}

const LONGEST_WORDS = 60;
const MOST_SENTENCES = 3;

/** Hits of the rules RQQ-18 to RQQ-27 that look at one requirement at a time (domain G.2). */
export function findMissing(
  requirement: RequirementText,
  options: QualityOptions = {},
): readonly ParsedHit[] {
  const text = demandOf(requirement.text);
  const hits = [
    ...tolerances(text),
    ...reactions(requirement, text),
    ...acronyms(text, options.glossary ?? []),
    ...designContent(requirement, text),
    ...length(text),
    ...mixedLogic(text),
    ...comparatives(text),
  ];
  return hits.filter((hit) => !options.without?.includes(hit.rule));
}

/** Whether the attribute says ASIL A or more. */
export function isSafetyRelated(asil: string | undefined): boolean {
  const attribute = readAsilAttribute(asil);
  return attribute.kind === 'stated' && severityAsil(attribute.asil) !== 'QM';
}

/** RQQ-18. */
function tolerances(text: string): ParsedHit[] {
  const { setValue, tolerance } = qualityWords().expressions;
  return splitSentences(text).flatMap((range) => {
    const sentence = text.slice(range.start, range.end);
    if (sentence.search(tolerance) >= 0) return [];
    return [...sentence.matchAll(setValue)].map((match) => {
      const value = `${match.groups!.value}`;
      const start = range.start + match.index + match[0].lastIndexOf(value);
      return { rule: 'RQQ-18', start, end: range.start + match.index + match[0].length };
    });
  });
}

/** RQQ-19 and RQQ-20: a reaction without a time, or without anything that starts it. */
function reactions({ level, fields }: RequirementText, text: string): ParsedHit[] {
  if (level === 'goal') return [];
  const { expressions, timeFields } = qualityWords();
  const reaction = [...text.matchAll(expressions.reaction)].find((match) => isDemanded(text, match.index));
  if (!reaction) return [];
  const start = reaction.index;
  const end = start + reaction[0].length;
  const hasTime =
    text.search(expressions.timeBound) >= 0 ||
    [...(fields ?? [])].some(([key, value]) => timeFields.has(key) && /\d/.test(value));
  const hits: ParsedHit[] = [];
  if (!hasTime) hits.push({ rule: 'RQQ-19', start, end });
  if (text.search(expressions.trigger) < 0) hits.push({ rule: 'RQQ-20', start, end });
  return hits;
}

/** English verbs follow "shall"; German ones stand at the end of a sentence with "muss". */
function isDemanded(text: string, at: number): boolean {
  if (text.slice(0, at).search(qualityWords().expressions.afterNormative) >= 0) return true;
  const sentence = splitSentences(text).find((range) => range.start <= at && at < range.end);
  return (
    sentence !== undefined &&
    /(?<!\p{L})(?:muss|müssen|soll|sollen)(?!\p{L})/iu.test(text.slice(sentence.start, at))
  );
}

/** RQQ-21. Identifiers, constants and acronyms that the text itself spells out are known. */
function acronyms(text: string, glossary: readonly string[]): ParsedHit[] {
  const { knownCapitals } = qualityWords();
  const known = new Set([...knownCapitals, ...glossary]);
  const seen = new Set<string>();
  return [...text.matchAll(/(?<![\p{L}\p{N}_./-])\p{Lu}{2,6}s?(?![\p{L}\p{N}_]|[-.]\p{N})/gu)].flatMap(
    (match) => {
      const acronym = match[0].replace(/s$/, '');
      if (known.has(acronym) || seen.has(acronym)) return [];
      seen.add(acronym);
      const start = match.index;
      const end = start + match[0].length;
      const isIntroduced = /\(\s*$/.test(text.slice(0, start)) || /^\s*\(\p{L}/u.test(text.slice(end));
      return isIntroduced ? [] : [{ rule: 'RQQ-21', start, end, note: acronym }];
    },
  );
}

/** RQQ-23: only goals and functional requirements stand above design. */
function designContent({ level }: RequirementText, text: string): ParsedHit[] {
  if (level !== 'goal' && level !== 'functional') return [];
  return [...text.matchAll(qualityWords().expressions.designContent)].map((match) => ({
    rule: 'RQQ-23',
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** RQQ-24. */
function length(text: string): ParsedHit[] {
  const words = text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  const sentences = splitSentences(text).length;
  if (words <= LONGEST_WORDS && sentences <= MOST_SENTENCES) return [];
  return [{ rule: 'RQQ-24', start: 0, end: text.length, note: `${words} words in ${sentences} sentences` }];
}

/** RQQ-26: between commas, so that what a comma separates is not mixed. */
function mixedLogic(text: string): ParsedHit[] {
  const { grouped, conjunction, disjunction } = qualityWords().expressions;
  return [...text.matchAll(/[^.,;:]+/gu)].flatMap((part) => {
    const clause = part[0];
    if (clause.search(conjunction) < 0 || clause.search(disjunction) < 0) return [];
    if (clause.search(grouped) >= 0) return [];
    const start = part.index + clause.search(/\S/u);
    return [{ rule: 'RQQ-26', start, end: part.index + clause.trimEnd().length }];
  });
}

/** RQQ-27. */
function comparatives(text: string): ParsedHit[] {
  const { comparative, comparedWith } = qualityWords().expressions;
  return [...text.matchAll(comparative)].flatMap((match) => {
    const start = match.index;
    const end = start + match[0].length;
    return text.slice(end, end + 40).search(comparedWith) >= 0 ? [] : [{ rule: 'RQQ-27', start, end }];
  });
}
