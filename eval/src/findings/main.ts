import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { misleadingClasses } from '../confidence.js';
import { evaluateFindings, type FindingsEvaluation, type Kind } from './evaluate.js';
import {
  classTable,
  findingClasses,
  findingSentences,
  harmlessTable,
  ownTable,
  plantTable,
  scoreTable,
  setTable,
  toBeJudged,
  untoldDefects,
} from './tables.js';

export interface FindingsOptions {
  /** Folder with findings/ and plants/, or with gold/ that has them. */
  readonly data: string | undefined;
  readonly mixes: string | undefined;
  /** Names and kinds of what is to be run, by commas; see `isNamed`. */
  readonly only: string | undefined;
  /** Engine processes at once; as many as there are cores where not given. */
  readonly processes: string | undefined;
  readonly report: string;
  readonly verbose: boolean;
}

/**
 * Prints what the findings of all engines are worth and writes it into the report when everything was run. Resolves to 0, to 1 when a
 * surer class of confidence is less often right than a less sure one, to 2 when the folder is not there.
 */
export async function judgeFindings({
  data,
  mixes,
  only,
  processes,
  report,
  verbose,
}: FindingsOptions): Promise<number> {
  const gold = [data, data && join(data, 'gold')].find(
    (folder) => folder && existsSync(join(folder, 'plants')),
  );
  if (!gold) {
    console.error(
      `npm run eval -- findings --data <folder with findings/ and plants/>: ${data ?? 'no folder'} has no plants/.`,
    );
    return 2;
  }
  const wanted = only?.split(',');
  const started = performance.now();
  const evaluation = await evaluateFindings(gold, {
    mixes,
    processes: Math.max(1, Number(processes) || availableParallelism()),
    isWanted: (name, kind) => wanted === undefined || wanted.some((one) => isNamed(one, name, kind)),
    onDone: (name) => process.stderr.write(`${name} `),
  });
  process.stderr.write(`\n${((performance.now() - started) / 1000).toFixed(0)} s\n`);
  console.log(sectionOf(evaluation));
  if (verbose) console.log(`\n${detailsOf(evaluation)}`);
  if (wanted === undefined)
    writeFileSync(
      report,
      withSection(existsSync(report) ? readFileSync(report, 'utf8') : '', sectionOf(evaluation)),
    );
  const misleading = misleadingClasses(findingClasses(evaluation), FEWEST_JUDGED);
  for (const { surer, lower } of misleading) {
    console.error(`${surer.source}: ${surer.confidence} is less often right than ${lower.confidence}.`);
  }
  return misleading.length > 0 ? 1 : 0;
}

/** Whether a word of `--only` names it: a kind, a name, a letter that names begin with, or `P01-P09` for all between. */
export function isNamed(word: string, name: string, kind: Kind): boolean {
  const [first = '', last] = word.split(/(?<=\d)-(?=\D)/);
  if (last !== undefined) return name.length === first.length && name >= first && name <= last;
  return word === kind || word === name || (word.length === 1 && name.startsWith(word));
}

const HEADING = '## Findings';

/** A report with a section put in place of the one it had under the same heading, else at its end. */
export function withSection(report: string, section: string, heading: string = HEADING): string {
  const kept = withoutSection(report, heading).trimEnd();
  return `${kept === '' ? '' : `${kept}\n\n`}${section}\n`;
}

/** The section about findings of a report, or that of another heading; undefined where it has none. */
export function sectionIn(report: string, heading: string = HEADING): string | undefined {
  const start = report.startsWith(`${heading}\n`) ? 0 : report.indexOf(`\n${heading}\n`) + 1;
  if (start === 0 && !report.startsWith(heading)) return undefined;
  const end = report.indexOf('\n## ', start + heading.length);
  return report.slice(start, end < 0 ? undefined : end).trimEnd();
}

function withoutSection(report: string, heading: string): string {
  const section = sectionIn(report, heading);
  return section === undefined ? report : report.replace(section, () => '').replaceAll(/\n{3,}/g, '\n\n');
}

function sectionOf(evaluation: FindingsEvaluation): string {
  const classes = findingClasses(evaluation);
  return [
    HEADING,
    ABOUT,
    ...(evaluation.plants.length > 0 ? ['### Plants', PLANTS, plantTable(evaluation)] : []),
    '### Entries',
    SETS,
    setTable(evaluation),
    OWN,
    ownTable(evaluation),
    ...(evaluation.harmless.length > 0 ? ['### Harmless edits', harmlessTable(evaluation)] : []),
    '### Scores and nonsense',
    scoreTable(evaluation),
    ...(classes.length > 0 ? ['### Confidence of entries', CLASSES, classTable(classes)] : []),
    '### In words',
    findingSentences(evaluation)
      .map((sentence) => `- ${sentence}`)
      .join('\n'),
  ].join('\n\n');
}

/** What is new in each variant, and what has to be judged. */
function detailsOf(evaluation: FindingsEvaluation): string {
  const news = [
    ...evaluation.plants.map(({ plant, answer, news: own }) => ({
      name: `${plant.id} ${answer}: ${plant.statement}`,
      own,
    })),
    ...evaluation.harmless.map(({ id, kind, news: own }) => ({ name: `${id} ${kind}`, own })),
  ].map(({ name, own }) =>
    [name, ...own.map(({ engine, criterion, title }) => `    ${engine} ${criterion}: ${title}`)].join('\n'),
  );
  return `${news.join('\n')}\n\n${toBeJudged(evaluation)}\n\n${untoldDefects(evaluation)}`;
}

/** Entries of a class that say something about it. */
const FEWEST_JUDGED = 20;

const CLASSES = `How often entries that a person has judged are not wrong, by the confidence of what stands for the entry. The run fails (exit code 1) when
a surer class is less often right than a less sure one, as far as each has twenty of them: of eight right ones nobody can tell whether they are more often right than nine in ten.`;
const ABOUT = `Made by \`npm run eval -- findings --data gold\`: all engines over documents that a person has judged, and over a clean project
with single defects planted into it, as the command line runs them, without embeddings (gap analysis of parts 2, 3, 4 and 6, completeness, five
checklists, trace). \`--verbose\` prints what is new in every variant and what nobody has judged yet.`;

const PLANTS = `*found*: a counted finding that the clean project does not have holds the words that tell the defect, and quotes or names one of its
places; *both places*: the finding quotes or names the first two of them. *half*: a remark does so, or something new only names the subject.`;

const SETS = `Every finding beside the label that a person gave it: *useful* tells a real defect for the first time, *formal* is trivial or not
due. Findings that no label matches count as nothing. Recall: defects that a useful finding tells, and those that follow from one
that is told.`;

const OWN = `The labels are of the findings of an older build. What no label matches we read against the documents ourselves, with the list of
defects beside it, and keep it in \`eval/finding-judgements.yaml\` (set, rule, hash of the place, one line of reason); this is our own opinion of our own
findings. Together with the labels:`;
