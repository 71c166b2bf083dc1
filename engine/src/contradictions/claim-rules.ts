import { z } from 'zod';
import { type CorpusDocument, usableDocuments } from '../corpus/corpus.js';
import { quote } from '../corpus/evidence.js';
import { cellText, type Table } from '../corpus/passages/tables.js';
import { fieldWords } from '../facts/artifacts/records.js';
import type { Evidence } from '../findings/finding.js';
import { say } from '../sentences/sentence.js';
import { normaliseText } from '../text/normalise.js';
import { anyOf, listSchema, readWords } from '../words/read-words.js';
import type { ConsistencyContext, Contradiction } from './contradiction.js';

const schema = z.strictObject({
  claims: listSchema,
  counts: z.strictObject({ total: listSchema, passed: listSchema, other: listSchema }),
  resultColumns: listSchema,
  positiveResults: listSchema,
  negativeResults: listSchema,
});

/** T13: "all tests passed" beside counts or a table that say otherwise; the numbers win. */
export function claimsAgainstCounts({ corpus }: ConsistencyContext): readonly Contradiction[] {
  const words = readWords('claims', schema);
  const claim = anyOf(words.claims);
  return usableDocuments(corpus).flatMap((document): Contradiction[] => {
    const { read } = document;
    const claims = read.passages.flatMap((passage): Evidence[] => {
      if (passage.role !== 'body' || read.document.blocks[passage.blockIndex]!.cells) return [];
      const match = claim.exec(passage.text);
      if (!match) return [];
      const start = passage.start + match.index;
      return [
        quote(
          read.document,
          passage,
          { start, end: start + match[0].length },
          { role: 'counter', note: say('contradictions.claim-against-counts.note-claim') },
        ),
      ];
    });
    const against = claims.length > 0 ? [...countsOf(document, words), ...resultsOf(document, words)] : [];
    if (against.length === 0) return [];
    return [
      {
        kind: 'contradiction',
        item: normaliseText(document.name),
        confidence: 'high',
        title: say('contradictions.claim-against-counts.title'),
        expected: say('contradictions.claim-against-counts.expected'),
        observed: say('contradictions.claim-against-counts.observed', {
          claim: claims[0]!.quote,
          against: against.map((one) => say('general.quoted', { text: one.quote })),
        }),
        whyItMatters: say('contradictions.claim-against-counts.why'),
        recommendation: say('contradictions.claim-against-counts.action', { document: document.name }),
        doneWhen: say('contradictions.claim-against-counts.done'),
        affectedItems: [],
        evidence: [...claims.slice(0, 2), ...against],
      },
    ];
  });
}

type Words = z.output<typeof schema>;

/** "Blocked: 7" with a number above zero. */
function countsOf({ read }: CorpusDocument, words: Words): Evidence[] {
  const label = words.counts.other.join('|');
  const pattern = new RegExp(`(?<!\\p{L})(?:${label})\\s*[:=]\\s*(\\d+)(?!\\d|[.,]\\d|\\s?%)`, 'giu');
  return read.passages.flatMap((passage) => {
    if (passage.role !== 'body') return [];
    return [...passage.text.matchAll(pattern)].flatMap((match) => {
      if (Number(match[1]) === 0 || match[0].includes('\t')) return [];
      const start = passage.start + match.index;
      return [
        quote(
          read.document,
          passage,
          { start, end: start + match[0].length },
          { role: 'counter', note: say('contradictions.claim-against-counts.note-number') },
        ),
      ];
    });
  });
}

/** Rows of result tables that did not pass. */
function resultsOf({ read }: CorpusDocument, words: Words): Evidence[] {
  const isNegative = (text: string) =>
    words.negativeResults.includes(normaliseText(text)) ||
    words.negativeResults.includes(text.trim().toLowerCase());
  return read.records.flatMap((table: Table) => {
    const column = table.columns.findIndex((title) =>
      words.resultColumns.includes((title ?? '').trim().toLowerCase()),
    );
    if (column < 0) return [];
    return table.rows
      .filter((row) => isNegative(cellText(row, column)))
      .slice(0, 3)
      .map((row) =>
        quote(read.document, read.passages[row.block]!, row.cells.get(column)!, {
          role: 'counter',
          note: say('contradictions.claim-against-counts.note-result', { case: cellText(row, 0) }),
        }),
      );
  });
}

/** The build that was tested is not the build that is released. */
export function otherBuild({ corpus }: ConsistencyContext): readonly Contradiction[] {
  const pattern = new RegExp(fieldWords().buildVersion, 'giu');
  const buildsOf = (types: readonly string[]) =>
    usableDocuments(corpus)
      .filter((document) => document.parts.some((part) => part.whole && types.includes(part.typeId)))
      .flatMap((document) =>
        document.read.passages.flatMap((passage) => {
          if (passage.role === 'toc' || passage.role === 'history' || passage.role === 'references')
            return [];
          return [...passage.text.matchAll(pattern)].flatMap((match) => {
            if (match[0].includes('\t')) return [];
            const start = passage.start + match.index;
            const version = match.groups!.version!.replace(/[.,;]+$/, '');
            const end = start + match[0].length - (match.groups!.version!.length - version.length);
            const evidence = quote(
              document.read.document,
              passage,
              { start, end },
              { role: 'counter', note: say('contradictions.other-build.note', { document: document.name }) },
            );
            return [{ version, evidence, document }];
          });
        }),
      );
  const tested = buildsOf(['test_report']);
  const released = buildsOf(['release_notes']);
  if (tested.length === 0 || released.length === 0) return [];
  const wasTested = new Set(tested.map((one) => one.version));
  const untested = released.find((one) => !wasTested.has(one.version));
  if (!untested) return [];
  return [
    {
      kind: 'version_mismatch',
      item: 'tested-build',
      confidence: 'high',
      title: say('contradictions.other-build.title', { build: untested.version }),
      expected: say('contradictions.other-build.expected'),
      observed: say('contradictions.other-build.observed', {
        document: untested.document.name,
        build: untested.version,
        tested: [...wasTested],
      }),
      whyItMatters: say('contradictions.other-build.why'),
      recommendation: say('contradictions.other-build.action', {
        build: untested.version,
        tested: [...wasTested],
      }),
      doneWhen: say('contradictions.other-build.done'),
      affectedItems: [untested.version, ...wasTested],
      evidence: [tested[0]!.evidence, untested.evidence],
    },
  ];
}
