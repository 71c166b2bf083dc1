import type { QualityHit, QualityOptions, RequirementText } from '../facts/requirement.js';
import { detectLanguage, type Language } from '../text/language.js';
import {
  type EarsPattern,
  type QualityRule,
  type QualitySeverity,
  qualityWords,
} from '../words/quality-words.js';
import { findInSet, type SetHit } from './find-in-set.js';
import { findMissing, isSafetyRelated } from './find-missing.js';
import { demandOf, findWording } from './find-wording.js';

/** How the wording of one requirement was found. */
export interface RequirementAssessment {
  readonly id: string;
  /** 0 to 100: 100 less 25, 10 and 3 for each hit of high, medium and low severity (domain G.5). */
  readonly score: number;
  readonly hits: readonly QualityHit[];
  /** The shape of its first sentence; absent where it has none of them. */
  readonly ears?: EarsPattern;
}

/** A rule over a whole set. */
export interface RuleCount {
  readonly rule: string;
  readonly finding: string;
  /** Requirements that it fires on. */
  readonly requirements: number;
  /** Of all requirements, 0 to 1. */
  readonly share: number;
  /** It fires on more than two fifths: one habit, not that many defects. */
  readonly systematic: boolean;
  /** Ids, at most three. */
  readonly examples: readonly string[];
}

export interface RequirementQuality {
  /** One per requirement, in order. */
  readonly requirements: readonly RequirementAssessment[];
  /** Share of requirements without a hit of high or medium severity, 0 to 1; null without requirements. */
  readonly clean: number | null;
  /** Every rule that fires, most frequent first; the first five are the ones to name. */
  readonly rules: readonly RuleCount[];
  /** Requirements by shape. */
  readonly ears: Readonly<Record<EarsPattern | 'none', number>>;
}

const LOSS: Readonly<Record<QualitySeverity, number>> = { high: 25, medium: 10, low: 3 };
const SYSTEMATIC = 0.4;
const EXAMPLES = 3;

/**
 * Assesses the wording of requirements by the rules of domain G. The result is a set of observations: it says how a
 * text could be read more than one way and never that a demand is not met.
 */
export function assessRequirements(
  set: readonly RequirementText[],
  options: QualityOptions = {},
): RequirementQuality {
  const fromSet = new Map<number, SetHit[]>();
  for (const hit of findInSet(set, options)) fromSet.set(hit.at, [...(fromSet.get(hit.at) ?? []), hit]);
  const requirements = set.map((requirement, at): RequirementAssessment => {
    const further = (fromSet.get(at) ?? []).map(
      ({ rule, severity, start, end, note, others }): QualityHit => ({
        rule,
        severity,
        start,
        end,
        ...(note === undefined ? {} : { note }),
        rewrite: shapeOf(qualityWords().rules.get(rule)!, detectLanguage(requirement.text)),
        ...(others.length > 0 ? { others: others.map((other) => set[other]!.id) } : {}),
      }),
    );
    const hits = [...assessRequirement(requirement, options), ...further].sort(
      (a, b) => a.start - b.start || (a.rule < b.rule ? -1 : 1),
    );
    const ears = earsOf(requirement.text);
    return { id: requirement.id, score: scoreOf(hits), hits, ...(ears ? { ears } : {}) };
  });
  const clean = requirements.filter((one) => one.hits.every((hit) => hit.severity === 'low')).length;
  return {
    requirements,
    clean: set.length === 0 ? null : round(clean / set.length),
    rules: countsOf(requirements),
    ears: earsCounts(requirements),
  };
}

/** Hits of the rules that need no other requirement, by place. */
export function assessRequirement(
  requirement: RequirementText,
  options: QualityOptions = {},
): readonly QualityHit[] {
  const { rules } = qualityWords();
  const isSafety = isSafetyRelated(requirement.asil);
  const language = detectLanguage(requirement.text);
  const wording = findWording(requirement, options).map(({ rule, start, end }): QualityHit => {
    const severity = severityOf(rule, { requirement, start, end, isSafety });
    const rewrite = rewritten(rule, requirement.text, { start, language });
    const note = rule.id === 'RQQ-08' && isSafety ? { note: 'which element?' } : {};
    return { rule: rule.id, severity, start, end, ...note, rewrite };
  });
  const missing = findMissing(requirement, options).map(({ rule: id, ...hit }): QualityHit => {
    const rule = rules.get(id)!;
    const severity = severityOf(rule, { requirement, start: hit.start, end: hit.end, isSafety });
    return { rule: id, severity, ...hit, rewrite: shapeOf(rule, language) };
  });
  return [...wording, ...missing].sort((a, b) => a.start - b.start || (a.rule < b.rule ? -1 : 1));
}

/** The EARS shape of the first sentence (domain G.4); guidance only, projects rarely demand it. */
export function earsOf(text: string): EarsPattern | undefined {
  const demand = demandOf(text).trim();
  return qualityWords().ears.find(({ expression }) => expression.test(demand))?.name;
}

/** "Raise when" of domain G.2. */
function severityOf(
  rule: QualityRule,
  at: {
    readonly requirement: RequirementText;
    readonly start: number;
    readonly end: number;
    readonly isSafety: boolean;
  },
): QualitySeverity {
  const { requirement, start, end, isSafety } = at;
  const { text, level } = requirement;
  const { expressions } = qualityWords();
  switch (rule.id) {
    case 'RQQ-02':
      return isSafety ? 'high' : rule.severity;
    case 'RQQ-03':
    case 'RQQ-04': {
      const near = text.slice(Math.max(0, start - 40), start) + text.slice(end, end + 40);
      return near.search(expressions.reaction) >= 0 ? 'high' : rule.severity;
    }
    case 'RQQ-10':
      return new Set(text.match(expressions.time)).size > 1 ? 'high' : rule.severity;
    case 'RQQ-12':
      return text.slice(Math.max(0, start - 30), start).search(expressions.physical) >= 0
        ? 'high'
        : rule.severity;
    case 'RQQ-14':
      return text.slice(start, end).search(expressions.unbounded) >= 0 ? 'medium' : rule.severity;
    case 'RQQ-18':
      return /(?<!\p{L})(?:[BCD]|[BCD]\([BCD]\))\s*$/u.test(requirement.asil?.trim() ?? '')
        ? 'high'
        : rule.severity;
    case 'RQQ-19':
      return isSafety ? 'high' : rule.severity;
    case 'RQQ-23':
      return level === 'goal' || level === 'functional' ? 'medium' : rule.severity;
    default:
      return rule.severity;
  }
}

const CAPABILITY =
  /(?<modal>shall|must)\s+(?:be\s+)?(?:able\s+to|capable\s+of|in\s+a\s+position\s+to)\s+(?<verb>\p{L}+)/iu;

/** Where the text itself holds the better one ("shall be able to detect" → "shall detect"), that; else the shape. */
function rewritten(
  rule: QualityRule,
  text: string,
  { start, language }: { readonly start: number; readonly language: Language },
): string {
  const capability = rule.id === 'RQQ-07' ? CAPABILITY.exec(text.slice(start)) : null;
  if (capability?.index === 0 && !/ing$/.test(capability.groups!.verb!)) {
    const { modal, verb } = capability.groups as { modal: string; verb: string };
    return `${text.slice(0, start)}${modal} ${verb}${text.slice(start + capability[0].length)}`.trim();
  }
  return shapeOf(rule, language);
}

function shapeOf(rule: QualityRule, language: Language): string {
  return language === 'de' ? rule.rewrite.de : rule.rewrite.en;
}

function scoreOf(hits: readonly QualityHit[]): number {
  return Math.max(
    0,
    hits.reduce((score, hit) => score - LOSS[hit.severity], 100),
  );
}

function countsOf(requirements: readonly RequirementAssessment[]): readonly RuleCount[] {
  const ids = new Map<string, string[]>();
  for (const { id, hits } of requirements) {
    for (const rule of new Set(hits.map((hit) => hit.rule))) ids.set(rule, [...(ids.get(rule) ?? []), id]);
  }
  return [...ids]
    .map(([rule, found]): RuleCount => {
      const share = found.length / requirements.length;
      return {
        rule,
        finding: qualityWords().rules.get(rule)!.finding.en,
        requirements: found.length,
        share: round(share),
        systematic: share > SYSTEMATIC && found.length > 2,
        examples: found.slice(0, EXAMPLES),
      };
    })
    .sort((a, b) => b.requirements - a.requirements || (a.rule < b.rule ? -1 : 1));
}

function earsCounts(requirements: readonly RequirementAssessment[]): RequirementQuality['ears'] {
  const counts = { unwanted: 0, event: 0, state: 0, optional: 0, ubiquitous: 0, none: 0 };
  for (const { ears } of requirements) counts[ears ?? 'none']++;
  return counts;
}

function round(share: number): number {
  return Math.round(share * 1000) / 1000;
}
