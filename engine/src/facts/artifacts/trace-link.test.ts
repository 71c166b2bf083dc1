import { describe, expect, it } from 'vitest';
import { type Artifact, contentHash } from './artifact.js';
import { idKey, idSketch } from './id-spelling.js';
import { suspectLinks, type TraceLink } from './trace-link.js';

const requirement: Artifact = {
  id: 'FSR-1',
  type: 'functional_safety_requirement',
  text: 'The brake shall hold.',
  asil: 'D',
};

describe('content hash', () => {
  it('is about what is said, not how it is set or where it stands', () => {
    const moved = {
      ...requirement,
      text: 'The  brake\nshall hold.',
      location: { page: 7 },
      status: 'draft',
      version: '2',
    };
    expect(contentHash(moved)).toBe(contentHash(requirement));
    expect(contentHash(requirement)).toMatch(/^[0-9a-f]{64}$/);
  });
  it('changes with text, ASIL, type, ratings and result', () => {
    const changes: readonly Partial<Artifact>[] = [
      { text: 'The brake shall not hold.' },
      { asil: 'C' },
      { type: 'technical_safety_requirement' },
      { ratings: { severity: 3, exposure: 4, controllability: 3 } },
      { result: 'fail' },
    ];
    const hashes = [requirement, ...changes.map((change) => ({ ...requirement, ...change }))].map(
      contentHash,
    );
    expect(new Set(hashes).size).toBe(changes.length + 1);
  });
});

describe('suspect links', () => {
  const link = (confirmed?: TraceLink['confirmed']): TraceLink => ({
    sourceId: 'A',
    type: 'derives_from',
    targetId: 'B',
    ...(confirmed ? { confirmed } : {}),
  });
  const now = new Map([
    ['A', 'a2'],
    ['B', 'b1'],
  ]);
  const ask = (...links: TraceLink[]) => suspectLinks(links, (id) => now.get(id));
  it('finds the end that changed since the link was confirmed', () => {
    expect(
      ask(
        link({ sourceHash: 'a2', targetHash: 'b1' }),
        link({ sourceHash: 'a1', targetHash: 'b1' }),
        link({ sourceHash: 'a2', targetHash: 'b0' }),
        link({ sourceHash: 'a1', targetHash: 'b0' }),
      ),
    ).toEqual([
      { link: 1, changed: 'source' },
      { link: 2, changed: 'target' },
      { link: 3, changed: 'both' },
    ]);
  });
  it('suspects neither what nobody confirmed nor what is gone', () => {
    expect(ask(link(), { ...link({ sourceHash: 'x', targetHash: 'b1' }), sourceId: 'gone' })).toEqual([]);
  });
});

describe('spelling of ids', () => {
  const same = [
    ['SG-01', 'sg_1'],
    ['SG-01', '[SG-1]'],
    ['FSR.012', 'FSR 12'],
    ['req~login~2', 'REQ~LOGIN~3'],
    ['A-1@2', 'A-1'],
    ['A-1[version==4]', 'a-01'],
    ['TSR–7', 'TSR-7'],
    ['ＳＧ-1', 'SG-1'],
  ] as const;
  for (const [a, b] of same) {
    it(`${a} and ${b} are the same`, () => {
      expect(idKey(a)).toBe(idKey(b));
      const sketches = [idSketch(a), idSketch(b)];
      expect(sketches.includes(-1) || sketches[0] === sketches[1]).toBe(true);
    });
  }
  it('keeps apart what differs', () => {
    const keys = ['SG-1', 'SG-10', 'SG-11', 'SGX-1', 'SG-1-1', 'SG-1.1a', 'SG-101'].map(idKey);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
