import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { projectFiles } from '../../../engine/dist/testing/project-files.js';
import { confidenceClasses, type JudgedAnswer, misleadingClasses } from '../confidence.js';
import { runInProcesses } from './engine-processes.js';
import { newFindings } from './judge-plants.js';
import type { EngineResults, PrintedFinding } from './printed-finding.js';

const PROJECTS = fileURLToPath(new URL('../../../engine/testdata/projects/', import.meta.url));

/** One defect: the first occurrence of `from` in the file becomes `to`. Told by a finding that holds all of `tell`. */
interface Plant {
  readonly id: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly tell: readonly string[];
}

/**
 * What is told today; the other defects are not tried here. Our own projects of other forms than the development truth;
 * see decisions 370, 445 and 495.
 */
const TOLD: Readonly<
  Record<
    string,
    {
      readonly of: number;
      readonly told: readonly string[];
      readonly clean: number;
      /** Entries of the clean project that are critical and wrong, and still to be mended; none where not given. */
      readonly critical?: number;
    }
  >
> = {
  'brake-by-wire': {
    of: 24,
    clean: 8,
    told: [
      'B01',
      'B03',
      'B04',
      'B06',
      'B07',
      'B08',
      'B09',
      'B10',
      'B11',
      'B12',
      'B13',
      'B15',
      'B17',
      'B20',
      'B21',
      'B23',
      'B24',
    ],
  },
  'traction-inverter': {
    of: 26,
    clean: 8,
    told: [
      'T01',
      'T02',
      'T03',
      'T04',
      'T05',
      'T06',
      'T07',
      'T08',
      'T09',
      'T10',
      'T11',
      'T12',
      'T13',
      'T14',
      'T15',
      'T16',
      'T17',
      'T18',
      'T19',
      'T20',
      'T21',
      'T22',
      'T23',
      'T24',
      'T25',
      'T26',
    ],
  },
  'belt-tensioner': {
    of: 27,
    clean: 8,
    told: [
      'G01',
      'G02',
      'G03',
      'G04',
      'G05',
      'G06',
      'G07',
      'G08',
      'G09',
      'G10',
      'G11',
      'G12',
      'G13',
      'G14',
      'G15',
      'G16',
      'G17',
      'G18',
      'G19',
      'G20',
      'G21',
      'G22',
      'G23',
      'G24',
      'G25',
      'G26',
    ],
  },
  'low-beam': {
    of: 12,
    clean: 8,
    told: ['K01', 'K02', 'K03', 'K04', 'K05', 'K06', 'K07', 'K08', 'K09', 'K10', 'K11', 'K12'],
  },
  // Of another author; 10 at first sight (decision 555).
  'power-tailgate': {
    of: 20,
    clean: 12,
    told: [
      'T01',
      'T02',
      'T03',
      'T05',
      'T06',
      'T07',
      'T09',
      'T10',
      'T11',
      'T12',
      'T13',
      'T14',
      'T15',
      'T16',
      'T17',
      'T18',
      'T19',
    ],
  },
  // Of the same author; 7 at first sight (decision 590).
  'seat-heater': {
    of: 20,
    clean: 13,
    told: [
      'S01',
      'S02',
      'S03',
      'S04',
      'S05',
      'S06',
      'S07',
      'S08',
      'S09',
      'S10',
      'S11',
      'S12',
      'S13',
      'S14',
      'S15',
      'S16',
      'S17',
      'S18',
      'S19',
      'S20',
    ],
  },
  // Of a third author, in German; 9 of 20 and 19 entries at first sight (decision 700).
  'luftfeder-niveauregelung': {
    of: 20,
    clean: 10,
    told: [
      'X01',
      'X02',
      'X03',
      'X04',
      'X05',
      'X06',
      'X07',
      'X10',
      'X13',
      'X14',
      'X15',
      'X16',
      'X17',
      'X18',
      'X20',
    ],
  },
  // Of the same author, nearly all prose; 2 of 20 and 11 entries at first sight (decision 700).
  'camera-monitor-coach': {
    of: 20,
    clean: 10,
    told: ['X01', 'X02', 'X03', 'X04', 'X05', 'X07', 'X12', 'X13', 'X15', 'X16', 'X17'],
  },
  'cruise-control': {
    of: 25,
    clean: 8,
    told: [
      'C01',
      'C04',
      'C05',
      'C06',
      'C08',
      'C09',
      'C10',
      'C11',
      'C12',
      'C13',
      'C14',
      'C15',
      'C16',
      'C17',
      'C20',
      'C21',
      'C22',
      'C25',
    ],
  },
  'onboard-charger': {
    of: 23,
    clean: 8,
    told: [
      'O01',
      'O02',
      'O03',
      'O04',
      'O05',
      'O06',
      'O07',
      'O09',
      'O10',
      'O11',
      'O12',
      'O13',
      'O14',
      'O15',
      'O16',
      'O17',
      'O21',
      'O22',
      'O23',
    ],
  },
  'battery-management': {
    of: 23,
    clean: 8,
    told: [
      'M01',
      'M02',
      'M03',
      'M04',
      'M05',
      'M06',
      'M07',
      'M08',
      'M09',
      'M10',
      'M11',
      'M12',
      'M13',
      'M14',
      'M15',
      'M16',
      'M17',
      'M18',
      'M19',
      'M20',
      'M21',
      'M22',
      'M23',
    ],
  },
  'power-window': {
    of: 24,
    clean: 7,
    told: [
      'W01',
      'W02',
      'W03',
      'W04',
      'W06',
      'W08',
      'W09',
      'W10',
      'W11',
      'W12',
      'W13',
      'W14',
      'W16',
      'W17',
      'W18',
      'W19',
      'W20',
      'W21',
      'W22',
      'W23',
      'W24',
    ],
  },
  'park-lock': {
    of: 22,
    clean: 7,
    told: [
      'L01',
      'L03',
      'L04',
      'L06',
      'L07',
      'L08',
      'L09',
      'L10',
      'L11',
      'L12',
      'L14',
      'L15',
      'L17',
      'L18',
      'L20',
      'L21',
      'L22',
    ],
  },
  // Of another author; 10 at first sight, clean 19 entries (decision 690).
  'torque-vectoring': {
    of: 20,
    clean: 14,
    told: [
      'X01',
      'X02',
      'X03',
      'X04',
      'X05',
      'X06',
      'X07',
      'X11',
      'X12',
      'X14',
      'X15',
      'X16',
      'X17',
      'X18',
      'X20',
    ],
  },
  // Of other authors; 3 of 20 at first sight (decision 790).
  'battery-vent-warning': {
    of: 20,
    clean: 10,
    told: [
      'X01',
      'X02',
      'X03',
      'X05',
      'X06',
      'X08',
      'X09',
      'X10',
      'X12',
      'X14',
      'X15',
      'X17',
      'X18',
      'X19',
      'X20',
    ],
  },
  // Of other authors; 8 of 20 at first sight (decision 790).
  'rear-axle-steering': {
    of: 20,
    clean: 9,
    told: [
      'X01',
      'X02',
      'X03',
      'X05',
      'X06',
      'X07',
      'X09',
      'X10',
      'X11',
      'X12',
      'X13',
      'X14',
      'X15',
      'X16',
      'X18',
      'X19',
      'X20',
    ],
  },
  // Of other authors; 9 of 20 at first sight (decision 790).
  'trailer-stability': {
    of: 20,
    clean: 11,
    told: [
      'X01',
      'X02',
      'X03',
      'X04',
      'X05',
      'X06',
      'X07',
      'X08',
      'X09',
      'X10',
      'X11',
      'X12',
      'X13',
      'X14',
      'X15',
      'X16',
      'X17',
      'X19',
      'X20',
    ],
  },
  // Of other authors; 8 of 20 at first sight (decision 790).
  'adaptive-headlamp': {
    of: 20,
    clean: 8,
    told: ['X02', 'X04', 'X05', 'X07', 'X10', 'X11', 'X12', 'X14', 'X18', 'X19', 'X20'],
  },
  // Of other authors; 10 of 20 at first sight (decision 790).
  'park-brake-actuator': {
    of: 20,
    clean: 8,
    told: ['X02', 'X04', 'X05', 'X07', 'X08', 'X09', 'X10', 'X11', 'X12', 'X13', 'X14', 'X15', 'X18', 'X20'],
  },
  // Seven of other authors, who knew neither rules nor code; at first sight 4, 7, 6, 11 and, not yet worked on, 7, 6 and 6 of 20.
  'door-e-latch': {
    of: 20,
    clean: 7,
    told: ['X01', 'X02', 'X03', 'X04', 'X08', 'X10', 'X12', 'X13', 'X14', 'X15', 'X16', 'X17', 'X18', 'X19'],
  },
  'fuel-cell-valve': {
    of: 20,
    clean: 6,
    critical: 1,
    told: [
      'X01',
      'X02',
      'X04',
      'X05',
      'X07',
      'X09',
      'X10',
      'X11',
      'X12',
      'X13',
      'X14',
      'X16',
      'X17',
      'X18',
      'X19',
    ],
  },
  'occupant-detection': {
    of: 20,
    clean: 6,
    told: ['X01', 'X06', 'X09', 'X10', 'X12', 'X13', 'X14', 'X16', 'X17', 'X18', 'X19'],
  },
  'steering-column-lock': {
    of: 20,
    clean: 15,
    critical: 1,
    told: ['X01', 'X03', 'X07', 'X09', 'X10', 'X12', 'X13', 'X14', 'X15', 'X16', 'X17', 'X18', 'X19', 'X20'],
  },
  'accelerator-pedal': {
    of: 20,
    clean: 11,
    told: [
      'X01',
      'X02',
      'X05',
      'X07',
      'X09',
      'X10',
      'X11',
      'X12',
      'X13',
      'X14',
      'X15',
      'X16',
      'X17',
      'X18',
      'X19',
    ],
  },
  'lane-change-assist': {
    of: 20,
    clean: 7,
    told: ['X01', 'X03', 'X05', 'X06', 'X07', 'X08', 'X09', 'X10', 'X11', 'X12', 'X16', 'X17', 'X18', 'X19'],
  },
  'starter-generator': {
    of: 20,
    clean: 12,
    told: ['X01', 'X02', 'X03', 'X05', 'X06', 'X09', 'X10', 'X11', 'X12', 'X14', 'X16', 'X17'],
  },
  // Of three more authors; 24 of 60 and 42 entries at first sight (decision 900).
  'driver-monitor': {
    of: 20,
    clean: 20,
    told: ['X01', 'X04', 'X05', 'X06', 'X10', 'X12', 'X13', 'X14', 'X15', 'X17', 'X19'],
  },
  'tailgate-drive': {
    of: 20,
    clean: 12,
    told: ['X02', 'X05', 'X06', 'X08', 'X09', 'X10', 'X12', 'X14', 'X17', 'X20'],
  },
  // Of three further authors; 25 of 60 and 55 entries at first sight (decision 902).
  'hochvolt-heizer': {
    of: 20,
    clean: 12,
    critical: 2,
    told: ['X07', 'X08', 'X09', 'X10', 'X11', 'X12', 'X13', 'X14', 'X17', 'X19'],
  },
  'rear-steer': {
    of: 20,
    clean: 11,
    told: ['X09', 'X10', 'X12', 'X14', 'X15', 'X16', 'X17', 'X18', 'X19'],
  },
  'trailer-brake': {
    of: 20,
    clean: 16,
    told: ['X01', 'X02', 'X04', 'X08', 'X10', 'X12', 'X14', 'X17', 'X19'],
  },
  gleichspannungswandler: {
    of: 20,
    clean: 8,
    told: ['X01', 'X05', 'X06', 'X10', 'X12', 'X13', 'X14', 'X15', 'X16', 'X17', 'X18', 'X20'],
  },
};

const folder = await mkdtemp(join(tmpdir(), 'normtrace-projects-'));
afterAll(() => rm(folder, { recursive: true }));

async function write(source: string, name: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const [file, bytes] of await projectFiles(source)) {
    const path = join(folder, name, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
    files.set(file, path);
  }
  return files;
}

function planted(source: string, { id, file, from, to }: Plant): string {
  let hits = 0;
  const parts = source.split(/^(?=@@ )/m).map((part) => {
    if (!part.slice(0, part.indexOf('\n')).includes(file) || !part.includes(from)) return part;
    hits++;
    return part.replace(from, () => to);
  });
  if (hits !== 1) throw new Error(`The words of plant ${id} stand in ${hits} files.`);
  return parts.join('');
}

function tells({ title, observed, quotes, counted }: PrintedFinding, words: readonly string[]): boolean {
  const said = [title, observed, ...quotes.map((one) => `${one.document} ${one.quote}`)].join(' ');
  return counted && words.every((word) => new RegExp(word).test(said));
}

/** Where CI is set, one project in six, and one in so many of the defects that are told: each takes a second of every processor. */
const IS_SHORT = Boolean(process.env.CI) && process.env.PLANTS !== 'all';
const ONE_IN = IS_SHORT ? 10 : 1;
if (IS_SHORT)
  console.log(
    `One project in six and one in ${ONE_IN} of their defects are tried; all of them with PLANTS=all.`,
  );

const names = (await readdir(PROJECTS))
  .filter((name) => name.endsWith('.txt'))
  .map((name) => name.slice(0, -4))
  .filter((_, at) => !IS_SHORT || at % 6 === 0);

/** What is planted and told is right; what is counted on a clean project is not. */
const answers: JudgedAnswer[] = [];
const answersOf = (findings: readonly PrintedFinding[], isRight: boolean): JudgedAnswer[] =>
  findings.flatMap(({ confidence }) => (confidence === undefined ? [] : [{ confidence, isRight }]));

interface Tried {
  readonly plants: readonly Plant[];
  readonly known: readonly Plant[];
  readonly clean: EngineResults;
  readonly results: readonly EngineResults[];
}
const tried = new Map<string, Tried>();

// All projects by the same few processes: what they load is half of what a small project costs.
beforeAll(async () => {
  const projects = await Promise.all(
    names.map(async (name) => {
      const source = await readFile(`${PROJECTS}${name}.txt`, 'utf8');
      const plants = parse(await readFile(`${PROJECTS}${name}.yaml`, 'utf8')) as readonly Plant[];
      const known = plants.filter(({ id }) => toldOf(name).includes(id));
      const tasks = [{ name: 'clean', files: await write(source, `${name}/clean`) }];
      for (const plant of known)
        tasks.push({ name: plant.id, files: await write(planted(source, plant), `${name}/${plant.id}`) });
      return { name, plants, known, tasks };
    }),
  );
  const tasks = projects.flatMap((project) => project.tasks);
  const results = await runInProcesses(tasks, Math.min(4, availableParallelism()), () => {});
  let at = 0;
  for (const { name, plants, known, tasks } of projects) {
    const [clean, ...rest] = results.slice(at, at + tasks.length);
    tried.set(name, { plants, known, clean: clean!, results: rest });
    at += tasks.length;
  }
}, 900_000);

/** Of the defects that a project is told, those that are planted here. */
const toldOf = (name: string): readonly string[] => TOLD[name]!.told.filter((_, at) => at % ONE_IN === 0);

describe.each(names)('%s', (name) => {
  it('tells what is planted, and of the clean project no more than before', () => {
    const { plants, known, clean, results } = tried.get(name)!;
    const wanted = TOLD[name]!;
    const tellingOf = (plant: Plant, at: number) =>
      newFindings(results[at]!.findings, clean.findings).filter((one) => tells(one, plant.tell));
    const telling = known.map((plant, at) => ({ id: plant.id, findings: tellingOf(plant, at) }));
    const told = telling.filter(({ findings }) => findings.length > 0).map(({ id }) => id);
    const counted = clean.findings.filter((one) => one.counted);
    answers.push(
      ...answersOf(
        telling.flatMap(({ findings }) => findings),
        true,
      ),
      ...answersOf(counted, false),
    );
    const entries = counted.length;
    console.log(`${name}: ${told.length} of ${known.length} planted told, clean ${entries} entries`);
    expect(plants).toHaveLength(wanted.of);
    expect(told).toEqual(toldOf(name));
    expect(entries).toBeLessThanOrEqual(wanted.clean);
    const critical = counted.filter(({ severity }) => severity === 'critical').map(({ title }) => title);
    expect(critical.length, critical.join(', ')).toBeLessThanOrEqual(wanted.critical ?? 0);
  });
});

it('a surer class of findings is at least as often right as a less sure one, over all projects', () => {
  const classes = confidenceClasses('findings on own projects', answers);
  console.log(classes.map((one) => `${one.confidence}: ${one.right} of ${one.answers} right`).join(', '));
  expect(classes.length).toBeGreaterThan(1);
  expect(misleadingClasses(classes)).toEqual([]);
});
