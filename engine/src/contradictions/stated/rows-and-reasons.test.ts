import { describe, expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { verifyEvidence } from '../../findings/verify-evidence.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedContradictions } from './stated-findings.js';

/** Rules that speak about a document of lines, with what they are about. */
async function told(lines: readonly string[]): Promise<readonly string[]> {
  const documents = [analysedDocument('1.md', lines)];
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const found = statedContradictions(corpus);
  for (const { evidence } of found)
    verifyEvidence(evidence, new Map(documents.map((one) => [one.id, one.document])));
  return found.map(({ rule, affected }) => `${rule} ${affected.join(',')}`);
}

const event = (reasons: Readonly<Record<'s' | 'e' | 'c', string>>, classes = ['S2', 'E3', 'C2']) => [
  '| ID | Event | S | Thoughts | E | Thoughts | C | Thoughts | ASIL |',
  `| EV-1 | Door opens | ${classes[0]} | ${reasons.s} | ${classes[1]} | ${reasons.e} | ${classes[2]} | ${reasons.c} | A |`,
  '| EV-2 | Door stays shut | S1 | Bruises of the arm are possible | E4 | On almost every trip somebody gets out | C1 | More than 99 % of all persons take the other door | QM |',
];
const REASONS = {
  s: 'Severe injury of a cyclist',
  e: 'Stops beside cyclists take between 1 and 10 % of the driving time',
  c: 'Most cyclists steer around the door, more than 90 %',
};

describe('reasons of classes, in columns of any title behind them', () => {
  it('says nothing of an event that is explained', async () => {
    expect(await told(event(REASONS))).toEqual([]);
  });

  it.each([
    ['e', 'E3 was chosen because the exposure is medium'],
    ['e', 'fixed by the team in the second session'],
    ['e', 'laut Team so festgelegt'],
    ['c', 'normally controllable, as agreed in the workshop'],
    ['c', 'as agreed by experts'],
  ])('tells a reason that only says who decided (%s): %s', async (which, reason) => {
    expect(await told(event({ ...REASONS, [which]: reason }))).toContain('rationale-without-reason EV-1');
  });

  it.each([
    ['e', 'Stops beside cyclists take less than 1 % of the driving time'],
    ['e', 'Halte neben Radfahrern machen mehr als 10 % der Betriebszeit aus'],
    ['c', 'Fewer than 90 % of the cyclists can steer around the door'],
    ['c', 'Most people can not see the door in time'],
  ])('tells a share that is that of another class (%s): %s', async (which, reason) => {
    expect(await told(event({ ...REASONS, [which]: reason }))).toContain('rating-against-rationale EV-1');
  });

  it('does not take shares of other things for those of a class', async () => {
    const reason = 'Parking on a slope of more than 10 % happens now and then';
    expect(await told(event({ ...REASONS, e: reason }))).toEqual([]);
  });
});

describe('what is lost sends what is told about it', () => {
  const row = (trigger: string, warning: string) => [
    '# Degradation',
    '| Case | Trigger | Behaviour | How the driver learns of it |',
    `| X1 | ${trigger} | pump off | ${warning} |`,
  ];

  it.each([
    ['Loss of the main controller', 'text "Pump fails", sent by the main controller'],
    ['Loss of the pump controllers or of their bus', 'Pump main controller sends the request to the cluster'],
    ['`pump-mcu` or its bus lost', 'message, red, sent by `pump-mcu`'],
    ['Ausfall des Hauptrechners', 'Rote Lampe, angefordert durch Botschaft des Hauptrechners'],
  ])('in the row of "%s"', async (trigger, warning) => {
    expect((await told(row(trigger, warning))).join()).toContain('told-by-what-failed X1');
  });

  it.each([
    ['Loss of the main controller', 'text, sent by the supervisor controller'],
    [
      'Loss of the main controller',
      'cluster shows the text by itself when the message of the main controller is missing',
    ],
    ['Loss of one sensor', 'text "Sensor lost", sent by the main controller'],
    [
      'Ausfall des Hauptrechners',
      'Kombiinstrument zeigt das Symbol selbsttätig, wenn die Botschaft des Hauptrechners fehlt',
    ],
  ])('but not in the row of "%s" with "%s"', async (trigger, warning) => {
    expect((await told(row(trigger, warning))).join()).not.toContain('told-by-what-failed');
  });

  it('in a column of senders, and in a sentence, but not by its watchdog', async () => {
    const table = [
      '| Warning | Trigger | Shown | Sender |',
      '| W1 | ECU silent for 100 ms | red lamp | ECU |',
    ];
    expect((await told(table)).join()).toContain('told-by-what-failed');
    const sentence = (who: string) => [
      `If the ECU itself is dead, its ${who} sends the request to the cluster.`,
    ];
    expect((await told(sentence('mode manager'))).join()).toContain('told-by-what-failed');
    expect(await told(sentence('watchdog'))).toEqual([]);
  });
});
