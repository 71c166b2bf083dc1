import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { GoldDataError } from '../gold.js';
import { type EngineTask, runInProcesses } from './engine-processes.js';
import {
  type JudgedSet,
  loadCleanLabels,
  loadHarmless,
  loadJudgedSets,
  loadMixes,
  loadPlants,
} from './gold-findings.js';
import { type LabelledFinding, labelFindings, toldDefects } from './judge-labels.js';
import { judgePlant, newFindings, type PlantAnswer } from './judge-plants.js';
import { loadJudgements } from './judgements.js';
import type { EngineResults, PrintedFinding } from './printed-finding.js';
import { filesIn, variantOf } from './read-folder.js';

/** Everything that was found out about findings. */
export interface FindingsEvaluation {
  readonly sets: readonly {
    readonly set: JudgedSet;
    readonly labelled: readonly LabelledFinding[];
    readonly told: ReadonlySet<string>;
    /** Also by findings that we judged ourselves. */
    readonly toldByUs: ReadonlySet<string>;
  }[];
  readonly clean: { readonly results: EngineResults; readonly labelled: readonly LabelledFinding[] };
  readonly plants: readonly PlantAnswer[];
  readonly harmless: readonly {
    readonly id: string;
    readonly kind: string;
    readonly news: readonly PrintedFinding[];
  }[];
  /** Ids of verdicts that differ between the twins. */
  readonly german: { readonly compared: number; readonly differing: readonly string[] } | undefined;
  /** By name of the variant: how many defects it has (undefined: everything is nonsense), and its results. */
  readonly scored: readonly {
    readonly name: string;
    readonly defects: number | undefined;
    /** Their weights by severity (domain D.3), added up. */
    readonly weight: number;
    readonly results: EngineResults;
  }[];
}

/** Short names of the documents of the clean project, as the places of the plants use them. */
const SHORT_NAMES: Readonly<Record<string, RegExp>> = {
  item: /Item_Definition/,
  hara: /HARA/,
  fsc: /Functional_Safety_Concept/,
  tsc: /Technical_Safety_Concept/,
  srs: /Software_Requirements/,
  plan: /Safety_Plan/,
  tests: /Test_Specification/,
  reviews: /Review_Record/,
};

/** Of a planted defect by its severity (domain D.3). */
const WEIGHTS: Readonly<Record<string, number>> = { critical: 8, high: 5, medium: 3, low: 1 };

/** Kinds of what is run, as `--only` names them. */
export type Kind = 'sets' | 'plants' | 'harmless' | 'mixes' | 'de' | 'banana';

export interface EvaluateOptions {
  readonly mixes?: string | undefined;
  /** Engine processes at once. */
  readonly processes: number;
  /** Whether a set, plant or variant is to be run; the clean project always is where one of its variants is. */
  readonly isWanted: (name: string, kind: Kind) => boolean;
  readonly onDone: (name: string) => void;
}

/**
 * Runs all engines over the judged sets, the clean project and its variants. Throws `GoldDataError` when the folder lacks them.
 * @param gold Folder with findings/ and plants/; the documents of the judged sets stand beside it in documents/.
 * @param options `mixes`: folder with mixes of plants, made by `make.py`; without it the score is looked at on single plants only.
 */
export async function evaluateFindings(
  gold: string,
  { mixes, processes, isWanted, onDone }: EvaluateOptions,
): Promise<FindingsEvaluation> {
  const built = join(gold, 'plants', 'built');
  if (!existsSync(join(built, 'clean'))) throw new GoldDataError(`${built} has no folder "clean".`);
  const clean = filesIn(join(built, 'clean'));
  const variant = (name: string) => variantOf(join(built, 'clean'), join(built, name));
  const sets = loadJudgedSets(gold).filter(({ name }) => isWanted(name, 'sets'));
  const plants = loadPlants(gold).filter(({ id }) => isWanted(id, 'plants'));
  const harmless = loadHarmless(gold).filter(({ id }) => isWanted(id, 'harmless'));
  const mixed = mixes === undefined ? [] : [...loadMixes(gold)].filter(([name]) => isWanted(name, 'mixes'));
  const twins = ['english twin', 'german twin'];
  const tasks: readonly EngineTask[] = [
    ...sets.map(({ name }) => ({ name, files: filesOfSet(gold, name) })),
    { name: 'clean', files: clean },
    ...mixed.map(([name]) => ({ name, files: filesIn(join(mixes!, name)) })),
    ...(isWanted('banana', 'banana') ? [{ name: 'banana', files: variant('banana') }] : []),
    ...(isWanted('de', 'de')
      ? [
          {
            name: twins[0]!,
            files: new Map(
              [...clean].filter(([name]) => SHORT_NAMES.hara!.test(name) || SHORT_NAMES.fsc!.test(name)),
            ),
          },
          { name: twins[1]!, files: filesIn(join(built, 'de')) },
        ]
      : []),
    ...[...plants, ...harmless].map(({ id }) => ({ name: id, files: variant(id) })),
  ];
  const results = await runInProcesses(tasks, processes, onDone);
  const byName = new Map(tasks.map(({ name }, at) => [name, results[at]!]));
  const resultsOf = (name: string) => byName.get(name)!;

  const judgements = loadJudgements();
  const { findings } = resultsOf('clean');
  const newIn = (name: string) => newFindings(resultsOf(name).findings, findings);
  const fileOf = new Map(
    Object.entries(SHORT_NAMES).map(([short, pattern]) => [
      short,
      [...clean.keys()].find((file) => pattern.test(file)) ?? '',
    ]),
  );
  const weights = new Map(loadPlants(gold).map(({ id, severity }) => [id, WEIGHTS[severity] ?? 0]));
  const weightOf = (members: readonly string[]) =>
    members.reduce((sum, member) => sum + (weights.get(member) ?? 0), 0);
  const scored = [
    { name: 'clean', defects: 0, weight: 0 },
    ...plants.map(({ id }) => ({ name: id, defects: 1, weight: weightOf([id]) })),
    ...mixed.map(([name, members]) => ({ name, defects: members.length, weight: weightOf(members) })),
    ...(byName.has('banana') ? [{ name: 'banana', defects: undefined, weight: 0 }] : []),
  ];
  return {
    sets: sets.map((set) => {
      const own = judgements.get(set.name);
      const labelled = labelFindings(resultsOf(set.name).findings, set.labels, set.defects, own);
      const toldByUs = toldDefects(set, labelled, 'judged');
      return { set, labelled, told: toldDefects(set, labelled), toldByUs };
    }),
    clean: {
      results: resultsOf('clean'),
      labelled: labelFindings(findings, loadCleanLabels(gold), [], judgements.get('clean')),
    },
    plants: plants.map((plant) => judgePlant(plant, newIn(plant.id), fileOf)),
    harmless: harmless.map(({ id, kind }) => ({ id, kind, news: newIn(id).filter((one) => one.counted) })),
    german: byName.has(twins[1]!) ? germanTwin(resultsOf(twins[0]!), resultsOf(twins[1]!)) : undefined,
    scored: scored.map((one) => ({ ...one, results: resultsOf(one.name) })),
  };
}

function filesOfSet(gold: string, name: string): ReadonlyMap<string, string> {
  const documents = join(dirname(resolve(gold)), 'documents');
  const folder = [join(documents, name), join(documents, 'lane-assistance', name)].find(existsSync);
  if (folder === undefined) throw new GoldDataError(`${documents} has no folder "${name}".`);
  // A set that has its documents as PDF once more was judged without these.
  return new Map([...filesIn(folder)].filter(([file]) => !file.startsWith('pdf/')));
}

/** Verdicts of the German hazard analysis and concept beside those of the English ones. */
function germanTwin(en: EngineResults, de: EngineResults): FindingsEvaluation['german'] {
  const compared = [...en.verdicts].filter(([id]) => /^(?:gap 26262-3|checklist FS-(?:HARA|FSC)-)/.test(id));
  const differing = compared.filter(([id, { verdict }]) => de.verdicts.get(id)?.verdict !== verdict);
  return { compared: compared.length, differing: differing.map(([id]) => id) };
}
