import { ARTIFACT_TYPES, LINK_TYPES } from '@normtrace/engine';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { countLevels } from './count-levels.js';
import { selectTrace, type TraceRow } from './trace.repository.js';
import { type AssumedRow, type LevelCounts, selectAssumed, selectLevels } from './trace-levels.repository.js';

let data: TestDatabase;
beforeAll(async () => {
  data = await createTestDatabase();
});
afterAll(() => data?.stop());

const number = (most: number) => fc.nat(most - 1);
/** Few ids, so that links meet what is there, what is not, and what is there twice. */
const IDS = Array.from({ length: 8 }, (_, at) => `ID-${at}`);
const artifact = fc.record({
  origin: fc.constantFrom('document', 'document', 'manual'),
  id: fc.constantFrom(...IDS),
  type: fc.constantFrom(...ARTIFACT_TYPES.slice(0, 2)),
  asil: fc.constantFrom(null, 'B', 'B(D)'),
});
const link = fc.record({
  source: number(IDS.length),
  target: number(IDS.length),
  type: fc.constantFrom(...LINK_TYPES.slice(0, 2)),
  // Those of people name their ends.
  ofDocument: fc.boolean(),
  rejected: fc.boolean(),
  assumed: fc.boolean(),
});

/** As extractions and people write them: an id once in the documents, and once of a person. */
async function write(artifacts: readonly Artifact[], links: readonly Link[]): Promise<string> {
  const owner = await data.createUser();
  const workspace = await data.createWorkspace(owner);
  const unique = [...new Map(artifacts.map((one) => [`${one.origin} ${one.id}`, one])).values()];
  const ordinals = new Map<string, number>();
  for (const [at, { origin, id, type, asil }] of unique.entries()) {
    const ordinal = origin === 'document' ? at + 1 : 1_000_000_001 + at;
    if (origin === 'document') ordinals.set(id, ordinal);
    await data.asOwner(
      `insert into artifacts (workspace_id, id, origin, ordinal, artifact_id, type, text, asil, content_hash)
       values ($1, gen_random_uuid(), $2, $3, $4, $5, '', $6, '')`,
      [workspace, origin, ordinal, id, type, asil],
    );
  }
  for (const [at, { source, target, type, ofDocument, rejected, assumed }] of links.entries()) {
    const ends = [IDS[source]!, IDS[target]!];
    const places = ends.map((id) => (ofDocument ? (ordinals.get(id) ?? null) : null));
    await data.asOwner(
      `insert into trace_links (workspace_id, id, origin, ordinal, source_id, target_id, source_ordinal, target_ordinal, link_type,
                                stated_at, rejected, assumed)
       values ($1, gen_random_uuid(), $2, $3, $4, $5, $6, $7, $8, 'both', $9, $10)`,
      [
        ...[workspace, ofDocument ? 'document' : 'manual', ofDocument ? at + 1 : 1_000_000_001 + at],
        ...[...ends, ...places, type, rejected, assumed && ofDocument ? 'number' : null],
      ],
    );
  }
  return workspace;
}
type Artifact = typeof artifact extends fc.Arbitrary<infer One> ? One : never;
type Link = typeof link extends fc.Arbitrary<infer One> ? One : never;

test('counts what the database counts', async () => {
  let paths = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(artifact, { minLength: 8, maxLength: 16, size: 'max' }),
      fc.array(link, { minLength: 20, maxLength: 40, size: 'max' }),
      async (a, l) => {
        const workspace = await write(a, l);
        const read = <Row>(statement: ReturnType<typeof selectLevels>) =>
          data.database.withWorkspace(workspace, (transaction) => transaction.one<Row>(statement));
        const { extraction: _, ...expected } = await read<LevelCounts & { extraction: unknown }>(
          selectLevels(workspace),
        );
        const columns = await read<TraceRow>(selectTrace(workspace, { texts: false }));
        const { assumed } = await read<AssumedRow>(selectAssumed(workspace));
        expect(countLevels(columns, assumed)).toEqual(expected);
        paths += expected.paths.filter((path) => path.sources < path.links && path.assumed > 0).length;
      },
    ),
    { numRuns: 30, seed: 27 },
  );
  expect(paths).toBeGreaterThan(5);
});
