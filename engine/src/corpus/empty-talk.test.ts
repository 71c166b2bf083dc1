import { describe, expect, it } from 'vitest';
import { checkCompleteness } from '../engines/completeness/run.js';
import { analyseGaps } from '../engines/gap-analysis/run.js';
import { loadStandard } from '../standards/load-standard.js';
import { analysedDocument } from '../testing/document-fixture.js';
import { saysNothing } from './empty-talk.js';

const NOTHING = [
  'Banana banana banana',
  'blue green blue green blue green blue green blue green blue green',
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt',
  'The purple elephant quickly monday under happily seven clouds dance yesterday',
  'Gurke Tomate lila singen Wolke Donnerstag fliegen gestern Honig',
  'Kissa istuu ikkunalla ja katselee lintuja pihalla koko päivän',
  'of the shall is for of and the is',
  'Le chat est assis devant la cheminée et regarde tomber les oiseaux',
];
const SOMETHING = [
  'PB-SBM3-04, Ausgabe C; PB-SBM3-05, Ausgabe B; PB-SBM3-06, Ausgabe B',
  'Tür kommt ohne Ankündigung, kein Ausweichraum; weniger als 90 % können ausweichen',
  // Electric window, brake-by-wire, battery management; careful and careless.
  'The window shall stop and move back 20 mm when the closing force exceeds 100 N.',
  'Finger trapped',
  'Motor without current, window stays where it is',
  'Child puts its arm out of the window while somebody else pulls the switch',
  'nobody hurt, only annoyed',
  'Der Pedalwegsensor meldet zwei gegenläufige Signale.',
  'Fahrzeug hält abrupt an und wird von hinten angefahren',
  'Bei fast jeder Fahrt',
  'Cell voltages, temperatures, pack current, isolation resistance',
  'Zellspannung, Temperatur, Packstrom',
  'Ines Carvalho, Tomas Rydell, Pavel Dvorak, Mira Kovacs, Lena Haug, Joris Vermeer',
  'HE-01, HE-02, HE-03, HE-11',
  'Speed_Threshold, Current_Limit, Clamp_Force_Min, Warning_Cycle, Roll_Distance_Max',
  'URO URO URO URO URO URO',
  'x',
  '',
];

describe('a text that says nothing', () => {
  it.each(NOTHING)('is told: %j', (text) => expect(saysNothing(text, new Set())).toBe(true));
  it.each(SOMETHING)('is not one that says something: %j', (text) =>
    expect(saysNothing(text, new Set())).toBe(false),
  );
  it('is none with the names of its project', () => {
    const text = 'Kissa istuu ikkunalla ja katselee lintuja pihalla koko päivän';
    expect(saysNothing(text, new Set(['kissa']))).toBe(false);
  });
});

const GOAL = 'The window shall not trap a limb of a child while it closes.';
const hara = (texts: readonly [string, string, string, string]) =>
  analysedDocument('HARA.md', [
    '# Hazard analysis and risk assessment',
    '# Scope and item reference',
    texts[0],
    '# Hazardous events',
    '| ID | Malfunction | Operational situation | Hazardous event | S | E | C | ASIL | Safety goal |',
    `| HE-01 | ${texts[1]} | ${texts[2]} | ${texts[3]} | S2 | E4 | C2 | B | SG-01 |`,
    '# Safety goals',
    '| ID | Safety goal | ASIL | FTTI | Safe state |',
    `| SG-01 | ${texts[3] === GOAL ? GOAL : texts[3]} | B | 200 ms | ${texts[1]} |`,
  ]);
const good = hara([
  'The item is the window lifter of the front door with motor, switch and door module.',
  'Window closes without a request of the driver',
  'Vehicle is parked, a child leans out of the window',
  GOAL,
]);
const standard = await loadStandard('iso-26262-3-2018');

describe('documents whose text says nothing', () => {
  const forms: readonly [string, readonly [string, string, string, string]][] = [
    [
      'repeated',
      ['Banana banana banana banana', 'Banana banana banana', 'Banana banana banana', 'Banana banana banana'],
    ],
    ['filler', [NOTHING[2]!, NOTHING[2]!, NOTHING[2]!, NOTHING[2]!]],
    ['salad', [NOTHING[3]!, NOTHING[3]!, NOTHING[4]!, NOTHING[4]!]],
    ['another language', [NOTHING[5]!, NOTHING[7]!, NOTHING[5]!, NOTHING[7]!]],
  ];

  it.each(forms)('cover nothing, whatever the form: %s', async (_name, texts) => {
    const { verdicts, score } = await analyseGaps({ standard, documents: [hara(texts)] });
    expect(verdicts.filter(({ verdict }) => verdict === 'covered' || verdict === 'partial')).toEqual([]);
    expect(verdicts.find((one) => one.criterionId === '26262-3:6.5.1')).toMatchObject({
      verdict: 'missing',
      rules: ['T17-says-nothing'],
    });
    expect(score.value).toBe(0);
    const { findings, score: form } = await checkCompleteness({ documents: [hara(texts)] });
    const [told] = findings.filter(({ kind }) => kind === 'text_says_nothing');
    expect(told).toMatchObject({ severity: 'critical' });
    expect(told!.evidence[0]!.quote).toBe(texts[0]);
    expect(form.value).toBeLessThan(20);
  });

  it('are not those that say something', async () => {
    const { verdicts } = await analyseGaps({ standard, documents: [good] });
    expect(verdicts.find((one) => one.criterionId === '26262-3:6.5.1')!.verdict).not.toBe('missing');
    const { findings } = await checkCompleteness({ documents: [good] });
    expect(findings.filter(({ kind }) => kind === 'text_says_nothing')).toEqual([]);
  });
});

it('one cell that says nothing is told with its row, and is an empty cell', async () => {
  const concept = analysedDocument('Functional safety concept.md', [
    '# Functional safety concept',
    '# Functional safety requirements',
    '| ID | Functional safety requirement | ASIL | Safety goal | Allocated to | FTTI | Safe state |',
    '| FSR-1 | The door module shall stop the window at a closing force of 100 N. | B | SG-01 | Door module | 200 ms | Motor off |',
    '| FSR-2 | Banana banana banana banana banana. | B | SG-01 | Door module | 200 ms | Motor off |',
    '| FSR-3 | The switch shall report a closing request by two contacts. | B | SG-01 | Switch | 200 ms | Motor off |',
  ]);
  const { findings } = await checkCompleteness({ documents: [concept] });
  const [told] = findings.filter(({ kind }) => kind === 'text_says_nothing');
  expect(told).toMatchObject({ severity: 'high', affectedItems: ['FSR-2: Functional safety requirement'] });
  expect(told!.evidence.map(({ quote }) => quote)).toEqual(['Banana banana banana banana banana.']);
  expect(
    findings.some(({ kind, affectedItems }) => kind === 'table_cells' && affectedItems.includes('text')),
  ).toBe(true);
});

it('words of a project in any order cover nothing', async () => {
  const texts = [
    'window lifter the of front is item The the with door motor door module switch and and.',
    'request driver the a of without closes Window the',
    'leans parked the is a child of the out Vehicle window and',
    'The of limb shall a the not it trap child while closes a window the.',
  ] as const;
  const { verdicts, score } = await analyseGaps({ standard, documents: [hara(texts)] });
  expect(verdicts.filter(({ verdict }) => verdict === 'covered')).toEqual([]);
  expect(score.value).toBe(0);
});

it('a document in a third language is not called nonsense: it was not judged', async () => {
  const french = analysedDocument('HARA.md', [
    '# Hazard analysis and risk assessment',
    "Le conducteur ne peut pas intervenir parce que la température augmente sans aucune indication visible dans l'habitacle.",
    "L'exposition est élevée car la recharge est effectuée presque chaque jour par la plupart des utilisateurs.",
    'La gravité est justifiée par le risque de brûlures graves pour les occupants pendant la conduite.',
    'Les hypothèses relatives au comportement du conducteur sont décrites dans la définition du système.',
    'Le volet reste fermé pendant la recharge et la batterie surchauffe au bout de quelques minutes.',
  ]);
  const { findings } = await checkCompleteness({ documents: [french] });
  expect(findings.filter(({ kind }) => kind === 'text_says_nothing')).toEqual([]);
  const [told] = findings.filter(({ kind }) => kind === 'other_language');
  expect(told!.title).toContain('neither English nor German');
});
