import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artifact, TraceLink } from '@normtrace/engine';
import type { GeneratedTrace } from './generate-trace.js';

/** One exported file: what it is called, which ids it defines and how. */
interface Export {
  readonly name: string;
  readonly title: string;
  readonly prefix: string;
  readonly style: 'table' | 'sections';
  readonly german?: true;
}

/** As real exports are mixed: tables for what is short, a section with attributes for each requirement. */
const EXPORTS: readonly Export[] = [
  { name: 'hara', title: 'Hazard analysis', prefix: 'HE', style: 'table' },
  { name: 'safety-goals', title: 'Safety goals', prefix: 'SG', style: 'table' },
  { name: 'functional-safety-concept', title: 'Functional requirements', prefix: 'FSR', style: 'sections' },
  {
    name: 'technisches-sicherheitskonzept',
    title: 'Technische Sicherheitsanforderungen',
    prefix: 'TSR',
    style: 'sections',
    german: true,
  },
  { name: 'software-requirements', title: 'Software requirements', prefix: 'SWR', style: 'sections' },
  { name: 'hardware-requirements', title: 'Hardware requirements', prefix: 'HWR', style: 'table' },
  { name: 'architecture', title: 'Architecture', prefix: 'ARC', style: 'sections' },
  { name: 'units', title: 'Units', prefix: 'UNIT', style: 'table' },
  { name: 'test-specification', title: 'Test specification', prefix: 'TC', style: 'sections' },
  { name: 'unit-tests', title: 'Unit tests', prefix: 'UT', style: 'table' },
  { name: 'test-report', title: 'Test report', prefix: 'EV', style: 'table' },
];
const TITLES: Readonly<Record<TraceLink['type'], readonly [string, string]>> = {
  derives_from: ['Derived from', 'Abgeleitet aus'],
  satisfies: ['Satisfies', 'Erfüllt'],
  allocated_to: ['Allocated to', 'Zugeordnet zu'],
  decomposes_to: ['Decomposed into', 'Zerlegt in'],
  implemented_by: ['Implemented by', 'Umgesetzt durch'],
  verified_by: ['Verified by', 'Verifiziert durch'],
  evidenced_by: ['Evidenced by', 'Nachgewiesen durch'],
};

/**
 * Writes a trace as Markdown files into a folder; gives back their paths and their bytes together.
 * @param perFile Artifacts in one file; without it all of one kind are.
 */
export async function writeTrace(
  { artifacts, links }: GeneratedTrace,
  folder: string,
  perFile: number = Number.POSITIVE_INFINITY,
): Promise<{
  readonly paths: readonly string[];
  /** The artifacts of each path. */
  readonly parts: readonly (readonly Artifact[])[];
  readonly bytes: number;
  readonly lines: number;
}> {
  await mkdir(folder, { recursive: true });
  const linksOf = new Map<string, TraceLink[]>();
  for (const link of links) {
    const known = linksOf.get(link.sourceId);
    if (known) known.push(link);
    else linksOf.set(link.sourceId, [link]);
  }
  const paths: string[] = [];
  const parts: (readonly Artifact[])[] = [];
  let bytes = 0;
  let lines = 0;
  for (const one of EXPORTS) {
    const own = artifacts.filter(({ id }) => id.startsWith(`${one.prefix}-`));
    const columns = new Set(own.flatMap(({ id }) => (linksOf.get(id) ?? []).map(({ type }) => type)));
    for (let first = 0; first < own.length; first += perFile) {
      const part = own.slice(first, first + perFile);
      const text =
        one.style === 'table'
          ? tableOf(one, part, { linksOf, columns: [...columns] })
          : part.map((artifact, at) => sectionOf(one, artifact, { at: first + at, linksOf })).join('');
      const content = Buffer.from(`# ${one.title}\n\n${text}`);
      const path = join(
        folder,
        perFile < own.length ? `${one.name}-${first / perFile + 1}.md` : `${one.name}.md`,
      );
      await writeFile(path, content);
      paths.push(path);
      parts.push(part);
      bytes += content.length;
      for (const byte of content) if (byte === 10) lines++;
    }
  }
  return { paths, parts, bytes, lines };
}

type LinksOf = ReadonlyMap<string, readonly TraceLink[]>;

function tableOf(
  { german }: Export,
  own: readonly Artifact[],
  { linksOf, columns }: { readonly linksOf: LinksOf; readonly columns: readonly TraceLink['type'][] },
): string {
  const rated = own.some(({ ratings }) => ratings);
  const proved = own.some(({ result }) => result);
  const titles = [
    'ID',
    rated ? 'Hazardous event' : 'Description',
    ...(rated ? ['S', 'E', 'C'] : []),
    ...(own.some(({ asil }) => asil) ? ['ASIL'] : []),
    ...(proved ? ['Result'] : []),
    ...columns.map((type) => TITLES[type][german ? 1 : 0]),
  ];
  const rows = own.map(({ id, asil, ratings, result }, at) => {
    const targets = columns.map((type) => listOf(linksOf, id, type));
    const classes = ratings
      ? [`S${ratings.severity}`, `E${ratings.exposure}`, `C${ratings.controllability}`]
      : [];
    const level = asil === undefined ? [] : [asil];
    return `| ${[id, sentence(at, german), ...classes, ...level, ...(result ? [result] : []), ...targets].join(' | ')} |\n`;
  });
  return `| ${titles.join(' | ')} |\n|${'---|'.repeat(titles.length)}\n${rows.join('')}\n`;
}

function sectionOf(
  { german }: Export,
  { id, asil }: Artifact,
  { at, linksOf }: { readonly at: number; readonly linksOf: LinksOf },
): string {
  const lines = [
    `## ${id}: ${german ? `Begrenzung von Ausgang ${at % 977} im Betrieb` : `Limit of output ${at % 977} in operation`}`,
    '',
  ];
  lines.push(sentence(at, german), '');
  if (asil !== undefined) lines.push(`- ASIL: ${asil}`, `- Status: ${german ? 'freigegeben' : 'released'}`);
  for (const type of new Set((linksOf.get(id) ?? []).map((link) => link.type))) {
    lines.push(`- ${TITLES[type][german ? 1 : 0]}: ${listOf(linksOf, id, type)}`);
  }
  return `${lines.join('\n')}\n\n`;
}

function listOf(linksOf: LinksOf, id: string, type: TraceLink['type']): string {
  return (linksOf.get(id) ?? []).flatMap((link) => (link.type === type ? [link.targetId] : [])).join(', ');
}

/** Some 240 characters that repeat as rarely as those of people. */
function sentence(at: number, german: boolean | undefined): string {
  const limit = (at * 7) % 9973;
  const time = at % 89;
  return german
    ? `Das System muss den Ausgang im Betriebszustand ${at % 13} innerhalb der Grenze ${limit} halten, eine Verletzung binnen ${time} ms melden und den sicheren Zustand einnehmen, wenn die Abweichung länger als ${time + 20} ms besteht; die Meldung enthält Zeitpunkt, Ursache und den zuletzt gültigen Wert.`
    : `The system shall hold its output within limit ${limit} in operating state ${at % 13}, report a violation within ${time} ms and take the safe state when the deviation lasts longer than ${time + 20} ms; the report holds the time, the cause and the last valid value of the output with its quality.`;
}
