import { beforeAll, describe, expect, it } from 'vitest';
import { readDocument } from '../../documents/read-document.js';
import { extractArtifacts } from '../../facts/artifacts/extract-artifacts.js';
import { readSpecificationId } from '../../facts/artifacts/specification-id.js';
import { loadTraceabilityRules, type TraceabilityRules } from './rules.js';
import { examineTraceability } from './run.js';
import { askSpecificationOracle, type OracleAnswer } from './testing/specification-oracle.js';
import { type PlannedItem, specificationProject } from './testing/specification-projects.js';
import type { TraceGap } from './traceability.js';

/** `SPECIFICATION_PROJECTS=5000` makes the long run. */
const PROJECTS = Number(process.env.SPECIFICATION_PROJECTS ?? 150);

let rules: TraceabilityRules;
beforeAll(async () => {
  rules = await loadTraceabilityRules();
});

async function examine(files: Readonly<Record<string, string>>) {
  const documents = await Promise.all(
    Object.entries(files).map(async ([fileName, text]) => ({
      id: fileName,
      document: await readDocument(new TextEncoder().encode(text), { fileName }),
    })),
  );
  const extraction = extractArtifacts(documents);
  const { analysis, matrixRows } = examineTraceability({ ...extraction, rules });
  return { documents, extraction, analysis, rows: [...matrixRows()] };
}

const STATUS: Readonly<Record<string, string>> = {
  dangling_target: 'orphaned',
  outdated_link: 'outdated',
  predated_link: 'predated',
  ambiguous_link: 'ambiguous',
  unwanted_link: 'unwanted',
};

/** What our gaps and links say, in the oracle's words. */
function answerOf({ analysis, extraction }: Awaited<ReturnType<typeof examine>>): OracleAnswer {
  const bad = analysis.gaps.flatMap((gap) =>
    gap.kind in STATUS ? [`${gap.artifactId} ${STATUS[gap.kind]} ${gap.related[0] ?? gap.missing}`] : [],
  );
  const isBad = new Set(analysis.gaps.flatMap(({ kind, link }) => (kind in STATUS ? [link] : [])));
  const good = extraction.links.flatMap(({ type, sourceId, targetId }, link) => {
    const isUp = type === 'derives_from' || type === 'satisfies';
    return isBad.has(link)
      ? []
      : [isUp ? `${sourceId} covers ${targetId}` : `${targetId} covers ${sourceId}`];
  });
  const missing = new Map<string, string[]>();
  for (const { kind, artifactId, missing: types } of analysis.gaps) {
    if (kind !== 'needed_item' && kind !== 'needed_verification') continue;
    missing.set(artifactId, [...(missing.get(artifactId) ?? []), ...types!.split(', ')]);
  }
  const duplicates = analysis.gaps.filter(({ kind }) => kind === 'duplicate_item');
  const known = new Set(extraction.artifacts.map(({ id }) => id));
  // What covers an item only badly, it is not covered by; what a loop or a dead end is below of is not covered whole.
  const concerned = (gap: TraceGap) => [gap.artifactId, ...gap.related, ...(gap.affected ?? [])];
  return {
    links: [...new Set([...bad, ...good.filter((one) => known.has(one.split(' ')[2]!))])].sort(),
    uncovered: [...missing].map(([id, types]) => `${id} ${types.sort().join(' ')}`).sort(),
    duplicates: duplicates.map(({ artifactId }) => artifactId).sort(),
    defect: [...new Set(analysis.gaps.flatMap(concerned))].sort(),
  };
}

/** Items without a name of their own have one that we gave them: by what they cover. */
function named(
  items: readonly PlannedItem[],
  given: readonly {
    readonly id: string;
    readonly location: { readonly line?: number };
    readonly documentId: string;
  }[],
  files: Readonly<Record<string, string>>,
): PlannedItem[] {
  const tags = Object.entries(files).flatMap(([file, text]) =>
    text.split('\n').flatMap((line, at) => {
      const match = /\[(\w+)->([^\]\s>]+)(.*)/.exec(line);
      if (!match || !file.startsWith('src/')) return [];
      const id = given.find((one) => one.documentId === file && one.location.line === at + 1)!.id;
      return [{ type: match[1]!, covers: match[2]!, needs: match[3]!.includes('>>'), id, taken: false }];
    }),
  );
  return items.map((item) => {
    if (item.form !== 'tag') return item;
    const tag = tags.find(
      ({ taken, type, covers, needs }) =>
        !taken && type === item.type && covers === item.covers[0] && needs === item.needs.length > 0,
    )!;
    tag.taken = true;
    return { ...item, ...readSpecificationId(tag.id)! };
  });
}

describe('specification items of OpenFastTrace', () => {
  it('have the defects that its rules give them, in generated projects', async () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < PROJECTS; seed++) {
      const { items, files } = specificationProject(seed, {
        features: 1 + (seed % 3),
        defects: (seed % 4) / 12,
      });
      const found = await examine(files);
      const expected = askSpecificationOracle(named(items, found.extraction.artifacts, files));
      const answer = answerOf(found);
      expect(answer, `project ${seed}`).toEqual(expected);
      for (const { gapType, kind } of found.analysis.gaps) seen.add(`${gapType}/${kind}`);
      for (const link of found.extraction.links) {
        const { document } = found.documents.find(({ id }) => id === link.documentId)!;
        const quote = document.text.slice(link.start, link.end);
        expect([link.sourceId, link.targetId], `project ${seed}`).toContain(quote);
        const line = files[link.documentId]!.split('\n')[link.location.line! - 1];
        expect(line).toContain(quote);
      }
    }
    expect([...seen].sort()).toEqual([
      'broken_chain/ambiguous_link',
      'broken_chain/coverage_loop',
      'broken_chain/dangling_target',
      'broken_chain/duplicate_item',
      'broken_chain/outdated_link',
      'broken_chain/predated_link',
      'broken_chain/unwanted_link',
      'missing_verification/needed_verification',
      'orphan_downstream/needed_item',
    ]);
  });
});

describe('reading of specification items', () => {
  const itemsOf = async (files: Readonly<Record<string, string>>) => {
    const { extraction, analysis } = await examine(files);
    const links = extraction.links.map(({ sourceId, targetId }) => `${sourceId} ${targetId}`);
    return {
      items: extraction.artifacts.map(({ id, needs }) => `${id} ${needs?.join(',')}`),
      links,
      analysis,
    };
  };

  it('follows the form line by line', async () => {
    const { items, links, analysis } = await itemsOf({
      'a.md': `# Limit
\`req~limit~1\`
The force is limited, see dsn~other~1 and [req~limit~2].
Rationale:
It hurts. Needs: nothing
Covers:
- [\`feat~force~1\`](#force)
- feat~speed~1
Between them stands a remark.
* feat~time~1
Needs: dsn, utest
Status: rejected

- req~listed~1

\`\`\`
req~fenced~1
\`\`\`

## Design

dsn~limit~1 with words behind it

Needs:

* impl
`,
      'b.c': '/* [impl~own~3->dsn~limit~1]\n * [ impl -> dsn~limit~1 ] [utest->req~limit~1>>qa,\titest] */',
      'c.md': 'How to tag:\n\n```c\n// [impl->dsn~limit~1]\n```\n',
    });
    expect(items).toEqual([
      'req~limit~1 dsn,utest',
      'dsn~limit~1 impl',
      'impl~own~3 ',
      expect.stringMatching(/^impl~limit-[0-9a-f]{8}~0 $/),
      'utest~limit~0 qa,itest',
    ]);
    expect(links).toHaveLength(6);
    expect(links.slice(0, 4)).toEqual([
      'req~limit~1 feat~force~1',
      'req~limit~1 feat~speed~1',
      'req~limit~1 feat~time~1',
      'dsn~limit~1 impl~own~3',
    ]);
    // A rejected item lacks nothing; its links to nothing are told all the same.
    expect(
      analysis.gaps.filter(({ artifactId }) => artifactId === 'req~limit~1').map(({ kind }) => kind),
    ).toEqual(Array(3).fill('dangling_target'));
  });

  it('knows tags with other ids, and not the examples of a text', async () => {
    const { links, items } = await itemsOf({
      'a.md': '# One\n\nREQ-12: The unit shall stop.\n\n```c\n// [impl->req~one~1]\n```\n',
      'a.c': '// [impl->REQ-12]\n',
    });
    expect(items).toEqual(['REQ-12 undefined', 'a.c:1 undefined']);
    expect(links).toEqual(['a.c:1 REQ-12']);
  });

  it('keeps ids apart that differ in case, signs or revision', async () => {
    const { analysis } = await itemsOf({
      'a.md': ['req~a.b~1', 'req~a-b~1', 'req~A-b~1']
        .map((id) => `# One\n${id}\n\nText of ${id}.\n`)
        .join('\n'),
      'b.md': '# Two\ndsn~a~1\n\nText.\n\nCovers:\n* req~a_b~1\n',
    });
    expect(analysis.totalArtifacts).toBe(4);
    expect(analysis.gaps.map(({ kind, missing }) => [kind, missing])).toEqual([
      ['dangling_target', 'req~a_b~1'],
    ]);
  });

  it('counts a link that a person added, and links of other forms', async () => {
    const { extraction } = await examine({
      'a.md': '# One\nreq~one~1\n\nText.\n\nNeeds: dsn\n\n# Two\ndsn~two~1\n\nText.\n',
    });
    const gapsWith = (links: Parameters<typeof examineTraceability>[0]['links']) =>
      examineTraceability({ artifacts: extraction.artifacts, links, rules }).analysis.gaps.map(
        ({ kind }) => kind,
      );
    expect(gapsWith([])).toEqual(['needed_item']);
    expect(gapsWith([{ sourceId: 'req~one~1', targetId: 'dsn~two~1', type: 'allocated_to' }])).toEqual([]);
  });

  it('asks nothing of V-model rules for them', async () => {
    const { analysis } = await itemsOf({
      'a.md':
        '# One\nreq~one~1\n\nThe unit shall stop.\n\n# Two\numan~two~1\n\nText.\n\nCovers:\n* req~one~1\n',
    });
    expect(analysis.gaps.map(({ kind }) => kind)).toEqual(['unwanted_link']);
    expect(analysis.remarks.map(({ kind }) => kind)).not.toContain('untyped_artifact');
  });
});
