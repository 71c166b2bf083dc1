import { z } from 'zod';
import {
  type AsilLevel,
  asilRank,
  asilsInText,
  highestAsil,
  parseAsil,
  printAsil,
} from '../../../asil/asil.js';
import { isWithin } from '../../../corpus/corpus.js';
import { quote } from '../../../corpus/evidence.js';
import { checkWords } from '../../../facts/check-words.js';
import { statedFacts } from '../../../facts/stated/stated-facts.js';
import { idsIn } from '../../../facts/stated/stated-item.js';
import { say } from '../../../sentences/sentence.js';
import type { HardwareMetric } from '../../../standards/integrity-facts.js';
import { phraseFinder } from '../../../text/phrases.js';
import { documentsOf, type ItemContext, namesOfTypes, partsFor } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { documentTypes } from '../parameters.js';

/** Values or targets of hardware metrics are as good as the ASIL demands (`hardware-metrics.yaml`). */
const parameters = { in: documentTypes, what: z.enum(['target', 'achieved']) };
type Check = CheckParameters<typeof parameters>;

export const hardwareMetrics = defineCheck('hardware_metrics', parameters, checkHardwareMetrics);

const ROUNDING = 1e-9;

const RATIO = /(?:[≥>]=?\s*)?(\d{1,3}(?:[.,]\d+)?)\s?%/u;
const RATE =
  /(\d+(?:[.,]\d+)?)?\s*(?:[·x×*]\s*)?10\s*(?:\^|\*\*)?\s*[-−⁻]\s*([0-9⁰¹²³⁴-⁹]+)|(\d+(?:[.,]\d+)?)e-(\d+)|(\d+(?:[.,]\d+)?)\s*FIT/iu;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** The value stands this near behind the name, or in another cell of the row. */
const NEAR = 80;

function checkHardwareMetrics({ in: types, what }: Check, context: ItemContext): Outcome {
  const level = context.asils.highest;
  if (level !== undefined && asilRank(level) < asilRank('B')) {
    return outcome('na', 'high', {
      rules: ['level-below-b'],
      reason: say('checks.the-highest-level-stated-is', {
        level: level === 'QM',
        value: printAsil({ own: level }),
      }),
      evidence: context.asils.evidence,
    });
  }
  const values = valuesIn(types, context);
  if (values.length === 0) {
    return outcome('missing', 'medium', {
      rules: ['no-metric-stated'],
      reason: say('checks.no-value-of-a-metric', {
        what: what === 'target',
        types: namesOfTypes(context, types),
      }),
      terms: Object.values(checkWords().metrics).flat(),
    });
  }
  if (level === undefined) {
    return outcome('open', 'low', {
      rules: ['level-unknown'],
      reason: say('checks.no-asil-is-stated-with-which'),
      evidence: values.map((one) => one.evidence),
    });
  }
  const demanded = level as Exclude<AsilLevel, 'QM' | 'A'>;
  const bad = values.filter(({ metric, value, level: own }) => {
    // A row about a goal of a lower level is held against that.
    const target = metric.targets[own ?? demanded];
    return metric.direction === 'at_least'
      ? value < target * (1 - ROUNDING)
      : value > target * (1 + ROUNDING);
  });
  const absent = context.metrics.filter((metric) => !values.some((one) => one.metric.id === metric.id));
  if (bad.length > 0) {
    return outcome('fail', 'high', {
      rules: ['metric-below-target'],
      reason: say('checks.listed', {
        all: bad.map(({ metric, written, level: own = demanded }) =>
          say('checks.metric-below', {
            metric: metric.title,
            written,
            level: own,
            target: metric.targets[own],
          }),
        ),
      }),
      evidence: bad.map(({ evidence }) => ({ ...evidence, role: 'counter' as const })),
      instances: { met: values.length - bad.length, total: values.length },
    });
  }
  return outcome(absent.length > 0 ? 'open' : 'pass', absent.length > 0 ? 'low' : 'medium', {
    rules: ['metrics-fit'],
    reason:
      absent.length > 0
        ? say('checks.nothing-is-stated-for', { absent: absent.map((one) => one.title) })
        : say('checks.the-values-fit-asil', { demanded }),
    evidence: values.slice(0, 3).map((one) => one.evidence),
    instances: { met: values.length, total: context.metrics.length },
  });
}

function valuesIn(types: readonly string[], context: ItemContext) {
  const parts = partsFor(context, types);
  const finders = context.metrics.map((metric) => ({
    metric,
    find: phraseFinder(checkWords().metrics[metric.id]),
  }));
  return documentsOf(context, parts).flatMap(({ read }) =>
    read.passages.flatMap((passage) => {
      if (passage.role !== 'body' || passage.header || !isWithin(parts, passage)) return [];
      const { cells } = read.document.blocks[passage.blockIndex]!;
      const columns = read.tables[read.tableOf[passage.blockIndex]!]?.columns ?? [];
      return finders.flatMap(({ metric, find }) => {
        const titled = cells?.find((cell) => find(columns[cell.column] ?? '').length > 0);
        const value = titled && metricValue(metric, titled.text);
        if (value) {
          const evidence = quote(read.document, passage, titled, { role: 'support', note: metric.title });
          return [{ metric, ...value, evidence, level: levelOfRow(context, passage.text) }];
        }
        for (const segment of cells ?? [passage]) {
          const text = read.document.text.slice(segment.start, segment.end);
          const match = find(text)[0];
          if (!match) continue;
          const near = metricValue(metric, text.slice(match.end, match.end + NEAR));
          const other =
            near === undefined
              ? cells?.find((cell) => cell !== segment && metricValue(metric, cell.text))
              : undefined;
          const value = near ?? (other && metricValue(metric, other.text));
          if (value === undefined) continue;
          const evidence = quote(read.document, passage, other ?? segment, {
            role: 'support',
            note: metric.title,
          });
          return [
            { metric, ...value, evidence, level: cells ? levelOfRow(context, passage.text) : undefined },
          ];
        }
        return [];
      });
    }),
  );
}

/** The level that a row about one goal names, or that its goal has; those below B have no targets. */
function levelOfRow({ corpus }: ItemContext, text: string): Exclude<AsilLevel, 'QM' | 'A'> | undefined {
  const own = highestAsil(asilsInText(text).map(({ asil }) => asil.original ?? asil.own));
  const { byKey } = statedFacts(corpus);
  const level =
    own ??
    highestAsil(
      idsIn(text).flatMap(({ key }) =>
        (byKey.get(key) ?? []).flatMap((item) => parseAsil(item.values.get('asil')?.text ?? '')?.own ?? []),
      ),
    );
  return level === undefined || level === 'QM' || level === 'A' ? undefined : level;
}

/** A ratio of 0 to 1, or failures per hour. */
function metricValue(
  { unit }: HardwareMetric,
  text: string,
): { readonly value: number; readonly written: string } | undefined {
  const number = (digits: string) => Number(digits.replace(',', '.'));
  if (unit === 'ratio') {
    const match = RATIO.exec(text);
    return match ? { value: number(match[1]!) / 100, written: match[0].trim() } : undefined;
  }
  const match = RATE.exec(text);
  if (!match) return undefined;
  const written = match[0].trim();
  if (match[5] !== undefined) return { value: number(match[5]) * 1e-9, written };
  const digits = (match[2] ?? match[4]!).replace(/[⁰¹²³⁴-⁹]/gu, (one) => String(SUPERSCRIPTS.indexOf(one)));
  return { value: number(match[1] ?? match[3] ?? '1') * 10 ** -Number(digits), written };
}
