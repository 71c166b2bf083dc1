import {
  type AnalysisScope,
  type Corpus,
  type CorpusDocument,
  documentOf,
  partsOfTypes,
  templateTablesOf,
} from '../corpus/corpus.js';
import { quote } from '../corpus/evidence.js';
import type { Passage } from '../corpus/passages/passage.js';
import type { Evidence } from '../findings/finding.js';
import type { NotDueBecause } from '../findings/not-due.js';
import { type Area, isFrom, lifecycle } from '../phases/lifecycle.js';
import { type LocalWords, type Sentence, say } from '../sentences/sentence.js';
import { splitSentences } from '../text/sentences.js';
import { readRows } from './table-rows.js';

/** An area that is not due or not done in this project, who says so, and where. */
export interface Outside {
  /** Id of the area, or the beginning of ids that a person named. */
  readonly area: string;
  readonly name: LocalWords;
  readonly because: NotDueBecause;
  readonly reason: Sentence;
  readonly evidence: readonly Evidence[];
  readonly criteria: readonly string[];
  readonly references: readonly string[];
  readonly sections: readonly string[];
  readonly gaps: readonly string[];
}

/** A plan gives a reason in so many words (domain D.3, rule 7). */
const REASON_WORDS = 5;
/** Share of a text that areas and words around them make up where it speaks of nothing else. */
const ALL_BUT = 0.9;

const known = new WeakMap<Corpus, readonly Outside[]>();

/** What of the standards is outside of this run: by the word of a person first, then by the plans among the documents. */
export function outsideOf(corpus: Corpus): readonly Outside[] {
  const before = known.get(corpus);
  if (before) return before;
  const found = [...outsideByPerson(corpus.scope), ...byPlan(corpus)];
  const outside = found.filter(({ area }, at) => found.findIndex((one) => one.area === area) === at);
  known.set(corpus, outside);
  return outside;
}

/** The area outside that a criterion belongs to. */
export const outsideCriterion = (outside: readonly Outside[], id: string): Outside | undefined =>
  outside.find(({ criteria }) => criteria.some((prefix) => isFrom(id, prefix)));

/** The area outside that a section of a template belongs to (`<type>.<key>`). */
export const outsideSection = (outside: readonly Outside[], reference: string): Outside | undefined =>
  outside.find(({ sections }) =>
    sections.some((one) => reference === one || reference.startsWith(`${one}.`)),
  );

/** The area outside that a question belongs to; one that belongs to something else as well is asked. */
export function outsideReferences(
  outside: readonly Outside[],
  references: readonly string[],
): Outside | undefined {
  const areas = references.map((reference) =>
    outside.find((one) => one.references.some((prefix) => isFrom(reference, prefix))),
  );
  return areas.every((area) => area !== undefined) ? areas[0] : undefined;
}

/** Conditions that do not hold because a person tailored out what they are about. */
export function conditionsOutside(corpus: Corpus): Readonly<Record<string, false>> {
  const named = new Set((corpus.scope.tailoredOut ?? []).map(({ area }) => area));
  const areas = lifecycle().areas.filter(({ id }) => named.has(id));
  return Object.fromEntries(areas.flatMap(({ conditions }) => conditions.map((id) => [id, false as const])));
}

/** The part of it that a person told, which needs no documents. */
export function outsideByPerson(scope: AnalysisScope): Outside[] {
  const { areas, phases } = lifecycle();
  const notDone = (scope.tailoredOut ?? []).map(({ area, reason }): Outside => {
    const known = areas.find(({ id }) => id === area);
    const said = say('scope.tailored-out', { name: known?.name ?? area, reason });
    if (known) return leftOut(known, 'person', { reason: said, evidence: [] });
    const own = { area, name: { en: area }, criteria: [area] };
    return { ...own, because: 'person', reason: said, evidence: [], references: [], sections: [], gaps: [] };
  });
  const now = phases.findIndex(({ id }) => id === scope.phase);
  if (now < 0) return notDone;
  const later = areas.filter(({ phase }) => phases.findIndex(({ id }) => id === phase) > now);
  const notYet = later.map((area): Outside => {
    const { id, name, criteria, references, sections, gaps } = area;
    const due = phases.find((one) => one.id === area.phase)!.name;
    const reason = say('scope.not-due', { name, due, phase: phases[now]!.name });
    return { area: id, name, because: 'phase', reason, evidence: [], criteria, references, sections, gaps };
  });
  return [...notDone, ...notYet];
}

function leftOut(
  { id, name, criteria, references, sections, gaps, withIt }: Area,
  because: Outside['because'],
  rest: Pick<Outside, 'reason' | 'evidence'>,
): Outside {
  return {
    area: id,
    name,
    because,
    ...rest,
    criteria: [...criteria, ...withIt.criteria],
    references,
    sections: [...sections, ...withIt.sections],
    gaps,
  };
}

function byPlan(corpus: Corpus): Outside[] {
  const { plans } = lifecycle();
  const parts = partsOfTypes(corpus, plans.types);
  const ofTables = parts.flatMap((part) =>
    templateTablesOf(corpus, part)
      .filter(({ template }) => template.key === 'tailoring_table')
      .flatMap((match) => rowsOut(documentOf(corpus, part.documentId), match)),
  );
  const documents = new Set(parts.filter(({ whole }) => whole).map(({ documentId }) => documentId));
  const ofText = [...documents].flatMap((id) => statedOut(documentOf(corpus, id)));
  const ofOthers = [...documents].flatMap((id) => plannedElsewhere(documentOf(corpus, id)));
  return [...ofTables, ...ofText, ...ofOthers];
}

const PARTS = /(?<!\p{L})(?:parts?|teile?)\s+(\d{1,2}(?:\s?(?:,|&|and|und)\s?\d{1,2}){0,6})(?!\d)/giu;

/** "Part 5 is planned in X-10 and part 6 in X-11. Part 7 is the responsibility of the plant.": parts with a plan elsewhere. */
function plannedElsewhere(document: CorpusDocument): Outside[] {
  return document.read.passages.flatMap((passage) => {
    const isCell = document.read.document.blocks[passage.blockIndex]!.cells !== undefined;
    if (isCell || !mayState(passage)) return [];
    return splitSentences(passage.text).flatMap(({ start, end }): Outside[] => {
      const sentence = passage.text.slice(start, end);
      const place = { start: passage.start + start, end: passage.start + end };
      return [...sentence.matchAll(PARTS)].flatMap((match) => {
        const after = sentence.slice(match.index + match[0].length);
        if (!lifecycle().plans.elsewhere.test(after)) return [];
        const numbers = match[1]!.match(/\d+/gu) ?? [];
        return numbers.flatMap((number) =>
          areasIn(`part ${number}`).map((area) =>
            outByPlan(area, document, [quoteOf(document, passage, place)]),
          ),
        );
      });
    });
  });
}

/** Rows of a tailoring table that take an area out and say why. */
function rowsOut(document: CorpusDocument, match: Parameters<typeof readRows>[1]): Outside[] {
  return readRows(document, match).flatMap(({ fields, passage }) => {
    const [phase, decision, rationale] = ['phase', 'decision', 'rationale'].map((key) => fields.get(key));
    if (!phase || !decision || !rationale) return [];
    const { plans } = lifecycle();
    const titles = (match.columns.get('decision') ?? []).map((at) => match.table.columns[at] ?? '');
    const isAsked = titles.some((title) => plans.applied.test(title));
    const isOut = plans.decision.test(decision.value) || (isAsked && plans.notApplied.test(decision.value));
    if (!isOut) return [];
    if (rationale.value.split(/\s+/).length < REASON_WORDS) return [];
    // "5" in a column of parts of the standard.
    const named = /^\d{1,2}$/u.test(phase.value) ? `part ${phase.value}` : phase.value;
    return areasIn(named).map((area) =>
      outByPlan(area, document, [
        quoteOf(document, passage, decision),
        quoteOf(document, passage, rationale),
      ]),
    );
  });
}

/** Areas that sentences say to be out of scope, in the sentence or in the list that follows it. */
function statedOut(document: CorpusDocument): Outside[] {
  const { passages } = document.read;
  return passages.flatMap((passage, at) => {
    if (!mayState(passage) || !lifecycle().plans.outOfScope.test(passage.text)) return [];
    return splitSentences(passage.text).flatMap(({ start, end }): Outside[] => {
      const sentence = passage.text.slice(start, end);
      const match = lifecycle().plans.outOfScope.exec(sentence);
      if (!match) return [];
      const place = { start: passage.start + start, end: passage.start + end };
      const after = sentence.slice(match.index + match[0].length).replace(/[.:;]\s*$/, '');
      const own = areasIn(sentence.slice(0, match.index)).concat(areasIn(after));
      const said = own.map((area) => outByPlan(area, document, [quoteOf(document, passage, place)]));
      return own.length > 0 || end < passage.text.trimEnd().length ? said : listed(document, at + 1);
    });
  });
}

/** The items after a lead-in, as long as they name areas. */
function listed(document: CorpusDocument, from: number): Outside[] {
  const found: Outside[] = [];
  for (const passage of document.read.passages.slice(from)) {
    if (passage.text.trim() === '') continue;
    const areas = mayState(passage) ? areasIn(passage.text) : [];
    if (areas.length === 0) break;
    found.push(...areas.map((area) => outByPlan(area, document, [quoteOf(document, passage, passage)])));
  }
  return found;
}

const mayState = ({ role }: Passage): boolean => role === 'body' || role === 'scope';

/** The areas that a text names and says nothing else of: the longest name first, each word once. */
export function areasIn(text: string): readonly Area[] {
  const { areas, plans } = lifecycle();
  const named: Area[] = [];
  let rest = text;
  for (;;) {
    const found = areas.flatMap((area) => [...rest.matchAll(area.says)].map(([words]) => ({ area, words })));
    const [longest] = found.sort((a, b) => b.words.length - a.words.length);
    if (!longest) break;
    named.push(longest.area);
    rest = rest.replace(longest.words, ' ');
  }
  const letters = (one: string) => one.replace(/[^\p{L}\p{N}]/gu, '').length;
  return letters(rest.replaceAll(plans.around, ' ')) <= letters(text) * (1 - ALL_BUT) ? named : [];
}

const quoteOf = (
  document: CorpusDocument,
  passage: Passage,
  place: { start: number; end: number },
): Evidence =>
  quote(document.read.document, passage, place, { role: 'context', note: say('scope.of-the-plan') });

const outByPlan = (area: Area, { name }: CorpusDocument, evidence: readonly Evidence[]): Outside =>
  leftOut(area, 'plan', {
    reason: say('scope.by-the-plan', { name: area.name, document: name, quote: evidence[0]!.quote }),
    evidence,
  });
