import type { LocalWords } from '../../sentences/sentence.js';
import { splitSentences } from '../../text/sentences.js';
import { type PlaceholderPattern, placeholderWords } from './placeholder-words.js';

/** Content that is still open. Ranges are half-open, in the text that was searched. */
export interface Placeholder {
  /** `PH-01` … of `data/words/placeholders.yaml`. */
  readonly pattern: string;
  /** For a person. */
  readonly what: LocalWords;
  readonly start: number;
  readonly end: number;
  readonly severity: 'high' | 'medium' | 'low';
  /** 0 to 1. */
  readonly confidence: number;
  /** An owner and a due date stand beside it (filter C10): still open, but managed. */
  readonly tracked: boolean;
}

/** Where the text stands; without it the filters that need it are not applied. */
export interface PlaceholderContext {
  /** Titles of the sections around it, outermost first. */
  readonly section?: readonly string[];
  /** The whole row that a cell belongs to, cells joined by ` | `. */
  readonly row?: string;
  /** True for a field such as author, version or status. */
  readonly metadata?: boolean;
  /** True when the section holds nothing but this. */
  readonly onlyContent?: boolean;
}

/** A paragraph or cell with so many is open as a whole. */
const MOST_PLACEHOLDERS = 100;

const EXPLAINED = /(?:TB[DCARSNP]s?|t\.b\.[dca]\.?)\s*(?:[–—=:|\t]|-\s)\s*$/iu;

/**
 * Open content in a paragraph or cell, by place, overlapping hits once (the first pattern of the list wins).
 * Applies the context filters C1–C12 of domain D.5.3 as far as the context allows: change histories, code,
 * reviewers' remarks and foreign appendices are left out by whoever chooses the passages.
 */
export function findPlaceholders(text: string, context: PlaceholderContext = {}): readonly Placeholder[] {
  const { patterns, filters, hint } = placeholderWords();
  if (!hint.test(text)) return [];
  if (context.section?.some((title) => filters.ruleHeadings.test(title) || filters.foreign.test(title))) {
    return [];
  }
  const found: Placeholder[] = [];
  let sentences: readonly { start: number; end: number }[] | undefined;
  for (const pattern of patterns) {
    if (pattern.onlyIn === 'metadata' && !context.metadata) continue;
    if (pattern.onlyIn === 'empty_section' && !context.onlyContent) continue;
    for (const match of text.matchAll(pattern.expression)) {
      const start = match.index;
      const end = start + match[0].length;
      if (pattern.exceptTags && isTag(match[0])) continue;
      if (found.length >= MOST_PLACEHOLDERS) return found.sort((a, b) => a.start - b.start);
      if (found.some((other) => start < other.end && other.start < end)) continue;
      sentences ??= splitSentences(text);
      const sentence = sentences.find((range) => range.start <= start && start < range.end);
      const from = sentence?.start ?? 0;
      const to = Math.max(sentence?.end ?? text.length, end);
      if (isHarmless(pattern, { text, start, end, from, to }, context)) continue;
      const neighbourhood = context.row ?? text.slice(from, to);
      found.push({
        pattern: pattern.id,
        what: pattern.what,
        start,
        end,
        severity: pattern.severity,
        confidence: pattern.confidence,
        tracked: filters.owner.test(neighbourhood) && filters.due.test(neighbourhood),
      });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

interface Place {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The sentence around the hit. */
  readonly from: number;
  readonly to: number;
}

function isHarmless(pattern: PlaceholderPattern, place: Place, context: PlaceholderContext): boolean {
  const { filters } = placeholderWords();
  const { text, start, end, from, to } = place;
  const before = text.slice(from, start);
  const after = text.slice(end, to);
  // C1: the term of a glossary entry, or its expansion.
  const words = start + text.slice(start, end).search(/[\p{L}\p{N}]/u);
  if (filters.expands.test(text.slice(end, end + 60))) return true;
  // "to be determined" (TBD): the acronym is introduced, nothing is open.
  if (/["“”']\s*\($/.test(text.slice(Math.max(0, start - 4), start))) return true;
  if (EXPLAINED.test(text.slice(Math.max(0, start - 20), Math.max(start, words)))) return true;
  // C2: denied or settled.
  if (filters.settled.test(before) || filters.settledAfter.test(after)) return true;
  // C4: a question or a rule about placeholders. A lone "?" as the value is PH-07 itself.
  if (pattern.id !== 'PH-07' && after.trimEnd().endsWith('?')) return true;
  if (filters.aboutPlaceholders.test(before)) return true;
  // C5: PH-04 only.
  if (pattern.id === 'PH-04' && (filters.modalBefore.test(before) || filters.agentBehind.test(after)))
    return true;
  // C6: code, paths, addresses. C8: part numbers. C9: struck through or quoted.
  if (filters.code.test(text.slice(Math.max(from, start - 60), start))) return true;
  if (filters.partNumber.test(before)) return true;
  if (/~~\s*$/.test(before) || (/["“„«]$/.test(before) && /^["”“»]/.test(after))) return true;
  // C4: lists of open points, and what the document says about them. C6: bits of a register.
  if (filters.aboutOpenPoints.test(after)) return true;
  if (
    filters.bits.test(text) ||
    (context.row !== undefined && text.trim().length <= 8 && filters.bitRow.test(context.row))
  ) {
    return true;
  }
  // C7: identifiers and dates described, only for patterns that look like masks.
  const isMask = pattern.id === 'PH-08' || pattern.id === 'PH-14';
  if (isMask) {
    const near = `${text.slice(Math.max(from, start - 40), start)} ${text.slice(end, Math.min(to, end + 40))}`;
    if (filters.scheme.test(near) || context.section?.some((title) => filters.scheme.test(title)))
      return true;
  }
  return false;
}

/** Exact HTML tag names and tags with attributes; a name with a capital letter is a field of a template. */
function isTag(match: string): boolean {
  if (/=\s*["']/.test(match)) return true;
  const tag =
    /^<\s*\/?(?:title|link|name|text|id|list|value|version|project|module|component|description|author|date|product|document|doc|state)\s*\/?>$/;
  return tag.test(match) && !/^<\s*[A-ZÄÖÜ]/.test(match);
}
