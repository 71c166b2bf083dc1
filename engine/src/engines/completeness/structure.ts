import type { CorpusDocument } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { opensInstruction } from '../../corpus/passages/guidance.js';
import type { Passage } from '../../corpus/passages/passage.js';
import type { Evidence } from '../../findings/finding.js';
import { say } from '../../sentences/sentence.js';
import { patternOf } from '../../words/read-words.js';
import type { SectionResult } from './completeness.js';
import { completenessRules } from './rules.js';
import type { StructureDefect } from './structure-defect.js';
import { tablesNotRead } from './unread-tables.js';

const QUOTES = 3;

/** Blocks of instructions that the template's author wrote to the document's author (domain D.5.2, H.4 T8). */
export function templateInstructions({ read }: CorpusDocument): {
  readonly count: number;
  readonly evidence: readonly Evidence[];
} {
  const openings = read.passages.filter(
    (passage) => passage.role === 'guidance' && opensInstruction(textOf(passage, read).text),
  );
  const evidence = openings.slice(0, QUOTES).map((passage) => {
    const note = say('completeness.instruction-of-the-template');
    return quote(read.document, passage, textOf(passage, read), { role: 'counter', note });
  });
  return { count: openings.length, evidence };
}

export function structureDefects(
  document: CorpusDocument,
  sections: readonly SectionResult[],
): readonly StructureDefect[] {
  return [
    ...absentFigures(document),
    ...brokenEnd(document, sections),
    ...unresolvedRemarks(document),
    ...templateTitles(document),
    ...tablesNotRead(document),
  ];
}

/** EM-06. Only where the document numbers its figures at all: else the reader may have lost the captions. */
function absentFigures({ read }: CorpusDocument): readonly StructureDefect[] {
  const rules = completenessRules();
  const caption = patternOf(rules.figureCaption);
  const numbered = new Set(
    read.passages.flatMap((passage) => {
      const number = passage.role === 'toc' ? undefined : caption.exec(passage.text)?.groups?.number;
      return number === undefined ? [] : [number.replace(/-/g, '.')];
    }),
  );
  if (numbered.size === 0) return [];
  const reference = patternOf(rules.figureReference, 'giu');
  const found = new Map<string, Evidence>();
  for (const passage of read.passages) {
    if (passage.role !== 'body') continue;
    for (const segment of read.document.blocks[passage.blockIndex]!.cells ?? [passage]) {
      for (const match of segment.text.matchAll(reference)) {
        const number = match.groups!.number!.replace(/-/g, '.');
        if (numbered.has(number) || found.has(number)) continue;
        const start = segment.start + match.index;
        const place = { start, end: start + match[0].length };
        const note = say('completeness.no-figure-in-the-document', { number });
        found.set(number, quote(read.document, passage, place, { role: 'counter', note }));
      }
    }
  }
  return [...found].map(
    ([number, evidence]): StructureDefect => ({
      rule: 'EM-06',
      severity: 'low',
      item: `figure ${number}`,
      title: say('completeness.figure-title', { number }),
      observed: say('completeness.the-text-refers-to-figure-no', { number }),
      evidence: [evidence],
    }),
  );
}

/** EM-07. A sheet ends where its rows end, and an empty section of the template is said there. */
function brokenEnd({ read }: CorpusDocument, sections: readonly SectionResult[]): readonly StructureDefect[] {
  const beside = new Set(['header_footer', 'comment', 'toc']);
  const last = read.passages.findLast(
    (passage) => !beside.has(passage.role) && (passage.text.trim() !== '' || passage.role === 'figure'),
  );
  if (!last || read.document.format === 'xlsx' || read.document.format === 'csv') return [];
  const isHeading = last.role === 'heading' && read.passages.some((passage) => passage.role === 'body');
  const isBroken = last.role === 'body' && patternOf(completenessRules().brokenOff).test(last.text);
  if (!isHeading && !isBroken) return [];
  if (isHeading && sections.some((section) => section.heading === last.text.trim())) return [];
  const observed = isHeading
    ? say('completeness.the-document-ends-with-a-heading')
    : say('completeness.the-last-paragraph-breaks-off');
  const evidence = quote(read.document, last, textOf(last, read), {
    role: 'counter',
    note: say('completeness.end-of-the-document'),
  });
  const title = say(isHeading ? 'completeness.heading-title' : 'completeness.breaks-title');
  return [{ rule: 'EM-07', severity: 'medium', item: 'end', title, observed, evidence: [evidence] }];
}

/** EM-08. */
function unresolvedRemarks({ read, status }: CorpusDocument): readonly StructureDefect[] {
  if (status !== 'released') return [];
  const comments = read.passages.filter(
    (passage) => read.document.blocks[passage.blockIndex]!.kind === 'comment',
  );
  const changes = read.document.notes.filter((note) => note.code === 'tracked_changes');
  if (comments.length === 0 && changes.length === 0) return [];
  const parts = [
    ...(comments.length > 0 ? [say('completeness.comments', { count: comments.length })] : []),
    ...changes.map((note) => note.message.replace(/\.$/, '')),
  ];
  const evidence = comments
    .filter((passage) => passage.text.trim() !== '')
    .slice(0, QUOTES)
    .map((passage) =>
      quote(read.document, passage, passage, {
        role: 'counter',
        note: say('completeness.comment-left-in-the-document'),
      }),
    );
  const observed = say('completeness.the-document-says-that-it-is', { parts });
  const title = say('completeness.released-title');
  return [{ rule: 'EM-08', severity: 'medium', item: 'remarks', title, observed, evidence }];
}

/** EM-09. The title stands first. */
function templateTitles({ read }: CorpusDocument): readonly StructureDefect[] {
  const title = patternOf(completenessRules().templateTitle);
  const first = read.passages
    .filter(
      (passage) => passage.role !== 'header_footer' && passage.role !== 'toc' && passage.text.trim() !== '',
    )
    .slice(0, 3)
    .find(
      (passage) =>
        (passage.role === 'heading' || passage.role === 'body') &&
        !read.document.blocks[passage.blockIndex]!.cells &&
        passage.text.length <= 80 &&
        title.test(passage.text),
    );
  if (!first) return [];
  const evidence = quote(read.document, first, first, {
    role: 'counter',
    note: say('completeness.title-of-the-template'),
  });
  return [
    {
      rule: 'EM-09',
      severity: 'medium',
      item: 'title',
      title: say('completeness.title-title'),
      observed: say('completeness.the-title-is-that-of-the'),
      evidence: [evidence],
    },
  ];
}

/** A paragraph, or the only cell of a row that says something. */
function textOf(
  passage: Passage,
  read: CorpusDocument['read'],
): { text: string; start: number; end: number } {
  const cells = read.document.blocks[passage.blockIndex]!.cells;
  return cells?.find((cell) => cell.text.trim() !== '') ?? passage;
}
