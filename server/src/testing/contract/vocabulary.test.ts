import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/*
 * The same thing has one name over the whole API. What departs from it is stated here with its reason; `specified` is the
 * specification of the interface.
 */
const specified = 'the specification names it so';
/** A file with a schema of its own, in the words of the engine. */
const FILES = ['ReportFile'];

const NO_MOMENT_ENDINGS: Readonly<Record<string, string>> = {
  last_login: specified,
  timestamp: specified,
};
const NO_MOMENTS: Readonly<Record<string, string>> = {
  stated_at: 'a place: at which end documents state a link',
  looked_at: 'documents: which were looked at for an item',
};
/** Ends of a span of time; what happens at a moment is called after what happens. */
const BOUND = /^(from|to)$|_(from|to|since|until)$/;
const DAY = /_date$|^today$/;

/** States of work in the words of the service, and words that would say the same. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  queued: ['pending', 'waiting', 'scheduled', 'enqueued'],
  running: ['processing', 'rendering', 'in_progress', 'started', 'working'],
  completed: ['complete', 'done', 'finished', 'succeeded', 'success', 'ready'],
  failed: ['error', 'errored', 'failure'],
  cancelled: ['canceled', 'aborted'],
  timed_out: ['timeout', 'timedout'],
};
const STATES_OF_THEIR_OWN: Readonly<Record<string, string>> = {
  'GapStatus in_progress': specified,
  'TraceMatrix.matrix.status complete': specified,
  'TraceNeighbourhood.nodes.status complete': 'the states of the trace matrix',
  'getTraceMatrix.status complete': 'the states of the trace matrix',
  'CompletenessState complete': 'what a section holds, not how far work is',
};

const ANALYSES = ['gap_analysis', 'completeness', 'checklist', 'traceability'];
const OTHER_ANALYSES =
  /^(gap|gaps|gap[-.]analysis|gapAnalysis|completeness[-_]check|checklist[-_]validation|trace|traceability[-_]\w+)$/;

interface Schema {
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}
interface Word {
  /** Of the property, parameter or schema. */
  readonly name: string;
  /** `Gap.status`. */
  readonly path: string;
  readonly schema: Schema;
}

const description = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../../openapi.json', import.meta.url)), 'utf8'),
);

function* wordsIn(schema: Schema, name: string, path: string): Generator<Word> {
  yield { name, path, schema };
  for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) {
    yield* wordsIn(one, name, path);
  }
  if (schema.items) yield* wordsIn(schema.items, name, path);
  if (typeof schema.additionalProperties === 'object')
    yield* wordsIn(schema.additionalProperties, name, path);
  for (const [property, inner] of Object.entries(schema.properties ?? {})) {
    yield* wordsIn(inner, property, `${path}.${property}`);
  }
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string; readonly in?: string; readonly schema?: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

const words: readonly Word[] = [
  ...Object.entries(description.components.schemas as Record<string, Schema>).flatMap(([name, schema]) => [
    ...wordsIn(schema, name, name),
  ]),
  ...Object.values(description.paths as Record<string, Record<string, Described>>)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, parameters = [], requestBody, responses }) => [
      ...[...parameters, ...Object.values(description.components.parameters ?? {})].flatMap((one) => {
        const { name, schema, in: place } = one as NonNullable<Described['parameters']>[number];
        return name && schema && place !== 'header'
          ? [...wordsIn(schema, name, `${operationId}.${name}`)]
          : [];
      }),
      ...[requestBody ?? { content: {} }, ...Object.values(responses)].flatMap(({ content = {} }) =>
        Object.values(content).flatMap(({ schema }) => [...wordsIn(schema, operationId, operationId)]),
      ),
    ]),
];
const own = words.filter(({ path }) => !FILES.includes(path.split('.')[0] ?? ''));
const texts = ({ schema }: Word): readonly string[] =>
  [...(schema.enum ?? []), schema.const].filter((one) => typeof one === 'string');
const unique = (found: readonly string[]) => [...new Set(found)].sort();

describe('one vocabulary', () => {
  it('reads a description with words in it', () => {
    expect(own.length).toBeGreaterThan(1000);
  });

  it('calls every moment after what happens then', () => {
    const moments = own.filter(({ schema }) => schema.format === 'date-time');
    const others = moments.filter(({ name }) => !/_at$/.test(name) && !BOUND.test(name));
    expect(unique(others.map(({ name }) => name))).toEqual(unique(Object.keys(NO_MOMENT_ENDINGS)));
  });

  it('says `_at` of moments only, and of days that they are days', () => {
    const hasFormat = (name: string, path: string) =>
      own.some((one) => one.name === name && one.path === path && one.schema.format === 'date-time');
    const untrue = own.filter(({ name, path }) => /[a-z]_at$/.test(name) && !hasFormat(name, path));
    expect(unique(untrue.map(({ name }) => name))).toEqual(unique(Object.keys(NO_MOMENTS)));
    const days = own.filter(({ schema }) => schema.format === 'date');
    expect(
      unique(days.map(({ name }) => name).filter((name) => !DAY.test(name) && !BOUND.test(name))),
    ).toEqual([]);
  });

  it('has one word for one state', () => {
    const forbidden = new Set(Object.values(OTHER_WORDS).flat());
    const found = own
      .filter(({ name }) => /stat(e|us)$/i.test(name))
      .flatMap((word) => texts(word).map((value) => [word.path, value] as const))
      .filter(([, value]) => forbidden.has(value));
    expect(unique(found.map(([path, value]) => `${path} ${value}`))).toEqual(
      unique(Object.keys(STATES_OF_THEIR_OWN)),
    );
  });

  it('calls each type of analysis by one name', () => {
    // A search finds gaps beside documents and standards, and what was done is about them: things, and no analyses.
    const values = own
      .filter(({ name, path }) => /type|kind|analysis/.test(name) && !/search|activit(y|ies)/i.test(path))
      .flatMap(texts);
    expect(unique(values.filter((value) => OTHER_ANALYSES.test(value)))).toEqual([]);
    const enums = own.filter((word) => texts(word).some((value) => value === 'gap_analysis'));
    for (const word of enums.filter(({ schema }) => schema.enum)) {
      const named = texts(word).filter((value) => value !== 'full');
      expect([word.path, named]).toEqual([word.path, ANALYSES]);
    }
    expect(enums.length).toBeGreaterThan(2);
  });

  it('writes every name in one way', () => {
    const odd = own.filter(
      ({ name, path }) => path.includes('.') && !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name),
    );
    expect(unique(odd.map(({ name }) => name))).toEqual(['$schema', 'NA']);
  });
});
