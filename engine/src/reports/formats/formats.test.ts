import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvDraft04 from 'ajv-draft-04';
import { parse as parseCsv } from 'csv-parse/sync';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import yauzl from 'yauzl';
import { readDocument } from '../../documents/read-document.js';
import { COLOURS } from '../pictures/colours.js';
import { REPORT_FILES, REPORT_FORMATS, type ReportFormat, renderReport } from '../render-report.js';
import type { Report } from '../report.js';
import { sampleFinding, samplePart, sampleReport, tracePart } from '../testing/sample-report.js';
import { csvCell } from './csv.js';

const require = createRequire(import.meta.url);
const rendered = (report: Report, format: ReportFormat): Promise<Buffer> =>
  buffer(Readable.from(renderReport(report, format)));
const textOf = async (report: Report, format: ReportFormat): Promise<string> =>
  (await rendered(report, format)).toString();

const empty = sampleReport(0, { documents: [] });
const hard = sampleReport(12, { parts: [samplePart(12), tracePart()] });
const german = sampleReport(12, { language: 'de', copyFor: { name: 'Jo', at: '2026-02-01T08:00:00Z' } });
const reports = { empty, hard, german };

describe.each(Object.keys(reports) as (keyof typeof reports)[])('the %s report', (name) => {
  const report = reports[name];

  test.each(REPORT_FORMATS)('is written twice alike as %s', async (format) => {
    const [first, second] = [await rendered(report, format), await rendered(structuredClone(report), format)];
    expect(first.length).toBeGreaterThan(100);
    expect(first.equals(second)).toBe(true);
  });

  test('passes the schema of SARIF 2.1.0', async () => {
    const folder = require.resolve('@microsoft/jest-sarif/package.json').replace('package.json', '');
    const schema = JSON.parse(readFileSync(`${folder}lib/schemas/sarif-2.1.0-rtm.5.json`, 'utf8')) as object;
    const ajv = new ajvDraft04.default({ strict: false, validateFormats: false, unicodeRegExp: false });
    const log = JSON.parse(await textOf(report, 'sarif')) as object;
    expect([ajv.validate(schema, log), ajv.errors]).toEqual([true, null]);
    // The same check refuses what is wrong.
    expect(ajv.validate(schema, { ...log, version: '2.0.0' })).toBe(false);
  });

  test('passes the published JSON schema', async () => {
    const schema = JSON.parse(
      readFileSync(new URL('../../../../docs/report.schema.json', import.meta.url), 'utf8'),
    ) as object;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const json = JSON.parse(await textOf(report, 'json')) as object;
    expect([ajv.validate(schema, json), ajv.errors]).toEqual([true, null]);
    expect(json).toEqual(JSON.parse(JSON.stringify(report)));
    expect(ajv.validate(schema, { ...json, extra: 1 })).toBe(false);
  });
});

const entryOf = async (archive: Buffer, name: string): Promise<Buffer> => {
  const zip = await promisify<Buffer, yauzl.Options, yauzl.ZipFile>(yauzl.fromBuffer)(archive, {
    lazyEntries: true,
  });
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => reject(new Error(`There is no ${name}.`)));
    zip.on('entry', (entry: yauzl.Entry) => {
      if (entry.fileName !== name) return zip.readEntry();
      return zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(buffer(stream))));
    });
    zip.readEntry();
  });
};

/** Letters and digits only: readers keep breaks and spaces each in their way. */
const letters = (text: string): string => text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '');

test.each(['html', 'pdf', 'docx', 'xlsx', 'csv'] as const)(
  'our own reader finds every finding with its quote in %s',
  async (format) => {
    const report = sampleReport(10);
    const bytes = await rendered(report, format);
    const document = await readDocument(bytes, { fileName: `report.${REPORT_FILES[format].extension}` });
    const text = letters(document.text);
    for (const { title, recommendation, fingerprint, evidence } of report.parts[0]!.findings) {
      const wanted = [recommendation, fingerprint, title, ...evidence.map(({ quote }) => quote)];
      for (const one of wanted) {
        // Right-to-left text stands in drawing order in a PDF; what its fonts lack is a box.
        const hasOnlyPlain = format !== 'pdf' || !/[\u0590-\u08ff日😀]/u.test(one);
        if (hasOnlyPlain) expect([one, text.includes(letters(one))]).toEqual([one, true]);
      }
    }
    const sentence = letters('not a confirmation measure, audit, assessment or certification');
    expect(text.includes(sentence)).toBe(true);
  },
);

test('links of the contents of a Word document lead somewhere, however long the ids are', async () => {
  const id = '3a1f8c55-7d1e-4d5b-8a77-9c6f5b1f8e11';
  const report = sampleReport(6, { parts: [samplePart(6, { id })] });
  const xml = (await entryOf(await rendered(report, 'docx'), 'word/document.xml')).toString();
  const names = [...xml.matchAll(/w:bookmarkStart w:id="\d+" w:name="([^"]+)"/g)].map(([, name]) => name!);
  const ids = [...xml.matchAll(/w:bookmarkStart w:id="(\d+)"/g)].map(([, number]) => number);
  expect([new Set(names).size, new Set(ids).size]).toEqual([names.length, names.length]);
  for (const name of names) expect(name).toMatch(/^[A-Za-z_]\w{0,39}$/);
  const targets = [...xml.matchAll(/w:anchor="([^"]+)"/g)].map(([, name]) => name!);
  expect(targets.length).toBeGreaterThan(5);
  expect(targets.filter((name) => !names.includes(name))).toEqual([]);
});

test.each(['docx', 'xlsx'] as const)('nothing in %s tells when it was written', async (format) => {
  // The time of the first entry of the archive: the first moment that archives know.
  const bytes = await rendered(sampleReport(1), format);
  expect([bytes.readUInt16LE(10), bytes.readUInt16LE(12)]).toEqual([0, 0x21]);
});

test('a PDF has page numbers, bookmarks, structure and a language', async () => {
  const pdf = (await rendered(sampleReport(3), 'pdf')).toString('latin1');
  for (const sign of ['/Outlines', '/StructTreeRoot', '/Lang (en)', '/MarkInfo', '/Later-pages']) {
    expect(pdf).toContain(sign);
  }
});

type Node = DefaultTreeAdapterTypes.Element;
const elements = (node: DefaultTreeAdapterTypes.Node): Node[] =>
  'childNodes' in node
    ? node.childNodes.flatMap((child) => [...('tagName' in child ? [child] : []), ...elements(child)])
    : [];
const attribute = (node: Node, name: string): string | undefined =>
  node.attrs.find((one) => one.name === name)?.value;

describe('HTML', () => {
  test.each([empty, hard, german])(
    'asks nobody for anything and can be read by everybody',
    async (report) => {
      const html = await textOf(report, 'html');
      const all = elements(parse(html));
      const names = new Set(all.map(({ tagName }) => tagName));
      for (const name of ['script', 'link', 'img', 'iframe', 'object', 'base', 'form', 'input']) {
        expect(names.has(name)).toBe(false);
      }
      for (const node of all) {
        for (const { name, value } of node.attrs) {
          expect(name.startsWith('on')).toBe(false);
          if (['href', 'src', 'action', 'xlink:href'].includes(name)) expect(value).toMatch(/^#[\w-]+$/);
        }
      }
      expect(html).not.toMatch(/url\(|@import/i);
      expect(attribute(all.find(({ tagName }) => tagName === 'html')!, 'lang')).toBe(report.language);
      const ids = all.flatMap((node) => attribute(node, 'id') ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      const targets = all.flatMap((node) => attribute(node, 'href')?.slice(1) ?? []);
      expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
      let level = 0;
      for (const { tagName } of all) {
        const heading = /^h([1-6])$/.exec(tagName);
        if (!heading) continue;
        expect(Number(heading[1])).toBeLessThanOrEqual(level + 1);
        level = Number(heading[1]);
      }
      expect(all.filter(({ tagName }) => tagName === 'h1')).toHaveLength(1);
      for (const node of all.filter(({ tagName }) => tagName === 'th')) {
        expect(['row', 'col']).toContain(attribute(node, 'scope'));
      }
      for (const svg of all.filter(({ tagName }) => tagName === 'svg')) {
        expect(attribute(svg, 'role')).toBe('img');
        const described = attribute(svg, 'aria-labelledby')!.split(' ');
        expect(described.every((id) => ids.includes(id))).toBe(true);
      }
    },
  );
});

test('labels can be read on their ground', () => {
  const luminance = (colour: string): number => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  for (const { text, paper } of Object.values(COLOURS)) {
    const [dark, light] = [luminance(text), luminance(paper)];
    expect((light + 0.05) / (dark + 0.05)).toBeGreaterThan(4.5);
  }
});

describe('CSV', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['  =cmd', `'  =cmd`],
    ['\t=1', `"'\t=1"`],
    ['\r=1', `"'\r=1"`],
    ['＝1+1', "'＝1+1"],
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['two\nlines', '"two\nlines"'],
    ['plain – Ω', 'plain – Ω'],
    [true, 'true'],
    [-3, '-3'],
  ] as const)('writes %j as %j', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  test('has a mark for spreadsheets, one line for each finding, result and row of the matrix', async () => {
    const text = await textOf(hard, 'csv');
    expect(text.startsWith('\ufeffrecord,')).toBe(true);
    const rows = parseCsv(text.slice(1), { record_delimiter: '\r\n' }) as string[][];
    expect(rows.slice(1).map(([record]) => record)).toEqual([
      'report',
      ...Array<string>(14).fill('finding'),
      ...Array<string>(10).fill('result'),
      'matrix',
    ]);
    expect(new Set(rows.map(({ length }) => length)).size).toBe(1);
    expect(rows.flat().filter((cell) => /^[=+\-@]/.test(cell))).toEqual([]);
  });
});

test('JUnit fails for what is severe, and skips what was accepted or waits for a person', async () => {
  const findings = [
    sampleFinding(0, { severity: 'critical' }),
    sampleFinding(3, { severity: 'low' }),
    sampleFinding(6, { severity: 'critical', status: 'accepted', waiver: { reason: 'Known <risk>' } }),
    sampleFinding(9, { severity: 'critical', unconfirmed: true }),
  ];
  const report = sampleReport(0, {
    parts: [samplePart(0, { findings, groups: [{ key: 'G-0', title: 'Lamp' }] })],
  });
  const xml = await textOf(report, 'junit');
  expect(xml).toContain('tests="4" failures="1" errors="0" skipped="2"');
  expect(xml.match(/<failure /g)).toHaveLength(1);
  expect(xml).toContain('<skipped message="Known &lt;risk&gt;"/>');
  const read = await readDocument(Buffer.from(xml), { fileName: 'report.xml' });
  expect(read.format).toBe('junit');
});
