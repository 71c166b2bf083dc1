import { describe, expect, it } from 'vitest';
import type { RequirementText } from '../facts/requirement.js';
import { processorTime } from '../testing/processor-time.js';
import { qualityWords } from '../words/quality-words.js';
import { findInSet } from './find-in-set.js';
import { matchWords } from './find-wording.js';
import { assessRequirement, assessRequirements, earsOf } from './requirement-quality.js';

const requirement = (text: string, rest: Partial<RequirementText> = {}): RequirementText => ({
  id: 'REQ-1',
  text,
  ...rest,
});
const rulesOf = (text: string, rest: Partial<RequirementText> = {}) =>
  assessRequirement(requirement(text, rest)).map((hit) => hit.rule);
const severityOf = (rule: string, text: string, rest: Partial<RequirementText> = {}) =>
  assessRequirement(requirement(text, rest)).find((hit) => hit.rule === rule)?.severity;

describe('rules of words', () => {
  const vectors = [...qualityWords().rules.values()].flatMap((rule) =>
    rule.words ? [{ rule, words: rule.words }] : [],
  );

  it('are seventeen of twenty-eight, each with its own tests', () => {
    expect([...qualityWords().rules.keys()]).toEqual(
      Array.from({ length: 28 }, (_, at) => `RQQ-${String(at + 1).padStart(2, '0')}`),
    );
    expect(vectors).toHaveLength(17);
    for (const { rule, words } of vectors) {
      expect(words.finds.length, rule.id).toBeGreaterThan(0);
      expect(words.spares.length, rule.id).toBeGreaterThan(0);
    }
  });

  it.each(vectors.flatMap(({ rule, words }) => words.finds.map((text) => ({ id: rule.id, words, text }))))(
    '$id finds "$text"',
    ({ words, text }) => expect(matchWords(words, text)).not.toEqual([]),
  );
  it.each(vectors.flatMap(({ rule, words }) => words.spares.map((text) => ({ id: rule.id, words, text }))))(
    '$id spares "$text"',
    ({ words, text }) => expect(matchWords(words, text)).toEqual([]),
  );
  it.each(vectors.flatMap(({ rule, words }) => words.excused.map((text) => ({ id: rule.id, words, text }))))(
    '$id excuses "$text"',
    ({ words, text }) => expect(matchWords(words, text)).toEqual([]),
  );
});

describe('traps of the rules', () => {
  it.each([
    ['a weak modal beside the main verb', 'Das Steuergerät muss überwacht werden.', 'RQQ-02'],
    ['a weak modal in a condition', 'If the driver can brake, the ECU shall release the lock.', 'RQQ-02'],
    ['words behind a note', 'The ECU shall log the fault.\nNote: typically this is fast.', 'RQQ-03'],
    [
      'one verb in each line',
      'The ECU shall provide:\n- a log that shall hold 10 entries\n- a counter',
      'RQQ-09',
    ],
    ['a bounded prohibition', 'When the speed is below 6 km/h, the ECU shall not lock the door.', 'RQQ-17'],
    ['a named constant as limit', 'The torque shall be at most Max_Torque_Amplitude.', 'RQQ-11'],
    ['an acronym that is spelt out', 'The RDC (rotor drive controller) shall log the fault.', 'RQQ-21'],
    ['a threshold', 'The ECU shall set the voltage to at most 5 V.', 'RQQ-18'],
    ['a comparison with its reference', 'The filter shall be faster than 20 ms.', 'RQQ-27'],
    ['a reaction with its time', 'When the sensor fails, the ECU shall switch off within 20 ms.', 'RQQ-19'],
    ['a reaction with its condition', 'When the sensor fails, the ECU shall switch off.', 'RQQ-20'],
    ['brackets around one half', 'The ECU shall log (A and B) or C.', 'RQQ-26'],
  ])('%s', (_, text, rule) => expect(rulesOf(text)).not.toContain(rule));

  it('keep one finding for a wish: the weak modal', () => {
    expect(rulesOf('The system should warn the driver.')).toContain('RQQ-02');
    expect(rulesOf('The system should warn the driver.')).not.toContain('RQQ-01');
  });

  it('know what the project defines', () => {
    const text = 'In normal mode the ECU shall send the frame every 10 ms.';
    expect(rulesOf(text)).toContain('RQQ-03');
    expect(
      assessRequirement(requirement(text), { glossary: ['normal mode'] }).map((hit) => hit.rule),
    ).not.toContain('RQQ-03');
    const service = 'The ECU shall support UDS service 0x22.';
    expect(rulesOf(service)).toContain('RQQ-07');
    expect(
      assessRequirement(requirement(service), { allowedVerbs: ['support'] }).map((hit) => hit.rule),
    ).not.toContain('RQQ-07');
  });

  it('leave a goal its prohibition and its passive (worked example 8)', () => {
    const goal =
      'Sicherheitsziel SZ-04 (ASIL B): Ein unbeabsichtigtes Öffnen der Heckklappe bei v > 6 km/h muss verhindert werden.';
    expect(rulesOf(goal, { level: 'goal', asil: 'B' })).toEqual([]);
    const english = 'The tailgate shall not open and shall be kept closed.';
    expect(rulesOf(english, { level: 'goal' })).not.toContain('RQQ-17');
    expect(rulesOf(english, { level: 'goal' })).not.toContain('RQQ-08');
    expect(rulesOf(english, { level: 'software' })).toEqual(expect.arrayContaining(['RQQ-08', 'RQQ-17']));
  });
});

describe('rules of more than words', () => {
  it.each([
    ['RQQ-18', 'The ECU shall set the supply voltage to 5 V.', {}],
    ['RQQ-18', 'Das Steuergerät muss die Spannung auf 5 V regeln, wobei halten von 5 V gilt.', {}],
    ['RQQ-19', 'When the sensor fails, the ECU shall switch off the relay.', {}],
    ['RQQ-19', 'Falls der Sensor ausfällt, muss das Steuergerät den Motor abschalten.', {}],
    ['RQQ-20', 'The ECU shall detect short circuits within 10 ms.', {}],
    ['RQQ-21', 'The ECU shall inform the QZX.', {}],
    ['RQQ-23', 'The function shall call lockDoor() in door_ctrl.c.', { level: 'functional' }],
    ['RQQ-24', `The ECU shall log ${'the very same entry '.repeat(20)}.`, {}],
    ['RQQ-26', 'The ECU shall open the lock when A and B or C is set.', {}],
    ['RQQ-27', 'The new filter shall be better.', {}],
  ] as const)('%s in "%s"', (rule, text, rest) => expect(rulesOf(text, rest)).toContain(rule));

  it('take the time of a column', () => {
    const text = 'When the sensor fails, the ECU shall switch off the relay.';
    expect(rulesOf(text, { fields: new Map([['timing', '20 ms']]) })).not.toContain('RQQ-19');
    expect(rulesOf(text, { fields: new Map([['timing', '']]) })).toContain('RQQ-19');
  });

  it('raise with the integrity level, the place and the size', () => {
    const reaction = 'When the sensor fails, the ECU shall switch off the relay.';
    expect(severityOf('RQQ-19', reaction)).toBe('low');
    expect(severityOf('RQQ-19', reaction, { asil: 'B(D)' })).toBe('high');
    expect(severityOf('RQQ-19', reaction, { asil: 'QM' })).toBe('low');
    expect(severityOf('RQQ-02', 'The system should warn.', { asil: 'ASIL A' })).toBe('high');
    expect(severityOf('RQQ-03', 'The ECU shall react quickly.')).toBe('high');
    expect(severityOf('RQQ-03', 'The ECU shall store a large log.')).toBe('medium');
    expect(severityOf('RQQ-12', 'The reaction time shall be 20.')).toBe('high');
    expect(severityOf('RQQ-14', 'The ECU shall run under all conditions.')).toBe('medium');
  });

  it('see what only the set shows', () => {
    const { requirements } = assessRequirements([
      { id: 'A', text: 'When key is on, the pump shall keep the line pressure for 20 ms.' },
      { id: 'B', text: 'When key is on, the pump shall keep the line pressure for 30 ms.' },
      { id: 'C', text: 'The delay shall not exceed T_MAX = 20 ms.', asil: 'B' },
      { id: 'D', text: 'The pause shall not exceed T_MAX = 0.5 s.' },
      { id: 'E', text: 'The response time is 20 ms.' },
      { id: 'F', text: 'Another response time is 1 s.' },
    ]);
    const hits = Object.fromEntries(requirements.map((one) => [one.id, one.hits]));
    expect(hits.B!.find((hit) => hit.rule === 'RQQ-25')).toMatchObject({ severity: 'medium', others: ['A'] });
    expect(hits.D!.find((hit) => hit.rule === 'RQQ-22')).toMatchObject({ severity: 'high', others: ['C'] });
    expect(hits.F!.find((hit) => hit.rule === 'RQQ-22')).toMatchObject({ severity: 'low', others: ['E'] });
    expect(hits.D!.find((hit) => hit.rule === 'RQQ-28')?.note).toContain('asil');
    expect(hits.C!.map((hit) => hit.rule)).not.toContain('RQQ-28');
  });

  it('take variants and the same id told twice for no duplicates', () => {
    const text = 'When the key is on, the pump shall run at full load for ten minutes.';
    const twins = (a: Partial<RequirementText>, b: Partial<RequirementText>) =>
      assessRequirements([requirement(text, a), requirement(text, b)]).rules.map((one) => one.rule);
    expect(twins({ id: 'A' }, { id: 'B' })).toContain('RQQ-25');
    expect(twins({ id: 'A' }, { id: 'A' })).not.toContain('RQQ-25');
    const variant = (name: string) => new Map([['variant', name]]);
    expect(twins({ id: 'A', fields: variant('LHD') }, { id: 'B', fields: variant('RHD') })).not.toContain(
      'RQQ-25',
    );
  });

  it.each(['shall x ', 'muss a ', '1 ', 'max ', 'set to 5 V and ', '(a'])(
    'are not stopped by %j without end',
    (part) => {
      const taken = processorTime();
      assessRequirements([requirement(part.repeat(100_000))]);
      expect(taken()).toBeLessThan(3000);
    },
  );

  it('compare large sets in good time', () => {
    const set = Array.from({ length: 5000 }, (_, at) =>
      requirement(
        `When signal s${at} of channel c${at % 97} is lost, unit u${at % 13} shall log event e${at}.`,
        { id: `R${at}` },
      ),
    );
    const taken = processorTime();
    assessRequirements(set);
    expect(taken()).toBeLessThan(8000);
  });

  it('look at a wording once, however often it is there', () => {
    const set = Array.from({ length: 12_000 }, (_, at) =>
      requirement(`When signal s1 is lost, the unit shall log the event within ${at} ms.`, { id: 'R1' }),
    );
    set.push(requirement(set[3]!.text, { id: 'R2' }), requirement(set[4]!.text, { id: 'R1' }));
    const taken = processorTime();
    const twins = findInSet(set).filter(({ rule }) => rule === 'RQQ-25');
    expect(taken()).toBeLessThan(4000);
    expect(twins.map(({ at, others }) => [at, ...others])).toEqual([
      [12_000, 0],
      [12_001, 12_000],
    ]);
  });
});

describe('EARS', () => {
  it.each([
    ['ubiquitous', 'The ECU shall log each fault.'],
    ['ubiquitous', 'Das Steuergerät muss jeden Fehler speichern.'],
    ['event', 'When the sensor fails, the ECU shall switch off.'],
    ['event', 'Sobald der Sensor ausfällt, muss das Steuergerät abschalten.'],
    ['state', 'While the key is on, the ECU shall send the frame.'],
    ['state', 'Während der Fahrt muss die Klappe verriegelt bleiben.'],
    ['unwanted', 'If the sensor fails, then the ECU shall switch off.'],
    ['unwanted', 'Falls der Sensor ausfällt, dann muss das Steuergerät abschalten.'],
    ['optional', 'Where a trailer is fitted, the ECU shall dim the lamp.'],
    [undefined, 'Switch off on failure.'],
  ])('%s: %s', (shape, text) => expect(earsOf(text)).toBe(shape));
});

describe('scores and rewrites', () => {
  it('lose 25, 10 and 3, and never fall below 0', () => {
    const [clean, wish, bad] = assessRequirements([
      requirement('When the sensor fails, the ECU shall log the fault.', { id: 'A' }),
      requirement('The lamp should be adequate.', { id: 'B' }),
      requirement('It shall, if possible, be fast, etc. and shall quickly allow some of many/most things.', {
        id: 'C',
      }),
    ]).requirements;
    expect(clean).toMatchObject({ score: 100, hits: [] });
    expect(wish!.score).toBe(100 - wish!.hits.length * 10);
    expect(bad!.score).toBe(0);
  });

  it('report a habit once, with the share that is clean', () => {
    const set = Array.from({ length: 10 }, (_, at) =>
      requirement(
        at < 5
          ? `The ECU shall log adequate data of sensor ${at + 1} ms.`
          : `The ECU shall log entry E${at} of the list.`,
        { id: `R${at}` },
      ),
    );
    const { rules, clean } = assessRequirements(set);
    expect(rules.find((one) => one.rule === 'RQQ-03')).toMatchObject({
      requirements: 5,
      share: 0.5,
      systematic: true,
      examples: ['R0', 'R1', 'R2'],
    });
    expect(clean).toBe(0.5);
    expect(assessRequirements(set, { without: ['RQQ-03'] }).rules.map((one) => one.rule)).not.toContain(
      'RQQ-03',
    );
    expect(assessRequirements([]).clean).toBeNull();
  });

  it('write the better text where the text holds it, else its shape in the language of the requirement', () => {
    const [capability] = assessRequirement(
      requirement('The ECU shall be able to detect the fault within 20 ms when on.'),
    );
    expect(capability).toMatchObject({
      rule: 'RQQ-07',
      rewrite: 'The ECU shall detect the fault within 20 ms when on.',
    });
    const [german] = assessRequirement(
      requirement('Das Steuergerät muss ggf. die Klappe verriegeln, wenn der Wagen fährt.'),
    );
    expect(german!.rewrite).toMatch(/<Zeit>/);
  });
});
