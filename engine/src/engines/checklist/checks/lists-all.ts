import { z } from 'zod';
import { isWithin } from '../../../corpus/corpus.js';
import { identifierKey, identifiersIn } from '../../../facts/artifacts/identifiers.js';
import { filledCells } from '../../../facts/table-rows.js';
import type { Evidence } from '../../../findings/finding.js';
import { say } from '../../../sentences/sentence.js';
import { termsOf } from '../../../text/terms.js';
import { documentsOf, type ItemContext, namesOfTypes, partsFor } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { artifactTypes, columns, documentTypes } from '../parameters.js';
import { quoteArtifact, quoteCell, quoteRange } from '../quotes.js';

/** Every name of `of` (ids of artifacts, or values of columns) is treated in a document of the types. */
const parameters = {
  of: z.union([z.strictObject({ artifacts: artifactTypes }), z.strictObject({ columns: columns.min(1) })]),
  in: documentTypes,
};
type Check = CheckParameters<typeof parameters>;

export const listsAll = defineCheck('lists_all', parameters, checkListsAll);

interface Wanted {
  readonly name: string;
  /** By id where it has one, else by its words. */
  readonly id: boolean;
  readonly evidence: readonly Evidence[];
}

const QUOTES = 4;
/** This share of the words of a name in one passage stands for the name. */
const NEAR = 0.75;

function checkListsAll(check: Check, context: ItemContext): Outcome {
  const wanted = wantedOf(check, context);
  if (wanted.length === 0) {
    return outcome('missing', 'low', {
      rules: ['nothing-to-compare'],
      reason: say('checks.what-should-be-listed-was-not'),
    });
  }
  const parts = partsFor(context, check.in);
  if (parts.length === 0) {
    return outcome('missing', 'high', {
      rules: ['no-document-of-the-type'],
      reason: say('checks.no-document-of-place', { in: namesOfTypes(context, check.in) }),
      terms: wanted.slice(0, 12).map((one) => one.name),
    });
  }
  const find = finder(context, check.in);
  const placed = wanted.map((one) => ({ ...one, place: find(one) }));
  const absent = placed.filter((one) => !one.place);
  const byWords = wanted.some((one) => !one.id);
  const names = absent.map((one) => one.name);
  const instances = { met: placed.length - absent.length, total: placed.length };
  if (absent.length === placed.length) {
    return outcome('missing', byWords ? 'low' : 'medium', {
      rules: ['none-listed'],
      reason: say('checks.names-none-of-wanted', {
        in: namesOfTypes(context, check.in),
        wanted: wanted.length,
        names: names.slice(0, 5),
      }),
      evidence: absent
        .slice(0, 2)
        .flatMap((one) => one.evidence)
        .map((one) => ({ ...one, role: 'context' as const })),
      terms: names.slice(0, 12),
      instances,
      affected: names,
    });
  }
  if (absent.length > 0) {
    return outcome('fail', byWords ? 'low' : 'high', {
      rules: ['not-all-listed'],
      reason: say('checks.treats-some', {
        in: namesOfTypes(context, check.in),
        met: instances.met,
        total: instances.total,
        names: names.slice(0, 5),
      }),
      evidence: absent.slice(0, QUOTES).flatMap((one) => one.evidence),
      instances,
      affected: names,
    });
  }
  return outcome('pass', byWords ? 'medium' : 'high', {
    rules: ['all-listed'],
    reason: say('checks.all-are-treated-in-the', {
      wanted: wanted.length,
      in: namesOfTypes(context, check.in),
    }),
    evidence: placed.slice(0, QUOTES).flatMap((one) => one.place ?? []),
    instances,
  });
}

function wantedOf({ of }: Check, context: ItemContext): readonly Wanted[] {
  if ('artifacts' in of) {
    return context.trace.ofTypes(of.artifacts).map((artifact) => ({
      name: artifact.id,
      id: true,
      evidence: quoteArtifact(context.corpus, artifact, {
        role: 'counter',
        note: say('checks.is-not-treated', { id: artifact.id }),
      }),
    }));
  }
  return filledCells(context, of.columns).map(({ row, cell }): Wanted => {
    const name = cell.text.trim().replace(/\s+/g, ' ');
    const place = { block: row.row.block, start: cell.start, end: cell.end };
    return {
      name: name.slice(0, 80),
      id: identifiersIn(name).some((one) => one.id === name),
      evidence: [quoteCell(row.document, place, { role: 'counter', note: say('checks.not-treated') })],
    };
  });
}

/** Finds a name in the documents of the types; the place where it was taken from does not count. Linear in the text. */
function finder(context: ItemContext, types: readonly string[]): (wanted: Wanted) => Evidence | undefined {
  const parts = partsFor(context, types);
  const passages = documentsOf(context, parts).flatMap((document) =>
    document.read.passages
      .filter((passage) => passage.role === 'body' && !passage.header && isWithin(parts, passage))
      .map((passage) => ({ document, passage })),
  );
  const byId = new Map<string, number[]>();
  for (const [at, { passage }] of passages.entries()) {
    for (const { key } of identifiersIn(passage.text))
      byId.set(key, [...(byId.get(key) ?? []).slice(0, 1), at]);
  }
  let byTerm: ReadonlyMap<string, readonly number[]> | undefined;
  /** Passages that have enough of the words, in order. */
  const byWords = (name: string) => {
    byTerm ??= postingsOf(passages.map(({ passage }) => passage.text));
    const asked = [...new Set(termsOf(name))];
    const counts = new Map<number, number>();
    for (const term of asked) {
      for (const at of byTerm.get(term) ?? []) counts.set(at, (counts.get(at) ?? 0) + 1);
    }
    return [...counts]
      .filter(([, count]) => count >= asked.length * NEAR)
      .map(([at]) => at)
      .sort((one, other) => one - other);
  };
  return (wanted) => {
    const places = wanted.id ? (byId.get(identifierKey(wanted.name)) ?? []) : byWords(wanted.name);
    const isOwn = ({ passage }: (typeof passages)[number]) =>
      wanted.evidence.some(
        (one) =>
          one.documentId === passage.documentId && passage.start <= one.start && one.end <= passage.end,
      );
    const own = places.map((at) => passages[at]!).find((one) => !isOwn(one));
    return (
      own &&
      quoteRange(own.document, own.passage, {
        role: 'support',
        note: say('checks.treats', { name: wanted.name }),
      })
    );
  };
}

/** Passages by the words that they have, each once. */
function postingsOf(texts: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const postings = new Map<string, number[]>();
  for (const [at, text] of texts.entries()) {
    for (const term of new Set(termsOf(text))) {
      const own = postings.get(term);
      if (own) own.push(at);
      else postings.set(term, [at]);
    }
  }
  return postings;
}
