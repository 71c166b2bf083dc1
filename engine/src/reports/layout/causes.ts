import { SEVERITIES } from '../../findings/finding.js';
import { type Entry, entriesOf, isOfSilence } from '../entries.js';
import type { Report, ReportPart } from '../report.js';
import type { ReportWords } from '../report-words.js';
import type { Block, Inline } from './block.js';
import { inShort, shortened } from './in-short.js';

const MOST_DETAILS = 12;
const MOST_ITEMS = 24;
const LONGEST_DETAIL = 150;
const LONGEST_OBSERVED = 320;
const LONGEST_REASON = 320;

/** Every open entry on a line, with what it holds and which analyses saw it; then what is not due, by reason. */
export function* writeCauses(report: Report, words: ReportWords): Generator<Block> {
  const open = entriesOf(report, words).entries.filter(isOpen);
  const later = notDueOf(report.parts);
  if (open.length === 0 && later.length === 0) return;
  const { text, number } = words;
  yield { kind: 'heading', level: 1, id: 'causes', text: text('entries') };
  if (open.length > 0) {
    yield {
      kind: 'table',
      caption: text('open_findings'),
      columns: [
        { title: text('finding'), width: 38 },
        { title: text('entry_holds'), width: 46 },
        { title: text('seen_by'), width: 16 },
      ],
      rows: [...open].sort(inOrderOfRisk).map(({ title, severity, details, parts, finding }): Inline[] => [
        [{ text: words.of('severities', severity), mark: severity }, { text: ` ${title}` }],
        details.length === 0
          ? shortened(finding.observed, LONGEST_OBSERVED)
          : inShort(
              details.map((one) => shortened(one, LONGEST_DETAIL)),
              MOST_DETAILS,
              words,
              { between: '; ' },
            ),
        [...new Set(parts.map((part) => nameOf(part, words)))].join('; '),
      ]),
    };
  }
  if (later.length === 0) return;
  yield {
    kind: 'table',
    caption: text('not_due'),
    columns: [
      { title: text('not_due_reason'), width: 50 },
      { title: text('not_due_items'), width: 50 },
    ],
    rows: later.map(([reason, items]): Inline[] => [
      shortened(reason, LONGEST_REASON),
      `${number(items.length)}: ${inShort(withoutParts(items), MOST_ITEMS, words)}`,
    ]),
  };
}

/** Nobody has settled it. */
export const isOpen = ({ finding: { status } }: Entry): boolean =>
  status === undefined || status === 'open' || status === 'in_progress';

/** What no analysis counts because it is not due or not done in this project: each reason with its items, each once. */
export function notDueOf(
  parts: readonly ReportPart[],
): (readonly [reason: string, items: readonly string[]])[] {
  const lines = new Map<string, Set<string>>();
  for (const { reason, items } of parts.flatMap((part) => part.notDue ?? [])) {
    const known = lines.get(reason) ?? new Set();
    for (const item of items) known.add(item);
    lines.set(reason, known);
  }
  return [...lines].map(([reason, items]) => [reason, [...items]]);
}

/** What a work product demands goes with it: `26262-4:7.5.1-2` with `26262-4:7.5.1`; without it as `26262-4:7.5.1-2/3`. */
function withoutParts(ids: readonly string[]): readonly string[] {
  const lines = new Map<string, string[]>();
  for (const id of ids) {
    const [, above = id, part] = /^(.*:.*)-(\d+)$/.exec(id) ?? [];
    const parts = lines.get(above) ?? [];
    lines.set(above, part === undefined ? parts : [...parts, part]);
  }
  const whole = new Set(ids);
  return [...lines].map(([id, parts]) => (whole.has(id) ? id : `${id}-${parts.join('/')}`));
}

const severityRank = ({ severity }: Entry) => SEVERITIES.indexOf(severity);

/** The most severe first, then what is wrong before what is absent, then the higher level, then what is sure, then what concerns more. */
export function inOrderOfRisk(one: Entry, other: Entry): number {
  const [a, b] = [one.finding, other.finding];
  return (
    severityRank(one) - severityRank(other) ||
    Number(isOfSilence(one)) - Number(isOfSilence(other)) ||
    rankOf(b.asil) - rankOf(a.asil) ||
    Number(a.unconfirmed ?? false) - Number(b.unconfirmed ?? false) ||
    other.details.length - one.details.length
  );
}

/** `B(D)` stands for the level before decomposition. */
export function rankOf(level = ''): number {
  return ['QM', 'A', 'B', 'C', 'D'].indexOf(
    /\(([A-D]|QM)\)|\b([A-D]|QM)$/.exec(level)?.slice(1).find(Boolean) ?? '',
  );
}

/** A checklist by its id: its title is in the chapter about it. */
export const nameOf = ({ type, subject }: ReportPart, words: ReportWords): string => {
  if (subject === '') return words.of('types', type);
  return type === 'checklist' ? subject.split(' ', 1)[0]! : subject;
};
