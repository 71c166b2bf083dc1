import { NOT_GIVEN } from '../findings/subject.js';
import { type Entries, type Entry, entriesOf } from './entries.js';
import { inOrderOfRisk, isOpen, rankOf } from './layout/causes.js';
import type { Report, ReportMatrixRow } from './report.js';
import type { ReportWords } from './report-words.js';

const MOST_DECISIONS = 5;

/** A goal, and what is open about it or anything below it, in the order of risk. */
export interface GoalLine {
  readonly goal: ReportMatrixRow;
  readonly open: readonly Entry[];
}

/** What somebody needs who reads one page. */
export interface FirstPage extends Pick<Entries, 'forPersons' | 'waiting'> {
  /** Nobody has settled them; in the order of risk. */
  readonly open: readonly Entry[];
  /** What to decide first, at most five: the highest risk, and no two of one kind while there are others. */
  readonly first: readonly Entry[];
  /** Every goal, the highest level first. */
  readonly goals: readonly GoalLine[];
}

/** The first page of a report over all its analyses (decision 291). */
export function firstPageOf(report: Pick<Report, 'parts' | 'documents'>, words: ReportWords): FirstPage {
  const { entries, forPersons, waiting } = entriesOf(report, words);
  const open = entries.filter(isOpen).sort(inOrderOfRisk);
  return { open, first: firstOf(open), goals: goalLines(report, open), forPersons, waiting };
}

function firstOf(ranked: readonly Entry[]): Entry[] {
  const kinds = new Set<string>();
  const first = ranked.filter(({ finding: { kind, criterionId } }) => {
    const isNew = !kinds.has(`${kind} ${criterionId}`) && !kinds.has(kind);
    kinds.add(kind);
    return isNew;
  });
  const chosen = new Set([...first, ...ranked].slice(0, MOST_DECISIONS));
  return ranked.filter((entry) => chosen.has(entry));
}

function goalLines({ parts }: Pick<Report, 'parts'>, open: readonly Entry[]): GoalLine[] {
  const rows = new Map(parts.flatMap(({ trace }) => trace?.matrix ?? []).map((row) => [row.id, row]));
  return [...rows.values()]
    .filter(({ type }) => type.endsWith('_goal'))
    .sort((a, b) => rankOf(b.integrity) - rankOf(a.integrity))
    .map((goal) => {
      const below = idsBelow(goal, rows);
      return {
        goal,
        open: open.filter(({ members }) =>
          members.some(
            ({ finding }) =>
              finding.subject !== NOT_GIVEN && finding.affectedItems.some((id) => below.has(id)),
          ),
        ),
      };
    });
}

/** A goal and everything below it, by id. */
function idsBelow(goal: ReportMatrixRow, rows: ReadonlyMap<string, ReportMatrixRow>): ReadonlySet<string> {
  const ids = new Set([goal.id]);
  // A set is read to its end while it grows.
  for (const id of ids) for (const { artifactId } of rows.get(id)?.downstream ?? []) ids.add(artifactId);
  return ids;
}
