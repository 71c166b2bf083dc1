import { join } from 'node:path';
import { type TraceGap, takeApart } from '@normtrace/engine';
import { type Fact, same } from './fact.js';
import { type TracedSet, traceFiles } from './read-set.js';

const PROJECTS = ['ek8203', 'darienmt', 'KenOverholt'] as const;
const FILES = /^0[1-5]_.*\.(?:docx|xlsx)$/;

/** The three fills of the lane assistance course. */
export async function laneFacts(folder: string): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  for (const project of PROJECTS) {
    const set = await traceFiles(join(folder, project), FILES);
    const name = `lane-assistance/${project}`;
    facts.push(same(name, 'files read', { expected: '5', found: String(set.documents.length) }));
    facts.push(...integrityFacts(name, set));
    if (project === 'ek8203') facts.push(instructionBlocks(name, set));
    if (project === 'darienmt') facts.push(notRefined(name, set));
    else facts.push(repeatedIds(name, set));
    if (project === 'KenOverholt') facts.push(otherMeaning(name, set));
  }
  return facts;
}

/** Blocks of instructions that were left in the documents, by document. */
function instructionBlocks(name: string, { documents }: TracedSet): Fact {
  const counts = documents
    .filter(({ id }) => !id.startsWith('02'))
    .map(({ id, document }) => {
      const { passages } = takeApart(id, document);
      const openings = passages.filter(
        (passage) => passage.role === 'guidance' && /^\s*\[\s*instructions?/i.test(passage.text),
      );
      return openings.length;
    });
  const about = 'instruction blocks left in documents 01, 03, 04, 05';
  return same(name, about, { expected: '13, 12, 12, 7', found: counts.join(', ') });
}

function integrityFacts(name: string, { analysis, extraction }: TracedSet): Fact[] {
  const texts = new Map(extraction.artifacts.map(({ id, text }) => [id, text]));
  const lowered = analysis.gaps.filter(
    ({ kind, artifactId }) => kind === 'AI-02' && /memory test/i.test(texts.get(artifactId) ?? ''),
  );
  const rated = extraction.artifacts.filter(({ ratings }) => ratings).length;
  const wrong = analysis.gaps.filter(({ kind }) => kind === 'AI-13').length;
  return [
    {
      set: name,
      about: 'the memory test has a lower ASIL than its parent',
      expected: 'an AI-02 finding in document 04',
      found: `${lowered.length}: ${lowered.map(({ artifactId }) => artifactId).join('; ')}`,
      holds: lowered.some(({ documentId }) => documentId?.startsWith('04')),
    },
    {
      set: name,
      about: 'S, E, C give the stated ASIL in every rated row',
      expected: 'rated rows, no AI-13',
      found: `${rated} rated rows, ${wrong} AI-13`,
      holds: rated > 0 && wrong === 0,
    },
  ];
}

function notRefined(name: string, { analysis }: TracedSet): Fact {
  const remark = analysis.remarks.find(({ kind }) => kind === 'allocated_not_refined');
  const gaps = analysis.gaps.filter(({ kind }: TraceGap) => kind === 'not_refined_nor_allocated');
  const ids = [...(remark?.listed ?? []), ...gaps].map(({ artifactId }) => artifactId);
  const functional = ids.filter((id) => id.startsWith('Functional')).map((id) => id.replace(/\D*(?=\d)/, ''));
  return same(name, 'functional requirements without technical ones', {
    expected: '01-03, 02-02',
    found: functional.sort().join(', '),
  });
}

/** The same numbers under every parent are told apart. */
function repeatedIds(name: string, { extraction }: TracedSet): Fact {
  const scoped = new Set(extraction.artifacts.filter(({ id }) => id.includes(' / ')).map(({ id }) => id));
  const locals = new Set([...scoped].map((id) => id.slice(id.lastIndexOf('/') + 2)));
  return {
    set: name,
    about: 'requirement ids repeat under each parent',
    expected: 'TSR 01 to 05 under each of three parents',
    found: `${locals.size} ids under parents, ${scoped.size} artifacts`,
    holds: locals.size === 5 && scoped.size === 15,
  };
}

function otherMeaning(name: string, { extraction }: TracedSet): Fact {
  const ids = extraction.notes
    .filter(({ code, documentId }) => code === 'other_meaning' && documentId.startsWith('05'))
    .map(({ message }) => /Technical Safety Requirement (\d+)"/.exec(message)?.[1] ?? '?');
  return same(name, 'technical requirements with another meaning in document 05', {
    expected: '02, 03, 04',
    found: [...new Set(ids)].sort().join(', '),
  });
}
