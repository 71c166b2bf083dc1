import { describe, expect, it } from 'vitest';
import { EvidenceError } from '../findings/verify-evidence.js';
import { written } from '../sentences/sentence.js';
import { worded } from '../sentences/worded.js';
import { analysedDocument } from '../testing/document-fixture.js';
import { countEach, engineRun, type RunEvent, type RunInput } from './engine-run.js';
import { openQuestions } from './open-questions.js';
import { methodOf } from './run-method.js';

interface Squared {
  readonly of: string;
  readonly value: number;
}
type Event = RunEvent<'squares', Squared, number>;

const WORK = ['1', '2', '3'].map((id) => ({ id }));
const document = analysedDocument('Plan.md', ['# Plan', 'The plan is approved.']);

/** An engine that squares ids and answers their sum. */
async function* squares(
  input: Omit<RunInput<Squared>, 'documents'>,
  finished: string[] = [],
): AsyncGenerator<Event, number> {
  const run = engineRun<'squares', Squared, number>({ ...input, documents: [document] });
  yield run.stage('squares', WORK.length);
  const units = yield* run.units('squares', WORK, {
    idOf: ({ of }) => of,
    atATime: 1,
    finish: ({ id }, before) => {
      finished.push(`${id} after ${[...before.keys()].join(' ')}`);
      return { of: id, value: Number(id) ** 2 };
    },
  });
  return yield* run.end(
    units.reduce((sum, { value }) => sum + value, 0),
    { evidence: [] },
  );
}

async function eventsOf(events: AsyncGenerator<Event, number>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('the frame of a run', () => {
  it('tells stages and units in the order of the work, then the result', async () => {
    const finished: string[] = [];
    const events = await eventsOf(squares({}, finished));
    expect(events.map((one) => one.type)).toEqual(['progress', 'unit', 'unit', 'unit', 'completed']);
    expect(events.at(-2)).toEqual({
      type: 'unit',
      stage: 'squares',
      unit: { of: '3', value: 9 },
      known: false,
      done: 3,
      total: 3,
    });
    expect(events.at(-1)).toEqual({ type: 'completed', result: 14 });
    expect(finished).toEqual(['1 after ', '2 after 1', '3 after 1 2']);
  });

  it('goes on where an earlier run was cut short, and says which units are not new', async () => {
    const finished: string[] = [];
    const events = await eventsOf(squares({ known: [{ of: '2', value: 40 }] }, finished));
    expect(finished).toEqual(['1 after ', '3 after 1 2']);
    expect(events.flatMap((one) => (one.type === 'unit' ? [one.known] : []))).toEqual([false, true, false]);
    expect(events.at(-1)).toEqual({ type: 'completed', result: 50 });
  });

  it('stops between units with the reason of its signal', async () => {
    const stop = new AbortController();
    const finished: string[] = [];
    const work = async () => {
      for await (const event of squares({ signal: stop.signal }, finished)) {
        if (event.type === 'unit') stop.abort(new Error('enough'));
      }
    };
    await expect(work()).rejects.toThrow('enough');
    expect(finished).toHaveLength(1);
  });

  it('gives out no result whose quotes do not stand in the documents', () => {
    const run = engineRun<'squares', Squared, number>({ documents: [document] });
    const start = document.document.text.indexOf('approved');
    const quote = {
      documentId: document.id,
      location: {},
      quote: 'approved',
      start,
      end: start + 8,
      role: 'support' as const,
    };
    expect([...run.end(1, { evidence: [quote] })]).toEqual([{ type: 'completed', result: 1 }]);
    expect(() => run.end(1, { evidence: [{ ...quote, quote: 'rejected' }] }).next()).toThrow(EvidenceError);
  });
});

it('counts each kind, those that are not there, too', () => {
  expect(countEach(['a', 'b', 'c'], ['c', 'a', 'c'])).toEqual({ a: 1, b: 0, c: 2 });
});

it('tells what a result rests on in the order of the conditions, not of the answers', () => {
  const input = {
    scope: { item: 'EPB' },
    options: { conditions: { b: true, a: false }, today: '2026-01-02' },
  };
  const method = methodOf(input, { standard: 'S' }, { passages: 3 });
  expect(Object.keys(method)).toEqual([
    ...['engine', 'mode', 'standard', 'scope', 'conditions', 'today', 'passages', 'disclaimer'],
  ]);
  expect(Object.keys(method.conditions)).toEqual(['a', 'b']);
});

it('asks each open condition once, with every place that waits for it', () => {
  const open = (id: string, place: number) => ({
    id,
    words: worded({ question: written(`${id}?`), reason: written('why') }),
    place,
  });
  expect(openQuestions([open('a', 1), open('b', 2), open('a', 3)])).toMatchObject([
    { asked: { condition: 'a', question: 'a?' }, places: [1, 3] },
    { asked: { condition: 'b' }, places: [2] },
  ]);
});
