import { z } from 'zod';
import { type CorpusDocument, isWithin } from '../../../corpus/corpus.js';
import type { DocumentPart } from '../../../corpus/detect-document-types.js';
import { quote } from '../../../corpus/evidence.js';
import type { Passage } from '../../../corpus/passages/passage.js';
import { checkWords } from '../../../facts/check-words.js';
import { parseDate } from '../../../facts/parse-date.js';
import { quantitiesIn } from '../../../facts/quantities.js';
import type { Evidence } from '../../../findings/finding.js';
import { say } from '../../../sentences/sentence.js';
import { termsOf } from '../../../text/terms.js';
import { documentsOf, type ItemContext, nameOfTypes, namesOfTypes, partsFor } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { documentTypes } from '../parameters.js';
import { checkReference } from './reference.js';

/** Dates of the same milestone, values of the same thing or versions agree between two kinds of documents. */
const parameters = {
  what: z.enum(['dates', 'values', 'versions']),
  between: documentTypes,
  and: documentTypes,
};
type Check = CheckParameters<typeof parameters>;

export const agreement = defineCheck('agreement', parameters, checkAgreement);

/** A named thing with what is stated for it. */
interface Stated {
  /** Words of the name, sorted: how two documents name the same thing. */
  readonly key: string;
  readonly name: string;
  readonly value: string;
  readonly evidence: Evidence;
}

const QUOTES = 2;

function checkAgreement(check: Check, context: ItemContext): Outcome {
  const [left, right] = [partsFor(context, check.between), partsFor(context, check.and)];
  const absent = [...(left.length === 0 ? [check.between] : []), ...(right.length === 0 ? [check.and] : [])];
  if (absent.length > 0) {
    return outcome('missing', 'medium', {
      rules: ['nothing-to-compare'],
      reason: say('checks.no-documents-of-kinds', {
        absent: absent.map((types) => namesOfTypes(context, types)),
      }),
      terms: absent.map((types) => nameOfTypes(context, types).en),
    });
  }
  if (check.what === 'versions')
    return checkReference({ in: [...check.between], to: [...check.and], version: true }, context);
  const statedIn = check.what === 'dates' ? datesIn : valuesIn;
  const theirs = new Map<string, Stated[]>();
  for (const one of statedIn(right, context)) theirs.set(one.key, [...(theirs.get(one.key) ?? []), one]);
  const pairs = statedIn(left, context).flatMap((one) => {
    const others = (theirs.get(one.key) ?? []).filter((other) => !isSamePlace(one.evidence, other.evidence));
    if (others.length === 0) return [];
    const same = others.find((other) => other.value === one.value);
    return [{ one, other: same ?? others[0]!, agrees: same !== undefined }];
  });
  const bad = pairs.filter((pair) => !pair.agrees);
  const instances = { met: pairs.length - bad.length, total: pairs.length };
  if (bad.length > 0) {
    return outcome('fail', check.what === 'dates' ? 'high' : 'medium', {
      rules: [`${check.what}-differ`],
      reason: say('checks.pairs-differ', {
        bad: bad.length,
        pairs: pairs.length,
        name: bad[0]!.one.name,
        value: bad[0]!.one.value,
        value2: bad[0]!.other.value,
      }),
      evidence: bad
        .slice(0, QUOTES)
        .flatMap(({ one, other }) =>
          [one, other].map((stated) => ({ ...stated.evidence, role: 'counter' as const })),
        ),
      instances,
      affected: bad.map(({ one }) => one.name),
    });
  }
  if (pairs.length === 0) {
    return outcome('missing', 'low', {
      rules: ['nothing-in-common'],
      reason: say('checks.nothing-to-compare'),
      terms: [check.what],
    });
  }
  return outcome('pass', 'medium', {
    rules: [`${check.what}-agree`],
    reason: say('checks.pairs-agree', { pairs: pairs.length }),
    evidence: pairs.slice(0, QUOTES).flatMap(({ one, other }) => [one.evidence, other.evidence]),
    instances,
  });
}

const isSamePlace = (a: Evidence, b: Evidence) => a.documentId === b.documentId && a.start === b.start;

/** Rows and lines with a date: what is left without it is the name of the milestone or task. */
function datesIn(parts: readonly DocumentPart[], context: ItemContext): readonly Stated[] {
  const isMilestone = new RegExp(checkWords().milestones, 'iu');
  return everySegment(parts, context).flatMap(({ document, passage, segments, text }) => {
    const dated = segments.find((segment) => parseDate(segment.text) !== undefined);
    if (!dated) return [];
    const isRow = segments.length > 1;
    const name = isRow
      ? segments.find((segment) => segment !== dated && /\p{L}{3,}/u.test(segment.text))?.text
      : text.replace(/[\d./-]{6,}/g, ' ');
    if (name === undefined || (!isRow && !isMilestone.test(name))) return [];
    return stated(name, parseDate(dated.text)!, { document, passage, place: dated });
  });
}

/** Rows whose first words name something and that state one number with a unit for each quantity. */
function valuesIn(parts: readonly DocumentPart[], context: ItemContext): readonly Stated[] {
  return everySegment(parts, context).flatMap(({ document, passage, segments }) => {
    if (segments.length < 2) return [];
    const [first] = segments.filter((segment) => segment.text.trim() !== '');
    if (!first) return [];
    return segments.flatMap((segment) => {
      if (segment === first) return [];
      const quantities = quantitiesIn(segment.text);
      if (quantities.length !== 1) return [];
      const { kind, value } = quantities[0]!;
      return stated(first.text, `${value} (${kind})`, { document, passage, place: segment }, kind);
    });
  });
}

function stated(
  name: string,
  value: string,
  at: {
    readonly document: CorpusDocument;
    readonly passage: Passage;
    readonly place: { readonly start: number; readonly end: number };
  },
  kind = '',
): Stated[] {
  const key = [...new Set(termsOf(name))].sort().join(' ');
  if (key.length < 4) return [];
  const plain = name.trim().replace(/\s+/g, ' ').slice(0, 60);
  const evidence = quote(at.document.read.document, at.passage, at.place, { role: 'support', note: plain });
  return [{ key: `${key} ${kind}`, name: plain, value, evidence }];
}

function everySegment(parts: readonly DocumentPart[], context: ItemContext) {
  return documentsOf(context, parts).flatMap((document) =>
    document.read.passages.flatMap((passage) => {
      if (passage.role !== 'body' || passage.header || !isWithin(parts, passage)) return [];
      const { text } = document.read.document;
      const segments = (document.read.document.blocks[passage.blockIndex]!.cells ?? [passage]).map(
        ({ start, end }) => ({
          start,
          end,
          text: text.slice(start, end),
        }),
      );
      return [{ document, passage, segments, text: passage.text }];
    }),
  );
}
