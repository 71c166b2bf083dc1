import { SEVERITIES, type Severity } from '../../findings/finding.js';
import type { Picture } from '../pictures/picture.js';
import type { ReportFinding, ReportPart } from '../report.js';
import { type ReportWords, TONES, type Tone } from '../report-words.js';
import type { Block, Inline } from './block.js';
import { groupTitle, type PartTitle } from './part-title.js';
import { traceSummary } from './trace.js';

/** Areas in a picture: more lines nobody reads; the table has all. */
const DRAWN = 24;

/** The whole on one page: numbers, pictures, tables that say the same as the pictures. */
export function* writeSummary(part: ReportPart, title: PartTitle, words: ReportWords): Generator<Block> {
  yield { kind: 'heading', level: 1, id: `summary-${part.id}`, text: title(words.text('summary')) };
  if (part.written) yield* writtenByModel(part.written, words);
  yield { kind: 'facts', rows: factsOf(part, words) };
  if (part.findings.length > 0) yield* severityTable(part, words);
  if (part.results.length > 0) yield* stateTable(part, words);
  if (part.trace) yield* traceSummary(part.trace, words);
}

/** Sentences of a language model, marked as such. */
export function* writtenByModel(
  { model, sentences }: NonNullable<ReportPart['written']>,
  { text }: ReportWords,
): Generator<Block> {
  yield { kind: 'paragraph', text: sentences.map((one) => one.text).join(' ') };
  yield { kind: 'paragraph', text: text('summary_by_model', { model }) };
}

function factsOf(part: ReportPart, words: ReportWords): [string, Inline][] {
  const { score, severities, changes } = part;
  const facts: [string, Inline][] = [
    [words.text('result'), scoreOf(score, words)],
    ...(score.value === null
      ? []
      : [[words.text('score_method'), words.of('score_methods', part.type)] satisfies [string, Inline]]),
    [
      words.text('findings'),
      SEVERITIES.map(
        (severity) => `${words.number(severities[severity])} ${words.of('severities', severity)}`,
      ).join(', '),
    ],
  ];
  if (part.results.length > 0) facts.push([words.text('results'), countsOf(part, words)]);
  if (changes) {
    facts.push([
      words.text('changes'),
      (['new', 'updated', 'unchanged', 'absent'] as const)
        .map((change) => `${words.number(changes[change])} ${words.of('changes', change)}`)
        .join(', '),
    ]);
  }
  return facts;
}

function scoreOf({ value, upTo, agreement }: ReportPart['score'], words: ReportWords): string {
  if (value === null) return words.text('score_none');
  const share =
    upTo === undefined || upTo === null || upTo <= value
      ? words.text('score_value', { value: words.number(value) })
      : words.text('score_up_to', { value: words.number(value), upTo: words.number(upTo) });
  const lessened =
    agreement && agreement.defects > 0
      ? `; ${words.text('score_agreement', {
          share: words.number(agreement.value),
          defects: words.number(agreement.defects),
          statements: words.number(agreement.statements),
        })}`
      : '';
  return `${words.text('score')}: ${share}${lessened}`;
}

function countsOf({ results }: ReportPart, words: ReportWords): string {
  const counts = new Map<string, number>();
  for (const result of results) {
    const state = result.override?.state ?? result.state;
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return [...counts]
    .map(([state, count]) => `${words.number(count)} ${words.named('states', state)}`)
    .join(', ');
}

function* severityTable(part: ReportPart, words: ReportWords): Generator<Block> {
  const counts = countBy(part.groups, part.findings, (finding: ReportFinding) => finding.severity);
  const areas = part.groups
    .map(({ key }) => ({ label: groupTitle(part, key, words), counts: counts.get(key)! }))
    .filter((area) => area.counts.size > 0);
  const title = words.text('severity_by_area');
  const picture: Picture = {
    kind: 'bars',
    length: 'scale',
    title,
    alt: altOf(areas, (severity: Severity) => words.of('severities', severity)),
    rows: areas.slice(0, DRAWN).map(({ label, counts: own }) => ({
      label,
      parts: SEVERITIES.map((mark) => ({ mark, value: own.get(mark) ?? 0 })),
    })),
    legend: SEVERITIES.map((mark) => ({ mark, label: words.of('severities', mark) })),
  };
  yield { kind: 'picture', picture };
  yield {
    kind: 'table',
    caption: title,
    columns: [
      { title: words.text('area'), width: 44 },
      ...SEVERITIES.map((severity) => ({
        title: words.of('severities', severity),
        width: 11,
        align: 'right' as const,
      })),
      { title: words.text('total'), width: 12, align: 'right' },
    ],
    rows: areas.map(({ label, counts: own }) => [
      label,
      ...SEVERITIES.map((severity) => words.number(own.get(severity) ?? 0)),
      words.number(total(own)),
    ]),
  };
}

function* stateTable(part: ReportPart, words: ReportWords): Generator<Block> {
  const counts = countBy(part.groups, part.results, (result): Tone => words.toneOf(result));
  const areas = part.groups
    .map(({ key }) => ({ label: groupTitle(part, key, words), counts: counts.get(key)! }))
    .filter((area) => area.counts.size > 0);
  const used = TONES.filter((tone) => areas.some((area) => area.counts.has(tone)));
  const nameOf = (tone: Tone): string => {
    const states = part.results
      .filter((result) => words.toneOf(result) === tone)
      .map(({ override, state }) => override?.state ?? state)
      .filter((state) => words.tone('states', state) === tone);
    const names = new Set(states.length > 0 ? states : (['needs_confirmation'] as const));
    return [...names].map((state) => words.of('states', state)).join(' / ');
  };
  const title = words.text('coverage_by_area');
  yield {
    kind: 'picture',
    picture: {
      kind: 'bars',
      length: 'full',
      title,
      alt: altOf(areas, nameOf),
      rows: areas.slice(0, DRAWN).map(({ label, counts: own }) => ({
        label,
        parts: used.map((mark) => ({ mark, value: own.get(mark) ?? 0 })),
      })),
      legend: used.map((mark) => ({ mark, label: nameOf(mark) })),
    },
  };
  yield {
    kind: 'table',
    caption: title,
    columns: [
      { title: words.text('area'), width: 30 },
      ...used.map((tone) => ({ title: nameOf(tone), width: 12, align: 'right' as const })),
      { title: words.text('total'), width: 12, align: 'right' },
    ],
    rows: areas.map(({ label, counts: own }) => [
      label,
      ...used.map((tone) => words.number(own.get(tone) ?? 0)),
      words.number(total(own)),
    ]),
  };
}

function countBy<Item extends { readonly group: string }, Key>(
  groups: ReportPart['groups'],
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<string, ReadonlyMap<Key, number>> {
  const counts = new Map(groups.map(({ key }) => [key, new Map<Key, number>()]));
  for (const item of items) {
    const own = counts.get(item.group)!;
    own.set(keyOf(item), (own.get(keyOf(item)) ?? 0) + 1);
  }
  return counts;
}

/** The picture in words: every area with its counts. */
function altOf<Key>(
  areas: readonly { readonly label: string; readonly counts: ReadonlyMap<Key, number> }[],
  nameOf: (key: Key) => string,
): string {
  return areas
    .slice(0, DRAWN)
    .map(
      ({ label, counts }) =>
        `${label}: ${[...counts].map(([key, count]) => `${count} ${nameOf(key)}`).join(', ')}`,
    )
    .join('; ');
}

const total = (counts: ReadonlyMap<unknown, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);
