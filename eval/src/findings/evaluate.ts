import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createDocumentReader } from '@normtrace/engine';
import { GoldDataError } from '../gold.js';
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
import type { EngineResults, PrintedFinding } from './printed-finding.js';
import { documentsReader, filesIn, variantOf } from './read-folder.js';
import { type Judges, loadJudges, runEngines } from './run-engines.js';

/** Everything that was found out about findings. */
export interface FindingsEvaluation {
  readonly sets: readonly {
    readonly set: JudgedSet;
    readonly labelled: readonly LabelledFinding[];
    readonly told: ReadonlySet<string>;
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

/**
 * Runs all engines over the judged sets, the clean project and its variants. Throws `GoldDataError` when the folder lacks them.
 * @param gold Folder with findings/ and plants/; the documents of the judged sets stand beside it in documents/.
 * @param mixes Folder with mixes of plants, made by `make.py`; without it the score is looked at on single plants only.
 */
export async function evaluateFindings(
  gold: string,
  {
    mixes,
    isWanted,
    onDone,
  }: {
    readonly mixes?: string | undefined;
    /** Whether a set, plant or variant is to be run. */
    readonly isWanted: (name: string) => boolean;
    readonly onDone: (name: string) => void;
  },
): Promise<FindingsEvaluation> {
  const built = join(gold, 'plants', 'built');
  if (!existsSync(join(built, 'clean'))) throw new GoldDataError(`${built} has no folder "clean".`);
  const judges = await loadJudges();
  const reader = createDocumentReader();
  const read = documentsReader(reader);
  const run = async (name: string, files: ReadonlyMap<string, string>) => {
    const results = await runEngines(await read(files), judges);
    onDone(name);
    return results;
  };
  try {
    const clean = await run('clean', filesIn(join(built, 'clean')));
    const fileOf = new Map(
      Object.entries(SHORT_NAMES).map(([short, pattern]) => [
        short,
        [...filesIn(join(built, 'clean')).keys()].find((file) => pattern.test(file)) ?? '',
      ]),
    );
    const variant = (name: string) => run(name, variantOf(join(built, 'clean'), join(built, name)));
    const scored: FindingsEvaluation['scored'][number][] = [{ name: 'clean', defects: 0, results: clean }];
    const plants: PlantAnswer[] = [];
    for (const plant of loadPlants(gold).filter(({ id }) => isWanted(id))) {
      const results = await variant(plant.id);
      plants.push(judgePlant(plant, newFindings(results.findings, clean.findings), fileOf));
      scored.push({ name: plant.id, defects: 1, results });
    }
    const harmless: FindingsEvaluation['harmless'][number][] = [];
    for (const { id, kind } of loadHarmless(gold).filter((one) => isWanted(one.id))) {
      const news = newFindings((await variant(id)).findings, clean.findings).filter((one) => one.counted);
      harmless.push({ id, kind, news });
    }
    for (const [name, members] of mixes === undefined ? [] : loadMixes(gold)) {
      if (!isWanted(name)) continue;
      scored.push({ name, defects: members.length, results: await run(name, filesIn(join(mixes!, name))) });
    }
    if (isWanted('banana')) {
      scored.push({ name: 'banana', defects: undefined, results: await variant('banana') });
    }
    return {
      sets: await judgedSets(gold, isWanted, run),
      clean: { results: clean, labelled: labelFindings(clean.findings, loadCleanLabels(gold)) },
      plants,
      harmless,
      german: isWanted('de') ? await germanTwin(built, judges, read) : undefined,
      scored,
    };
  } finally {
    await reader.close();
  }
}

async function judgedSets(
  gold: string,
  isWanted: (name: string) => boolean,
  run: (name: string, files: ReadonlyMap<string, string>) => Promise<EngineResults>,
): Promise<FindingsEvaluation['sets']> {
  const documents = join(dirname(resolve(gold)), 'documents');
  const sets: FindingsEvaluation['sets'][number][] = [];
  for (const set of loadJudgedSets(gold).filter(({ name }) => isWanted(name))) {
    const folder = [join(documents, set.name), join(documents, 'lane-assistance', set.name)].find(existsSync);
    if (folder === undefined) throw new GoldDataError(`${documents} has no folder "${set.name}".`);
    // A set that has its documents as PDF once more was judged without these.
    const files = [...filesIn(folder)].filter(([name]) => !name.startsWith('pdf/'));
    const { findings } = await run(set.name, new Map(files));
    const labelled = labelFindings(findings, set.labels, set.defects);
    sets.push({ set, labelled, told: toldDefects(set, labelled) });
  }
  return sets;
}

/** Verdicts of the German hazard analysis and concept beside those of the English ones. */
async function germanTwin(
  built: string,
  judges: Judges,
  read: ReturnType<typeof documentsReader>,
): Promise<FindingsEvaluation['german']> {
  const english = [...filesIn(join(built, 'clean'))].filter(
    ([name]) => SHORT_NAMES.hara!.test(name) || SHORT_NAMES.fsc!.test(name),
  );
  const [en, de] = await Promise.all(
    [new Map(english), filesIn(join(built, 'de'))].map(async (files) =>
      runEngines(await read(files), judges),
    ),
  );
  const compared = [...en!.verdicts].filter(([id]) => /^(?:gap 26262-3|checklist FS-(?:HARA|FSC)-)/.test(id));
  const differing = compared.filter(([id, { verdict }]) => de!.verdicts.get(id)?.verdict !== verdict);
  return { compared: compared.length, differing: differing.map(([id]) => id) };
}
