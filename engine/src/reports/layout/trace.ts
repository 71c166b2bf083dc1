import type { ReportPart, ReportTrace, Share } from '../report.js';
import type { ReportWords } from '../report-words.js';
import type { Block } from './block.js';
import type { PartTitle } from './part-title.js';

const MATRIX_STATES = ['complete', 'partial', 'missing', 'orphan'] as const;

/** Coverage as a table, the V as a picture. */
export function* traceSummary(trace: ReportTrace, words: ReportWords): Generator<Block> {
  const { text } = words;
  yield {
    kind: 'facts',
    rows: [
      [text('artifacts'), words.number(trace.artifacts)],
      [text('links'), words.number(trace.links)],
      ...(trace.assumed === undefined
        ? []
        : [[text('assumed_links'), text('assumed_links_count', shareOfLinks(trace, words))] as const]),
    ],
  };
  if (trace.levels.length > 0) yield* vModel(trace, words);
  const columns = [
    { title: text('metric'), width: 50 },
    { title: text('share'), width: 25, align: 'right' as const },
    { title: text('counted'), width: 25, align: 'right' as const },
  ];
  yield {
    kind: 'table',
    caption: text('coverage'),
    columns,
    rows: trace.coverage.map(({ metric, share }) => [
      words.of('metrics', metric),
      printShare(share, words),
      counted(share, words),
    ]),
  };
  if (trace.byIntegrity.length > 1) {
    yield {
      kind: 'table',
      caption: `${text('coverage')}, ${text('integrity')}`,
      columns: [{ title: text('integrity'), width: 50 }, ...columns.slice(1)],
      rows: trace.byIntegrity.map(({ level, share }) => [
        level === 'unknown' ? text('not_stated') : level,
        printShare(share, words),
        counted(share, words),
      ]),
    };
  }
  if (trace.unlisted > 0) {
    yield { kind: 'paragraph', text: text('unlisted', { count: words.number(trace.unlisted) }) };
  }
}

function* vModel({ levels }: ReportTrace, words: ReportWords): Generator<Block> {
  const rows = levels.map(({ type, counts }) => {
    const all = MATRIX_STATES.reduce((sum, state) => sum + counts[state], 0);
    return { label: words.named('artifact_types', type), counts, all };
  });
  const marks = [
    ['good', ['complete']],
    ['part', ['partial']],
    ['bad', ['missing', 'orphan']],
  ] as const;
  const title = words.text('v_model');
  yield {
    kind: 'picture',
    picture: {
      kind: 'v',
      title,
      alt: rows
        .map(
          ({ label, counts }) =>
            `${label}: ${MATRIX_STATES.map((state) => `${counts[state]} ${words.of('traced', state)}`).join(', ')}`,
        )
        .join('; '),
      levels: rows.map(({ label, counts, all }) => ({
        label,
        parts: marks.map(([mark, states]) => ({
          mark,
          value: states.reduce((sum, state) => sum + counts[state], 0),
        })),
        share: `${words.number(counts.complete)} / ${words.number(all)} ${words.of('traced', 'complete')}`,
      })),
      bottom: words.of('artifact_types', 'design'),
      legend: marks.map(([mark, states]) => ({
        mark,
        label: states.map((state) => words.of('traced', state)).join(' / '),
      })),
    },
  };
  yield {
    kind: 'table',
    caption: title,
    columns: [
      { title: words.text('type'), width: 40 },
      ...MATRIX_STATES.map((state) => ({
        title: words.of('traced', state),
        width: 15,
        align: 'right' as const,
      })),
    ],
    rows: rows.map(({ label, counts }) => [
      label,
      ...MATRIX_STATES.map((state) => words.number(counts[state])),
    ]),
  };
}

/** Every goal and requirement with its neighbours. */
export function* writeMatrix(part: ReportPart, title: PartTitle, words: ReportWords): Generator<Block> {
  const { trace } = part;
  if (!trace || trace.matrix.length === 0) return;
  const { text } = words;
  yield { kind: 'heading', level: 1, id: `matrix-${part.id}`, text: title(text('matrix')) };
  if (trace.matrixTotal > trace.matrix.length) {
    yield {
      kind: 'paragraph',
      text: text('matrix_cut', {
        shown: words.number(trace.matrix.length),
        total: words.number(trace.matrixTotal),
      }),
    };
  }
  yield {
    kind: 'table',
    caption: text('matrix'),
    columns: [
      { title: text('id'), width: 16 },
      { title: text('text'), width: 34 },
      { title: text('upstream'), width: 17 },
      { title: text('downstream'), width: 19 },
      { title: text('traced'), width: 14 },
    ],
    rows: trace.matrix.map((row) => [
      [
        { text: row.id, code: true },
        ...(row.integrity === undefined ? [] : [{ text: ` (${row.integrity})`, soft: true as const }]),
      ],
      row.text,
      row.upstream.map(({ artifactId }) => artifactId).join(', '),
      row.downstream.map(({ artifactId }) => artifactId).join(', '),
      [{ text: words.of('traced', row.status), mark: words.tone('traced', row.status) }],
    ]),
  };
}

/** How many of the links nothing states; the share is that of all. */
const shareOfLinks = ({ assumed = 0, links }: ReportTrace, words: ReportWords) => ({
  count: words.number(assumed),
  share: `${words.number(Math.round((1000 * assumed) / Math.max(1, links)) / 10)} %`,
});

function printShare({ percentage }: Share, words: ReportWords): string {
  return percentage === null ? '–' : `${words.number(percentage)} %`;
}

function counted({ numerator, denominator }: Share, words: ReportWords): string {
  return words.text('instances', { met: words.number(numerator), of: words.number(denominator) });
}
