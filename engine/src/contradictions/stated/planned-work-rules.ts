import { type CorpusDocument, usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import type { Passage } from '../../corpus/passages/passage.js';
import { personNamesIn } from '../../facts/person-names.js';
import { recordWords } from '../../facts/stated/record-words.js';
import { say } from '../../sentences/sentence.js';
import { anyOf, patternOf } from '../../words/read-words.js';
import { anyName } from './document-names.js';
import { firstOfEach, type StatedContext, type StatedContradiction, shown } from './stated-rule.js';

/** The assessment is planned for a time when nothing is there to be assessed, or when vehicles are sold already. */
export function assessmentMisplaced({ facts }: StatedContext): readonly StatedContradiction[] {
  const { assessment, tooEarly, tooLate } = recordWords().plans;
  return firstOfEach(
    facts.items.flatMap((row): StatedContradiction[] => {
      if (row.table === undefined) return [];
      const [what, ...others] = row.cells;
      if (!what || !patternOf(assessment).test(what.text)) return [];
      const when = others.find(({ text }) => patternOf(tooEarly).test(text) || patternOf(tooLate).test(text));
      if (!when) return [];
      const isEarly = patternOf(tooEarly).test(when.text);
      return [
        {
          rule: isEarly ? 'assessment-too-early' : 'assessment-too-late',
          item: row.document.id,
          confidence: 'medium',
          words: { when: when.text },
          affected: [what.text.slice(0, 60)],
          evidence: [...shown(row, when, when.title), ...shown(row, what, what.title)],
        },
      ];
    }),
  );
}

/** Passages of the text of each section with such a heading, its subsections among them; the heading first. */
function sectionsCalled(
  { read }: CorpusDocument,
  title: string,
): readonly { readonly heading: Passage; readonly body: readonly Passage[] }[] {
  return read.passages.flatMap((heading) => {
    const block = read.document.blocks[heading.blockIndex]!;
    if (block.kind !== 'heading' || !patternOf(title).test(heading.text)) return [];
    const path = [...(block.location.section ?? [])];
    const isBelow = ({ blockIndex }: Passage) => {
      const own = read.document.blocks[blockIndex]!.location.section ?? [];
      return blockIndex > heading.blockIndex && path.every((one, at) => own[at] === one);
    };
    // Text that says nothing is blanked: it has no place to quote.
    const body = read.passages.filter((one) => one.role === 'body' && one.text.trim() !== '' && isBelow(one));
    return body.length === 0 ? [] : [{ heading, body }];
  });
}

/**
 * A section that has to plan who does what and when explains only what it is about: it has no table, and names no person of the project, no
 * day, no independence and no more than one work product. Silent where rows of any document give measures their independence.
 */
export function sectionPlansNothing({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const { agreement, confirmation, planned, denied } = recordWords().plans;
  const people = [
    ...new Set(
      facts.items.flatMap(({ table, cells }) =>
        table === undefined
          ? []
          : cells.slice(1).flatMap(({ text }) => (text.length > LONGEST_CELL ? [] : personNamesIn(text))),
      ),
    ),
  ];
  const types = recordWords().authored.flatMap((id) => {
    const type = corpus.documentTypes.get(id);
    return type ? [anyName([type.name.en, type.name.de, ...type.aliases], 'iu')] : [];
  });
  const isPlannedInRows = facts.items.some(
    ({ values }) => values.has('required_independence') || values.has('planned_independence'),
  );
  const says = ({ read }: CorpusDocument, body: readonly Passage[]) => {
    const text = body.map((one) => one.text).join('\n');
    return (
      body.some(({ blockIndex }) => read.document.blocks[blockIndex]!.cells) ||
      patternOf(planned, 'u').test(text) ||
      patternOf(recordWords().anyDate).test(text) ||
      people.some((name) => text.includes(name.split(/\s/u).at(-1)!)) ||
      types.filter((one) => one.test(text)).length > 1
    );
  };
  return firstOfEach(
    usableDocuments(corpus).flatMap((document) =>
      [agreement, confirmation].flatMap((title) => {
        if (title === confirmation && isPlannedInRows) return [];
        return sectionsCalled(document, title).flatMap(({ heading, body }): StatedContradiction[] => {
          const isDenied = title === agreement && body.some(({ text }) => patternOf(denied).test(text));
          if (isDenied || says(document, body)) return [];
          const show = (one: Passage) =>
            quote(document.read.document, one, one, { role: 'counter', note: heading.text });
          return [
            {
              rule: title === agreement ? 'agreement-plans-nothing' : 'confirmation-plans-nothing',
              item: document.id,
              confidence: 'medium',
              words: { section: heading.text },
              affected: [heading.text],
              evidence: [show(body[0]!), show(heading)],
            },
          ];
        });
      }),
    ),
  );
}
/** Longer cells are no names. */
const LONGEST_CELL = 40;

/** The agreement between companies is said not to apply, and the list of roles names several companies. */
export function agreementDenied({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const { agreement, denied, parties } = recordWords().plans;
  return firstOfEach(
    usableDocuments(corpus).flatMap((document) =>
      sectionsCalled(document, agreement).flatMap(({ body }): StatedContradiction[] => {
        const said = body.find(({ text }) => patternOf(denied).test(text));
        if (!said || body.length > 2) return [];
        const rows = facts.items.filter((row) => row.document === document && row.table !== undefined);
        const named = parties.flatMap((party) => {
          const isParty = patternOf(`^\\s*(?:${party})(?!\\p{L})`);
          const found = rows.flatMap((row) =>
            row.cells.slice(1).flatMap((cell) => (isParty.test(cell.text) ? [{ row, cell }] : [])),
          );
          return found[0] ?? [];
        });
        if (named.length < 2) return [];
        return [
          {
            rule: 'agreement-denied',
            item: document.id,
            confidence: 'medium',
            words: { parties: named.map(({ cell }) => cell.text) },
            affected: [],
            evidence: [
              quote(document.read.document, said, said, {
                role: 'counter',
                note: say('findings.note-claim'),
              }),
              ...named.slice(0, 2).flatMap(({ row, cell }) => shown(row, cell, row.id)),
            ],
          },
        ];
      }),
    ),
  );
}

interface Clause {
  readonly passage: Passage;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Title of its section. */
  readonly section: string;
  readonly isListed: boolean;
}

/** Parts of sentences, and first cells of rows. */
function clausesOf({ read }: CorpusDocument): readonly Clause[] {
  return read.passages.flatMap((passage): Clause[] => {
    const block = read.document.blocks[passage.blockIndex]!;
    if ((passage.role !== 'body' && passage.role !== 'scope') || block.kind === 'heading') return [];
    const section = block.location.section?.at(-1) ?? '';
    const [first] = block.cells ?? [];
    // Lists whose signs are not read: paragraphs that are no sentences.
    const isListed =
      first !== undefined || block.kind === 'list_item' || !/[.;:]\s*$/u.test(passage.text.trimEnd());
    if (first) return [{ passage, text: first.text, start: first.start, end: first.end, section, isListed }];
    return [...passage.text.matchAll(/[^.;]+/gu)].map(({ 0: text, index }) => {
      const at = passage.start + index + /^\s*/u.exec(text)![0].length;
      return {
        passage,
        text,
        start: at,
        end: passage.start + index + text.trimEnd().length,
        section,
        isListed,
      };
    });
  });
}

/** A phase is out of scope, and the same document delivers its work products or says that it is carried out. */
export function scopeContradicted({ corpus }: StatedContext): readonly StatedContradiction[] {
  const { outOfScope, deliverables, carriedOut, byOthers, phases } = recordWords().plans;
  return firstOfEach(
    usableDocuments(corpus).flatMap((document) => {
      const clauses = clausesOf(document);
      const out = clauses.filter(({ text, isListed }) => !isListed && patternOf(outOfScope).test(text));
      if (out.length === 0) return [];
      const leftOut = anyOf(recordWords().tailoredOut);
      return Object.entries(phases).flatMap(([phase, pattern]): StatedContradiction[] => {
        const isPhase = patternOf(pattern);
        const said = out.find(({ text }) => isPhase.test(text));
        if (!said) return [];
        const other = clauses.find((one) => {
          if (!isPhase.test(one.text) || leftOut.test(one.text) || patternOf(byOthers).test(one.text))
            return false;
          if (patternOf(outOfScope).test(one.text)) return false;
          return one.isListed
            ? patternOf(deliverables).test(one.section)
            : patternOf(carriedOut).test(one.text);
        });
        if (!other) return [];
        const show = ({ passage, ...place }: Clause) =>
          quote(document.read.document, passage, place, { role: 'counter', note: phase });
        return [
          {
            rule: 'scope-contradicted',
            item: `${phase} ${document.id}`,
            confidence: 'medium',
            words: { phase, other: other.text.trim().slice(0, 120) },
            affected: [phase],
            evidence: [show(other), show(said)],
          },
        ];
      });
    }),
  );
}
