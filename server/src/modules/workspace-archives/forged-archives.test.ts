import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import yazl from 'yazl';
import { productVersion } from '../../platform/product-version.js';
import { everyObject } from '../../testing/stored-objects.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { type UploadSession, until, uploadWorkProduct } from '../../testing/upload.js';
import type { WorkspaceImport } from './archives.schemas.js';

// Archives made by hand, each wrong in one way. Nothing of what is refused stays; what is taken harms nobody.

type Row = Record<string, unknown>;
/** An archive before it is packed. */
interface Draft {
  readonly manifest: Row;
  readonly tables: Record<string, Row[]>;
  readonly files: Map<string, Buffer>;
}

const first = (tables: Draft['tables'], table: string): Row => tables[table]?.[0] ?? {};
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const PLAN = Buffer.from(
  '# Safety plan\n\nThe plan names an author: Jo Example.\n\n## Safe state\n\nThe safe state is TBD.\n',
);
const RULES = Buffer.from(
  'standard: { designation: Forged rules, title: Forged rules, edition: "1" }\ncriteria:\n' +
    '  - id: HR-1\n    title: Giraffe plan\n    text: There shall be a giraffe plan that names an author.\n',
);
const AT = '2026-01-31T09:30:00.000Z';
const JO = '11111111-1111-4111-8111-111111111111';
const HASH = 'a'.repeat(64);

/** A whole and honest archive with a row in every table. */
function draft(): Draft {
  const [product, standard, list] = [randomUUID(), randomUUID(), randomUUID()] as const;
  const file = (bytes: Buffer, name: string, type: string) => ({
    file_name: name,
    file_size: bytes.length,
    file_type: type,
    sha256: sha256(bytes),
  });
  const own = { revision: 1, created_by: JO, created_at: AT, updated_at: AT };
  return {
    manifest: {
      format: 2,
      product: 'normtrace',
      version: productVersion(),
      created_at: AT,
      workspace: { id: randomUUID(), name: 'Forged', description: '' },
      people: [{ id: JO, email: 'jo@example.org', name: 'Jo Example', role: 'engineer' }],
      left_out: [],
    },
    tables: {
      standards: [
        {
          id: standard,
          catalog_id: null,
          name: 'Forged rules',
          version: '1',
          category: 'other',
          description: '',
          requires_attestation: false,
          file: { ...file(RULES, 'rules.yaml', 'application/yaml'), created_by: JO, created_at: AT },
          created_by: JO,
          created_at: AT,
        },
      ],
      work_products: [
        {
          id: product,
          name: 'Plan',
          original_filename: 'plan.md',
          category: null,
          tags: [],
          source: null,
          created_by: JO,
          created_at: AT,
          versions: [
            {
              ...file(PLAN, 'plan.md', 'text/markdown'),
              version: 1,
              uploaded_by: JO,
              uploaded_at: AT,
              unpacked: false,
            },
          ],
        },
      ],
      templates: [
        {
          id: randomUUID(),
          ...own,
          yaml: 'id: work_plan\nname: { en: Work plan, de: Arbeitsplan }\naliases: [Work plan]\nsections:\n  - { key: aims, heading: { en: Aims, de: Ziele }, need: required, severity: medium }\n',
        },
      ],
      checklists: [
        {
          id: list,
          ...own,
          yaml: 'checklist: { title: House review }\nitems:\n  - { id: A, text: Is the safe state of the door described? }\n',
          revisions: {},
          withdrawn: [{ id: 'B', text: 'Is the lamp described in the plan?', revision: 2 }],
        },
      ],
      artifacts: [{ artifact_id: 'TC-1', type: 'test', text: 'Try it.', created_by: JO }],
      trace_links: [
        { source_id: 'TC-1', target_id: 'SG-1', link_type: 'satisfies', created_by: JO, created_at: AT },
      ],
      artifact_types: [{ artifact_id: 'SG-1', type: 'safety_goal', said_by: JO, said_at: AT }],
      trace_link_reviews: [
        {
          source_id: 'TC-1',
          link_type: 'satisfies',
          target_id: 'SG-1',
          verdict: 'confirmed',
          source_hash: null,
          target_hash: HASH,
          bound: true,
          reviewed_by: JO,
          reviewed_at: AT,
        },
      ],
      runs: [{ type: 'completeness', template_id: null, work_product_ids: [product], options: {} }],
      gap_decisions: [
        {
          gap_id: randomUUID(),
          type: 'completeness',
          about: null,
          fingerprint: 'b'.repeat(32),
          status: 'in_progress',
          resolution: null,
          assignee: JO,
          due_date: '2026-03-31',
          reason: null,
          accepted_until: null,
          waiver_owner: null,
          accepted_by: null,
          accepted_at: null,
          severity_override: null,
          severity_reason: null,
          severity_by: null,
          severity_at: null,
          bases: {},
          comments: [{ author: JO, text: 'Jo looks at it.', created_at: AT, deleted_at: null }],
          proposals: [],
        },
      ],
      checklist_answers: [
        {
          id: randomUUID(),
          checklist_id: list,
          item_id: 'A',
          item_revision: 1,
          verdict: 'pass',
          reason: 'Read.',
          evidence: [{ work_product_id: product, quote: 'The safe state is TBD.', note: null }],
          basis: HASH,
          documents: [{ work_product_id: product, version: 1, sha256: sha256(PLAN) }],
          answered_by: JO,
          answered_at: AT,
        },
      ],
      checklist_releases: [
        {
          id: randomUUID(),
          checklist_id: list,
          content_hash: HASH,
          counts: { pass: 1, fail: 0, missing: 0, NA: 0, to_be_reviewed: 0 },
          comment: '',
          released_by: JO,
          released_at: AT,
        },
      ],
    },
    files: new Map([
      [`objects/${sha256(PLAN)}`, PLAN],
      [`objects/${sha256(RULES)}`, RULES],
      ['log/audit_events.jsonl', Buffer.from('{"action":"workspace.created"}\n')],
    ]),
  };
}

/** All files with the manifest that describes them. */
function written({ manifest, tables, files }: Draft): Map<string, Buffer> {
  const all = new Map(files);
  for (const [table, rows] of Object.entries(tables)) {
    all.set(`tables/${table}.jsonl`, Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')));
  }
  return sealed(all, manifest);
}

function sealed(files: Map<string, Buffer>, manifest: Row): Map<string, Buffer> {
  const listed = [...files].map(([path, bytes]) => ({ path, size: bytes.length, sha256: sha256(bytes) }));
  return new Map([...files, ['manifest.json', Buffer.from(JSON.stringify({ files: listed, ...manifest }))]]);
}

async function zip(files: ReadonlyMap<string, Buffer>, mode = 0o100644): Promise<Buffer> {
  const made = new yazl.ZipFile();
  for (const [path, bytes] of files) made.addBuffer(bytes, path, { mode });
  made.end();
  return buffer(made.outputStream as NodeJS.ReadableStream);
}

/** A ZIP file whose directory says what we want it to say. */
function rawZip(
  entries: readonly { name: string; packed: Buffer; size: number; claimed?: number }[],
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, packed, size, claimed = size } of entries) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(claimed, 22);
    local.writeUInt16LE(name.length, 26);
    parts.push(local, Buffer.from(name), packed);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(0x031e, 4);
    central.writeUInt16LE(20, 6);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(claimed, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE((0o100644 << 16) >>> 0, 38);
    central.writeUInt32LE(offset, 42);
    directory.push(central, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const size = directory.reduce((sum, one) => sum + one.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}
const deflated = (bytes: Buffer) => ({ packed: deflateRawSync(bytes), size: bytes.length });

type Case = readonly [name: string, make: () => Buffer | Promise<Buffer>, error: RegExp];
const forging = (change: (draft: Draft) => void) => () => {
  const one = draft();
  change(one);
  return zip(written(one));
};
/** One row of a table changed. */
const row = (table: string, change: (row: Row) => void) =>
  forging(({ tables }) => change(tables[table]?.[0] as Row));
const set = (table: string, column: string, value: unknown) => row(table, (one) => (one[column] = value));
const version = (column: string, value: unknown) =>
  row('work_products', (one) => ((one.versions as Row[])[0]![column] = value));
const manifest = (change: (manifest: Row) => void) => forging((one) => change(one.manifest));
const twice = (table: string) =>
  forging(({ tables }) => tables[table]?.push({ ...(tables[table]?.[0] as Row) }));
const line = (table: string, text: string) => () => {
  const one = draft();
  const { [table]: _, ...others } = one.tables;
  const files = new Map(one.files).set(`tables/${table}.jsonl`, Buffer.from(text));
  return zip(written({ ...one, tables: others, files }));
};
/** Half of what is taken and one more, in each of two tables. */
const tooMany = () => {
  const one = draft();
  const { artifacts: _a, trace_links: _l, ...others } = one.tables;
  const rows = Buffer.from(
    Array.from({ length: 500_001 }, (_, n) => `{"n":${(n * 2_654_435_761) % 2 ** 32}}\n`).join(''),
  );
  const files = new Map(one.files).set('tables/artifacts.jsonl', rows).set('tables/trace_links.jsonl', rows);
  return zip(written({ ...one, tables: others, files }));
};
const STRANGER = '99999999-9999-4999-8999-999999999999';
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const REFUSED: readonly Case[] = [
  // The file itself.
  ['no ZIP file', () => Buffer.from('not a zip file at all'), /damaged/],
  ['an archive cut short', async () => (await forging(() => {})()).subarray(0, -400), /damaged/],
  ['no manifest', async () => zip(new Map([['log/a.jsonl', Buffer.from('{}\n')]])), /damaged/],
  [
    'a name that leads out',
    async () => {
      const bytes = await zip(sealed(new Map([['log/aaaaaaaaaaaaaaaaa.jsonl', PLAN]]), draft().manifest));
      const name = '../../../../../../tmp/aaaaaa';
      return Buffer.from(bytes.toString('latin1').replaceAll('log/aaaaaaaaaaaaaaaaa.jsonl', name), 'latin1');
    },
    /damaged|name that no archive has/,
  ],
  [
    'an absolute name',
    () => rawZip([{ name: '/etc/passwd', ...deflated(PLAN) }]),
    /damaged|name that no archive has/,
  ],
  [
    'a name with a backslash',
    () => rawZip([{ name: 'log\\..\\x', ...deflated(PLAN) }]),
    /damaged|name that no/,
  ],
  [
    'an entry twice',
    () =>
      rawZip([
        { name: 'log/a.jsonl', ...deflated(PLAN) },
        { name: 'log/a.jsonl', ...deflated(RULES) },
      ]),
    /has log\/a.jsonl twice/,
  ],
  ['symbolic links', () => zip(written(draft()), 0o120777), /link or a device/],
  ['a device', () => zip(written(draft()), 0o020666), /link or a device/],
  [
    'a table that is a bomb',
    forging(({ tables, files }) => {
      delete tables.runs;
      files.set('tables/runs.jsonl', Buffer.alloc(40_000_000, ' '));
    }),
    /bomb/,
  ],
  [
    'many small bombs',
    forging(({ files }) => {
      for (let at = 0; at < 40; at++)
        files.set(
          `log/z${'abcdefghij'[at % 10]}${'abcd'[Math.floor(at / 10)]}.jsonl`,
          Buffer.alloc(1_000_000, ' '),
        );
    }),
    /bomb/,
  ],
  [
    'an entry that unpacks to more than it says',
    () => rawZip([{ name: 'manifest.json', ...deflated(Buffer.alloc(5_000_000, ' ')), claimed: 100 }]),
    /damaged/,
  ],
  [
    'too many entries',
    () =>
      rawZip(
        Array.from({ length: 50_001 }, (_, at) => ({
          name: `log/a${'x'.repeat(at % 9)}.jsonl`,
          packed: Buffer.alloc(0),
          size: 0,
        })),
      ),
    /more than 50000 files|twice/,
  ],
  [
    'a file that the manifest does not name',
    async () => {
      const files = written(draft());
      return zip(new Map(files).set('log/planted.jsonl', PLAN));
    },
    /do not agree/,
  ],
  [
    'a file with another content than the manifest says',
    async () => {
      const files = written(draft());
      const path = 'tables/runs.jsonl';
      const bytes = Buffer.from(String(files.get(path)).replace('completeness', 'completenesz'));
      return zip(new Map(files).set(path, bytes));
    },
    /the archive was changed|column/,
  ],

  // The manifest.
  ['a newer format', manifest((value) => (value.format = 3)), /made by version/],
  [
    'the format of before, with results of machines',
    manifest((value) => (value.format = 1)),
    /format 1.*export the workspace again/s,
  ],
  ['a newer version', manifest((value) => (value.version = '999.0.0')), /made by version 999/],
  ['another product', manifest((value) => (value.product = 'other')), /product/],
  ['an unknown key in the manifest', manifest((value) => (value.trusted = true)), /manifest/],
  [
    'a person twice',
    manifest((value) => (value.people = [...(value.people as Row[]), ...(value.people as Row[])])),
    /twice/,
  ],
  [
    'an address that is none',
    manifest((value) => ((value.people as Row[])[0]!.email = 'jo')),
    /people\.0\.email/,
  ],
  [
    'a role that is none',
    manifest((value) => ((value.people as Row[])[0]!.role = 'owner')),
    /people\.0\.role/,
  ],
  [
    'a thousand strangers as members',
    manifest((value) => {
      for (let at = 0; at < 1000; at++) {
        (value.people as Row[]).push({
          id: randomUUID(),
          email: `p${at}@example.org`,
          name: '',
          role: 'viewer',
        });
      }
    }),
    /more than 500 members/,
  ],
  [
    'a manifest that is nested without end',
    () => zip(new Map([['manifest.json', Buffer.from(deep(100_000))]])),
    /nested deeper/,
  ],
  ['a date that is none', manifest((value) => (value.created_at = 'yesterday')), /created_at/],

  // Tables, columns, JSON.
  [
    'an unknown table',
    forging(({ tables }) => (tables.profiles = [{ id: STRANGER }])),
    /takes no such table/,
  ],
  [
    'memberships',
    forging(({ tables }) => (tables.workspace_members = [{ user_id: STRANGER, role: 'admin' }])),
    /takes no such table/,
  ],
  [
    'forged audit events',
    forging(({ tables }) => (tables.audit_events = [{ action: 'gap.accepted', actor_id: JO }])),
    /takes no such table/,
  ],
  [
    'attestations',
    forging(({ tables }) => (tables.attestations = [{ action: 'attested' }])),
    /takes no such table/,
  ],
  [
    'parsed documents',
    forging(({ files }) => files.set('objects/parsed/a', PLAN)),
    /name that no archive has/,
  ],
  ['findings', forging(({ tables }) => (tables.gaps = [{ finding: {} }])), /takes no such table/],
  [
    'evidence',
    forging(({ tables }) => (tables.analysis_evidence = [{ quote: 'planted' }])),
    /takes no such table/,
  ],
  [
    'embeddings',
    forging(({ tables }) => (tables.embeddings = [{ key: '', vector: '' }])),
    /takes no such table/,
  ],
  ['reports', forging(({ tables }) => (tables.reports = [{ title: '<script>' }])), /takes no such table/],
  [
    'a status of reading',
    version('processing_status', 'completed'),
    /Line 1 of tables\/work_products.jsonl.*processing_status|versions/,
  ],
  ['a parsed document of its own', version('parsed_key', `${STRANGER}/work-products/x`), /versions\.0/],
  [
    'the storage key of another workspace',
    version('object_key', `${STRANGER}/work-products/x`),
    /versions\.0/,
  ],
  ['a workspace id', set('work_products', 'workspace_id', STRANGER), /workspace_id|whole/],
  ['a score', set('work_products', 'compliance_score', 100), /compliance_score|whole/],
  ['more rows than are taken, in two tables', tooMany, /more than 1000000 rows together/],
  ['no JSON', line('artifacts', '{"artifact_id": \n'), /Line 1 of tables\/artifacts.jsonl is not JSON/],
  ['a list for a row', line('artifacts', '[]\n'), /Line 1 of tables\/artifacts.jsonl/],
  ['null for a row', line('artifacts', 'null\n'), /Line 1 of tables\/artifacts.jsonl/],
  ['a nested row', line('artifacts', `{"artifact_id": ${deep(5000)}}\n`), /nested deeper/],
  ['a line without an end', line('artifacts', randomBytes(3_750_000).toString('base64')), /too long/],
  [
    'bytes that are no text',
    forging(({ tables, files }) => {
      delete tables.artifacts;
      files.set('tables/artifacts.jsonl', Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]));
    }),
    /damaged/,
  ],
  ['a last line without its end', line('artifacts', '{}'), /damaged/],
  ['a zero byte', set('artifacts', 'text', 'a\0b'), /zero byte/],
  ['half of a character', set('artifacts', 'text', '\ud800'), /zero byte or half/],
  ['a control character', set('work_products', 'name', 'a\u0007b'), /column name/],
  [
    'a key named like a prototype',
    line('artifacts', '{"__proto__": {"x": 1}, "artifact_id": "A", "type": "test", "created_by": "x"}\n'),
    /Line 1 of tables\/artifacts/,
  ],

  // Values.
  ['a number for a name', set('work_products', 'name', 7), /column name/],
  ['an id that is none', set('work_products', 'id', '1 or true'), /column id/],
  ['an enumeration that is none', set('trace_links', 'link_type', 'owns'), /column link_type/],
  ['a date that is no day', set('gap_decisions', 'due_date', '2026-02-31'), /column due_date/],
  [
    'a moment of the far future',
    set('work_products', 'created_at', '9999-12-31T00:00:00Z'),
    /column created_at/,
  ],
  ['infinity as a moment', set('work_products', 'created_at', 'infinity'), /column created_at/],
  ['a huge number', version('version', 1e308), /versions\.0\.version/],
  ['a negative size', version('file_size', -1), /versions\.0\.file_size/],
  [
    'versions out of order',
    row('work_products', (one) => (one.versions = [...(one.versions as Row[]), ...(one.versions as Row[])])),
    /versions/,
  ],
  ['a file name with a path', version('file_name', '../../etc/passwd'), /versions\.0\.file_name/],
  ['a program as a document', version('file_type', 'application/x-executable'), /versions\.0\.file_type/],
  ['a text that is too long', set('artifacts', 'text', 'x'.repeat(20_001)), /column text/],
  [
    'a tag too many',
    set(
      'work_products',
      'tags',
      Array.from({ length: 21 }, (_, at) => `t${at}`),
    ),
    /column tags/,
  ],
  ['an accepted gap that nobody accepted', set('gap_decisions', 'status', 'accepted'), /accepted gap has/],
  ['another severity without a reason', set('gap_decisions', 'severity_override', 'low'), /Another severity/],
  ['a hash that is none', set('trace_link_reviews', 'source_hash', '<script>'), /column source_hash/],
  ['options that no request has', row('runs', (one) => (one.options = { templates: [] })), /column options/],
  [
    'a template that is no template',
    set('templates', 'yaml', 'id: [1'),
    /Line 1 of tables\/templates.jsonl, column yaml/,
  ],
  [
    'a checklist that is a YAML bomb',
    set(
      'checklists',
      'yaml',
      `a: &a [x]\n${Array.from({ length: 20 }, (_, at) => `b${at}: [*a,*a,*a,*a]`).join('\n')}`,
    ),
    /tables\/checklists.jsonl, column yaml/,
  ],

  // What rows say of each other.
  ['a work product twice', twice('work_products'), /column id: another row/],
  ['a standard twice', twice('standards'), /column id: another row/],
  ['an artifact twice', twice('artifacts'), /column artifact_id: another row/],
  ['a link twice', twice('trace_links'), /another row has the same/],
  ['a run twice', twice('runs'), /another row has the same/],
  ['a decision twice', twice('gap_decisions'), /another row has the same/],
  ['an answer twice', twice('checklist_answers'), /another row has the same/],
  ['a link to itself', set('trace_links', 'target_id', 'TC-1'), /goes to another artifact/],
  ['somebody whom the manifest does not name', set('work_products', 'created_by', STRANGER), /does not name/],
  [
    'a decision signed by somebody else',
    forging(({ tables }) => {
      Object.assign(first(tables, 'gap_decisions'), {
        status: 'accepted',
        reason: 'Fine.',
        accepted_by: [STRANGER],
        accepted_at: AT,
        waiver_owner: JO,
      });
    }),
    /does not name/,
  ],
  [
    'a document that comes out of itself',
    row('work_products', (one) => (one.source = { work_product_id: one.id, path: 'a', version: 1 })),
    /circle/,
  ],
  [
    'a document out of an archive that is not there',
    set('work_products', 'source', { work_product_id: STRANGER, path: 'a', version: 1 }),
    /no such work product/,
  ],
  [
    'a run of a standard elsewhere',
    forging(({ tables }) => {
      tables.runs = [{ type: 'gap_analysis', standard_id: STRANGER, work_product_ids: null, options: {} }];
    }),
    /no such standard/,
  ],
  ['a run over documents elsewhere', set('runs', 'work_product_ids', [STRANGER]), /no such work product/],
  [
    'a decision about a standard elsewhere',
    forging(({ tables }) => {
      Object.assign(first(tables, 'gap_decisions'), { type: 'gap_analysis', about: STRANGER });
    }),
    /no such standard/,
  ],
  [
    'answers to a checklist elsewhere',
    set('checklist_answers', 'checklist_id', STRANGER),
    /no such checklist/,
  ],
  [
    'a standard that the catalog does not have',
    row('standards', (one) => Object.assign(one, { catalog_id: 'iso-99999', file: null })),
    /catalog of this version/,
  ],

  // Files.
  [
    'a file that is not there',
    forging(({ files }) => files.delete(`objects/${sha256(PLAN)}`)),
    /no file with this content/,
  ],
  [
    'a file that no row names',
    forging(({ files }) => files.set(`objects/${sha256(AT_LARGE)}`, AT_LARGE)),
    /No row of the archive names/,
  ],
  [
    'a file with the name of another',
    forging(({ files }) => files.set(`objects/${sha256(PLAN)}`, Buffer.from('forged'))),
    /not named after its SHA-256/,
  ],
  ['another size than the file has', version('file_size', 5), /column file_size/],
  [
    'a program with the name of a document',
    forging(({ tables, files }) => {
      const program = Buffer.concat([Buffer.from('7f454c46', 'hex'), Buffer.alloc(100)]);
      files.delete(`objects/${sha256(PLAN)}`);
      files.set(`objects/${sha256(program)}`, program);
      Object.assign((first(tables, 'work_products').versions as Row[])[0] as Row, {
        sha256: sha256(program),
        file_size: program.length,
      });
    }),
    /program/,
  ],
  ['a document that pretends to be taken apart', version('unpacked', true), /no ZIP file/],
];
const AT_LARGE = Buffer.from('at large');

/** What is taken although somebody means harm: it is data like any other. */
const HARMLESS: readonly (readonly [string, (draft: Draft) => void])[] = [
  ['nothing wrong', () => {}],
  [
    'script in every text',
    ({ tables, manifest }) => {
      const script = '<script>alert(1)</script>"\'; drop table gaps; --';
      Object.assign(manifest.workspace as Row, { name: script, description: script });
      (manifest.people as Row[])[0]!.name = script;
      Object.assign(first(tables, 'work_products'), { name: script, tags: [script.slice(0, 40)] });
      Object.assign(first(tables, 'artifacts'), { name: script, text: script, status: script });
      Object.assign(first(tables, 'standards'), { name: script, description: script });
      (first(tables, 'gap_decisions').comments as Row[])[0]!.text = script;
    },
  ],
  [
    'quotes that stand nowhere',
    ({ tables }) => {
      const answer = first(tables, 'checklist_answers');
      (answer.evidence as Row[])[0]!.quote = 'The safe state is reached within 10 ms.';
      tables.runs?.push({
        type: 'checklist',
        checklist_id: answer.checklist_id,
        work_product_ids: null,
        options: {},
      });
    },
  ],
  [
    'a waiver by people elsewhere, of a gap that nothing finds',
    ({ tables }) => {
      Object.assign(first(tables, 'gap_decisions'), {
        status: 'accepted',
        reason: 'Fine.',
        accepted_by: [JO],
        accepted_at: AT,
        waiver_owner: JO,
      });
    },
  ],
  [
    'a document that cannot be read',
    ({ tables, files }) => {
      const broken = Buffer.from('%PDF-1.7 broken');
      files.delete(`objects/${sha256(PLAN)}`);
      files.set(`objects/${sha256(broken)}`, broken);
      Object.assign((first(tables, 'work_products').versions as Row[])[0] as Row, {
        sha256: sha256(broken),
        file_size: broken.length,
        file_type: 'application/pdf',
        file_name: 'plan.pdf',
      });
    },
  ],
  [
    'no rows at all',
    (one) => {
      for (const table of Object.keys(one.tables)) delete one.tables[table];
      one.files.clear();
    },
  ],
  [
    'a log that nobody reads',
    ({ files }) => {
      files.set('log/gaps.jsonl', Buffer.from(`${'x'.repeat(100_000)}\n${deep(10_000)}`));
    },
  ],
];

describe('a forged archive', { timeout: 120_000 }, () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let victim: Client;
  let secret: { workspace: string; product: string };
  let before: readonly string[];
  beforeAll(async () => {
    data = await createTestDatabase();
    const environment = { EMBEDDINGS: 'off', MAX_IMPORT_BYTES: '30000000' };
    app = await startTestApp(data, { work: true, environment });
    [owner, victim] = [await app.enter(), await app.enter()];
    const made = await victim.request('POST', '/api/v1/workspaces', { body: { name: 'Secret' } });
    const { id: workspace } = made.body as { id: string };
    const { body } = await uploadWorkProduct(victim, workspace, {
      name: 'secret.md',
      type: 'text/markdown',
      bytes: '# Secret\n\nThe wombat stands in the cellar.\n',
    });
    const product = (body as { id: string }).id;
    await until(
      victim,
      `/api/v1/work-products/${product}`,
      (one: Row) => one.processing_status === 'completed',
    );
    secret = { workspace, product };
    before = await stored();
  }, 120_000);
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  }, 180_000);

  const stored = (): Promise<string[]> => everyObject(app.dependencies.storage);
  const imported = async (bytes: Buffer): Promise<WorkspaceImport> => {
    const announced = await owner.request('POST', '/api/v1/workspace-imports', {
      body: { size: bytes.length },
    });
    expect([announced.status, announced.text]).toEqual([201, announced.text]);
    const { upload_url, headers, import_id } = announced.body as UploadSession & { import_id: string };
    await fetch(upload_url, { method: 'PUT', headers, body: new Uint8Array(bytes) });
    const path = `/api/v1/workspace-imports/${import_id}`;
    expect((await owner.request('POST', `${path}/complete`)).status).toBe(202);
    return until<WorkspaceImport>(
      owner,
      path,
      ({ status }) => ['completed', 'failed'].includes(status),
      60_000,
    );
  };
  const lists = (workspace: string) => [
    `/workspaces/${workspace}`,
    `/workspaces/${workspace}/members`,
    `/workspaces/${workspace}/invitations`,
    `/work-products?workspace_id=${workspace}`,
    `/standards?workspace_id=${workspace}`,
    `/analysis/analyses?workspace_id=${workspace}`,
    `/analysis/gaps?workspace_id=${workspace}`,
    `/analysis/overview?workspace_id=${workspace}`,
    `/compliance/templates?workspace_id=${workspace}`,
    `/compliance/checklists?workspace_id=${workspace}`,
    `/traceability/artifacts?workspace_id=${workspace}`,
    `/traceability/links?workspace_id=${workspace}`,
    `/traceability/extraction?workspace_id=${workspace}`,
    `/reports?workspace_id=${workspace}`,
    `/audit-log?workspace_id=${workspace}`,
    '/workspaces',
    '/work-products',
    '/standards',
    '/analysis/gaps',
  ];

  test('suite has at least forty kinds', () => {
    expect(REFUSED.length + HARMLESS.length).toBeGreaterThan(40);
  });

  test.each(REFUSED)('is refused: %s', async (_, make, error) => {
    const result = await imported(await make());
    const there = await data.asOwner<{ id: string }>('select id from workspaces where id <> $1', [
      secret.workspace,
    ]);
    for (const { id } of there) await owner.request('DELETE', `/api/v1/workspaces/${id}`);
    expect(there).toEqual([]);
    expect(result).toMatchObject({ status: 'failed', workspace_id: null, invited: [] });
    expect(result.error).toMatch(error);
    // Never a value of the archive beyond a name, and nothing stays.
    expect(result.error?.length).toBeLessThan(1000);
    for (const table of ['imported_work', 'imported_people', 'artifacts', 'workspace_invitations']) {
      expect([
        table,
        await data.asOwner(`select workspace_id from ${table} where workspace_id <> $1`, [secret.workspace]),
      ]).toEqual([table, []]);
    }
    await expect.poll(stored, { timeout: 10_000 }).toEqual(before);
  });

  test.each(HARMLESS)('is harmless: %s', async (_, change) => {
    const one = draft();
    change(one);
    const result = await imported(await zip(written(one)));
    expect(result).toMatchObject({ status: 'completed', error: null });
    const workspace = result.workspace_id ?? '';
    const [row] = await data.asOwner<{ id: string }>(
      'select id from workspace_imports where target_id = $1',
      [workspace],
    );
    const settled = (): Promise<WorkspaceImport> =>
      until(
        owner,
        `/api/v1/workspace-imports/${row?.id}`,
        ({ remaining }: WorkspaceImport) => remaining.analyses === 0,
        60_000,
      );
    await settled();
    for (const path of lists(workspace)) {
      const answer = await owner.request('GET', `/api/v1${path}`);
      expect([path, answer.status, answer.text.includes('wombat')]).toEqual([path, 200, false]);
    }
    const members = await owner.request('GET', `/api/v1/workspaces/${workspace}/members`);
    expect(members.body).toMatchObject({ total: 1, items: [{ user_id: owner.userId }] });
    // Every quote that is shown stands in the file that is here.
    const quotes = await data.asOwner<{ quote: string }>(
      `select quote from analysis_evidence where workspace_id = $1
       union all select e ->> 'quote' from checklist_answers, jsonb_array_elements(evidence) as e where workspace_id = $1`,
      [workspace],
    );
    for (const { quote } of quotes) expect(PLAN.toString()).toContain(quote);
    const removed = await owner.request('DELETE', `/api/v1/workspaces/${workspace}`);
    expect(removed.status).toBe(204);
    await expect.poll(stored, { timeout: 20_000 }).toEqual(before);
  });

  test('tells nothing of accounts, and makes nobody a member who has one', async () => {
    await data.asOwner('update auth.users set email_verified = true where id = $1', [victim.userId]);
    const one = draft();
    const [jo] = one.manifest.people as Row[];
    one.manifest.people = [
      jo,
      { id: randomUUID(), email: victim.email, name: 'Victim', role: 'admin' },
      { id: victim.userId, email: 'nobody@example.org', name: 'Nobody', role: 'admin' },
    ];
    const result = await imported(await zip(written(one)));
    expect([...result.invited].sort()).toEqual(['jo@example.org', 'nobody@example.org', victim.email].sort());
    const seen = await victim.request('GET', '/api/v1/workspaces');
    expect(seen.body).toMatchObject({ total: 1 });
    const named = await data.asOwner(
      'select id from work_products where workspace_id = $1 and created_by = any ($2)',
      [result.workspace_id, [victim.userId, owner.userId]],
    );
    expect(named).toEqual([]);
    expect((await owner.request('DELETE', `/api/v1/workspaces/${result.workspace_id}`)).status).toBe(204);
  });

  test('could bring a row that fits no schema: then the list has the others', async () => {
    const [broken] = await data.asOwner<{ id: string }>(
      `insert into work_products (workspace_id, name, original_filename, file_size, file_type, processing_status, created_by)
       select $1, 'Broken', 'broken.md', 9000000000000000000, 'text/markdown', 'pending_upload', $2
       from generate_series(1, 2) returning id`,
      [secret.workspace, victim.userId],
    );
    const list = await victim.request('GET', `/api/v1/work-products?workspace_id=${secret.workspace}`);
    expect(list).toMatchObject({ status: 200, body: { total: 3, items: [{ id: secret.product }] } });
    const one = await victim.request('GET', `/api/v1/work-products/${broken?.id}`);
    expect(one).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL_ERROR' } } });
    await data.asOwner("delete from work_products where workspace_id = $1 and name = 'Broken'", [
      secret.workspace,
    ]);
  });

  test('cannot take the place of what somebody has here', async () => {
    const one = draft();
    const id = secret.product;
    Object.assign(first(one.tables, 'work_products'), { id });
    one.tables.runs = [];
    one.tables.checklist_answers = [];
    expect((await imported(await zip(written(one)))).error).toMatch(/in this installation already/);
    expect((await victim.request('GET', `/api/v1/work-products/${id}/content`)).text).toContain('wombat');
  });
});
