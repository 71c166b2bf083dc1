import { ENDPOINTS, ENUMS, LISTED_GAP_TYPE, NAMES, RECORDS, STATEMENTS } from './specification.js';

/**
 * What the text of the specification (Markdown) has and the rows do not, and the other way round; empty when both say
 * the same. The text is read by its form alone: headings, endpoint lines, tables of fields and of words, words in
 * back-ticks.
 */
export function differences(text: string): readonly string[] {
  const lines = text.split('\n');
  return [
    ...withoutRow('endpoint', endpointsOf(text), new Set(ENDPOINTS.map(({ endpoint }) => endpoint))),
    ...withoutText(
      'endpoint',
      ENDPOINTS.map(({ endpoint }) => endpoint),
      endpointsOf(text),
    ),
    ...withoutRow('field', fieldsOf(lines), FIELD_ROWS),
    ...withoutRow('section', headingsOf(lines), SECTIONS),
    ...withoutRow('word', wordsOf(text), VOCABULARY),
    ...withoutText(
      'word',
      [...Object.values(ENUMS).flatMap(({ values }) => values), LISTED_GAP_TYPE],
      new Set(text.match(/[\w.]*\w/g)?.flatMap((word) => [word, word.toLowerCase()])),
    ),
    ...withoutText(
      'field',
      Object.values(RECORDS).flatMap(({ fields }) => Object.keys(fields)),
      new Set(text.match(/\w+/g)),
    ),
  ];
}

const withoutRow = (kind: string, said: ReadonlySet<string>, rows: ReadonlySet<string>): string[] =>
  [...said].filter((one) => !rows.has(one)).map((one) => `No row for the ${kind} ${one}`);
const withoutText = (kind: string, rows: readonly string[], said: ReadonlySet<string>): string[] =>
  [...new Set(rows)].filter((one) => !said.has(one)).map((one) => `Not in the text: the ${kind} ${one}`);

const METHODS = 'GET|POST|PATCH|PUT|DELETE';

function endpointsOf(text: string): ReadonlySet<string> {
  const inLines = text.matchAll(new RegExp(`\`(${METHODS}) ([/{][^\`]+)\``, 'g'));
  const inTables = text.matchAll(new RegExp(`^\\| (${METHODS}) \\| (/\\S+) \\|`, 'gm'));
  return new Set([...inLines, ...inTables].map(([, method, path]) => `${method} ${path}`));
}

/** `section.field` of every table whose first column is called Field; of lists without a table nothing. */
function fieldsOf(lines: readonly string[]): ReadonlySet<string> {
  const fields = new Set<string>();
  let section = '';
  let isInTable = false;
  for (const line of lines) {
    const heading = headingOf(line);
    if (heading) section = heading;
    if (!line.startsWith('|')) isInTable = false;
    else if (/^\| Field \|/.test(line)) isInTable = true;
    else if (isInTable && !/^\|[-| ]+$/.test(line)) {
      const [, name = '', type = ''] = line.split('|').map((cell) => cell.trim());
      fields.add(`${section}: ${name} (${type.replace(/ \(.*\)/, '')})`);
    }
  }
  return fields;
}

/** How the specification writes the types of its tables. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  uuid: ['UUID'],
  string: ['string', 'enum'],
  timestamp: ['timestamp'],
  integer: ['integer'],
  number: ['number'],
  boolean: ['boolean'],
  url: ['string'],
  array: ['array of the resource'],
  strings: ['array of string'],
  headers: ['object'],
  object: ['object'],
  'string or null': ['string or null'],
};

const FIELD_ROWS = new Set(
  Object.values(RECORDS).flatMap(({ section, fields }) =>
    Object.entries(fields).flatMap(([name, type]) =>
      (WRITTEN[type] ?? []).map((written) => `${section}: ${name} (${written})`),
    ),
  ),
);

const headingOf = (line: string): string | undefined =>
  /^#{2,3} (.*)$/.exec(line)?.[1]?.replace(/ \(.*\)$/, '');
const headingsOf = (lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => headingOf(line) ?? []));

/** Headings that only group others, or that a row under another name is about. */
const GROUPS = ['Resources and their fields', 'States and transitions', 'Endpoints'];
const TOLD_ELSEWHERE = [
  // `POST /auth/sync` claims it: a statement about the subscription status.
  'Pending subscription',
  // The one known state is told of the resources.
  'Processing status of standards and work products',
];
const SECTIONS = new Set<string>([
  ...GROUPS,
  ...TOLD_ELSEWHERE,
  ...Object.values(RECORDS).map(({ section }) => section),
  ...Object.values(ENUMS).map(({ section }) => section),
  ...ENDPOINTS.map(({ section }) => section),
  ...Object.values(STATEMENTS),
]);

/** Words in back-ticks; of a header its name, and of a body that is drawn as an object its keys. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/`([^`]+)`/g)].flatMap(([, word = '']) => {
      if (word.startsWith('{') && word.includes(':'))
        return word.replaceAll(/<\w+>/g, '').match(/\w+/g) ?? [];
      return /^[\w-]+: /.test(word) ? word.replace(/:.*/, '') : word;
    }),
  );

/** Every word that a row, or a test of a statement, speaks of. */
const VOCABULARY = new Set<string>([
  ...Object.values(RECORDS).flatMap(({ fields }) => Object.keys(fields)),
  ...Object.values(ENUMS).flatMap(({ values }) => values),
  ...ENDPOINTS.flatMap(({ endpoint, takes = [] }) => [
    endpoint,
    `/${endpoint.split('/')[1]}`,
    `/${endpoint.split('/')[1]}/*`,
    ...takes,
  ]),
  ...Object.values(NAMES).flat(),
  LISTED_GAP_TYPE,
]);
