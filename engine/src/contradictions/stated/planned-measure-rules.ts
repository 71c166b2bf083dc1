import { dayOf } from '../../facts/day-of.js';
import { recordWords } from '../../facts/stated/record-words.js';
import { statedDocuments } from '../../facts/stated/stated-documents.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { anyOf } from '../../words/read-words.js';
import { calledIn } from './person-rules.js';
import { DATE } from './record-order-rules.js';
import { firstOfEach, type StatedContext, type StatedContradiction, shown, stemsOf } from './stated-rule.js';

const DEGREE = /^\(?I\s?(?<degree>[0-3])\)?$/u;
const PLANS: readonly string[] = ['safety_plan', 'project_plan'];
const degreeIn = ({ text }: StatedValue) => Number(DEGREE.exec(text.trim())!.groups!.degree);

/** A row with a degree of independence; of "required I1, planned I2" the least. */
interface Measure {
  readonly row: StatedItem;
  readonly value: StatedValue;
  readonly others: readonly StatedValue[];
}

function measuresOf(items: readonly StatedItem[]): readonly Measure[] {
  return items.flatMap((row) => {
    const degrees = row.table === undefined ? [] : row.cells.filter(({ text }) => DEGREE.test(text.trim()));
    const [value] = degrees.toSorted((a, b) => degreeIn(a) - degreeIn(b));
    return value ? [{ row, value, others: row.cells.filter((cell) => !degrees.includes(cell)) }] : [];
  });
}

/** Measures of plans, without those of the whole item, and those of other documents with the one of a plan that they are. */
function plannedAndDone(context: StatedContext) {
  const isPlan = ({ row }: Measure) =>
    row.document.parts.some(({ typeId, whole }) => whole && PLANS.includes(typeId));
  const measures = measuresOf(context.facts.items);
  const isOfItem = anyOf(recordWords().assessments);
  const plans = measures.filter((one) => isPlan(one) && !one.others.some(({ text }) => isOfItem.test(text)));
  const planned =
    plans.length === 0
      ? []
      : measures
          .filter((one) => !isPlan(one))
          .flatMap((done) => {
            const plan = plannedFor(done, plans, context);
            return plan ? [{ done, plan }] : [];
          });
  return { plans, planned };
}

/** A record gives a review less independence than the plan has for the same document. */
export function independenceBelowPlan(context: StatedContext): readonly StatedContradiction[] {
  const { planned } = plannedAndDone(context);
  return firstOfEach(
    planned.flatMap(({ done, plan }): StatedContradiction[] => {
      const isEnough = planned.some(
        (one) => one.plan === plan && degreeIn(one.done.value) >= degreeIn(plan.value),
      );
      if (isEnough) return [];
      return [
        {
          rule: 'independence-below-plan',
          item: `${done.row.key} ${done.row.document.id}`,
          confidence: 'medium',
          words: { about: plan.about, done: done.value.text, planned: plan.value.text },
          affected: [done.row.id],
          evidence: [
            ...shown(done.row, done.value, `${done.row.id}: ${done.value.title}`),
            ...shown(plan.row, plan.value, `${plan.row.id}: ${plan.value.title}`),
            ...done.others
              .slice(0, 2)
              .flatMap((value) => shown(done.row, value, `${done.row.id}: ${value.title}`)),
          ],
        },
      ];
    }),
  );
}

/** Least number of planned measures that the records have, and their share, where the rest is told. Our own. */
const FEWEST_DONE = 3;
const DONE = 0.7;
const MOST_MISSING = 2;

/** The records have nearly all confirmation measures of the plan; of one or two neither a row nor a sentence of them tells anything. */
export function measureWithoutRecord(context: StatedContext): readonly StatedContradiction[] {
  const { plans, planned } = plannedAndDone(context);
  const records = [...new Set(planned.map(({ done }) => done.row.document))];
  return firstOfEach(
    records.flatMap((record): StatedContradiction[] => {
      const met = new Set(
        planned.flatMap(({ done, plan }) => (done.row.document === record ? plan.row : [])),
      );
      const own = plans.filter(({ row }) => [...met].some(({ document }) => document === row.document));
      const written = statedDocuments(context.corpus, context.facts).find(
        ({ document }) => document === record,
      )?.date?.iso;
      const said = record.read.passages.filter(({ role }) => role !== 'toc').map(({ text }) => stemsOf(text));
      const missing = own.filter(({ row, others }) => {
        if (met.has(row) || planned.some(({ plan }) => plan.row === row)) return false;
        const day = others.map(({ text }) => DATE.exec(text)?.[0]).find((one) => one !== undefined);
        const due = day === undefined ? undefined : dayOf(day, row.document, context.corpus);
        // What is planned for later is not there yet.
        if (due !== undefined && written !== undefined && due > written) return false;
        const stems = [...stemsOf(others[0]?.text ?? '')];
        return stems.length > 0 && !said.some((words) => stems.every((stem) => words.has(stem)));
      });
      if (missing.length === 0 || missing.length > MOST_MISSING) return [];
      if (met.size < FEWEST_DONE || met.size < own.length * DONE) return [];
      const names = missing.map(({ others }) => others[0]!.text.slice(0, LONGEST_TITLE));
      return [
        {
          rule: 'measure-without-record',
          item: `${names.join(',')} ${record.id}`,
          confidence: 'medium',
          words: { measures: names, document: record.name, done: met.size },
          affected: names,
          evidence: [
            ...missing.flatMap(({ row, others }) => shown(row, others[0], others[0]!.title)),
            ...missing.flatMap(({ row, value }) => shown(row, value, value.title)),
          ],
        },
      ];
    }),
  );
}
const LONGEST_TITLE = 80;

/** The only row of a plan whose words hold a name that the record gives, else the one about the same document. */
function plannedFor(
  done: Measure,
  plans: readonly Measure[],
  { corpus, facts }: StatedContext,
): (Measure & { readonly about: string }) | undefined {
  const { authorTitles, reviewerTitles } = recordWords();
  const isOfPerson = anyOf([...authorTitles, ...reviewerTitles]);
  for (const { title, text } of done.others) {
    const name = text.replace(VERSION_BEHIND, '').trim();
    const isName = name.split(/\s+/u).length <= LONGEST_NAME && !DATE.test(text) && !isOfPerson.test(title);
    const stems = isName ? [...stemsOf(name)] : [];
    const named =
      stems.length === 0
        ? []
        : plans.filter(({ others }) => {
            const said = stemsOf(others.map((cell) => cell.text).join(' '));
            return stems.every((stem) => said.has(stem));
          });
    if (named.length === 1) return { ...named[0]!, about: name };
  }
  const documents = statedDocuments(corpus, facts);
  const isMeasure = anyOf(recordWords().measureNames);
  const aboutOf = ({ others }: Measure) => {
    const found = others.flatMap(({ text }) => calledIn(text.replace(isMeasure, ' '), { corpus, documents }));
    return new Set(found).size === 1 ? found[0] : undefined;
  };
  const about = aboutOf(done);
  const same = about ? plans.filter((plan) => aboutOf(plan) === about) : [];
  return about && same.length === 1 ? { ...same[0]!, about: about.document.name } : undefined;
}
/** Longer cells are sentences. */
const LONGEST_NAME = 6;
const VERSION_BEHIND =
  /[\s,(]+(?:v|ver\.?|version|rev\.?|revision|issue|stand|BL)?\.?\s?(?:\d+(?:\.\d+)*|(?<=(?:rev\.?|issue)\s)[A-Z])\)?$/iu;
