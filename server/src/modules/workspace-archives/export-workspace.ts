import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ReportFormat } from '@normtrace/engine';
import yazl from 'yazl';
import { z } from 'zod';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { productVersion } from '../../platform/product-version.js';
import type { JobHandler } from '../../platform/queue/queue.js';
import { STAGED_FILE, withStaging } from '../../platform/staging/staging.js';
import type { Objects } from '../../platform/storage/storage.js';
import { isReadable } from '../standards/words.repository.js';
import { deleteObjects } from '../uploads/uploads.jobs.js';
import { ROWS, type RowOf, type TableName, withPersons } from './archive-rows.schemas.js';
import type { ExportWorkspace } from './archives.jobs.js';
import { tellExport } from './archives.repository.js';
import { selectLog } from './log-rows.js';
import { loggedTables } from './logged-tables.js';
import { ARCHIVE_FORMAT, type ArchiveManifest, MANIFEST } from './manifest.js';
import { selectRows } from './select-rows.js';

type Tools = Pick<Dependencies, 'configuration' | 'database' | 'storage' | 'queue' | 'clock'>;
type Row = Readonly<Record<string, unknown>>;

/** An archive can be downloaded for so long. */
const LIFE_SECONDS = 7 * 24 * 3600;
/** Rows that travel together. */
const AT_ONCE = 500;
const OUR_FAULT =
  'The archive could not be made because of an error on our side. Try again; if it fails again, tell the operator.';

/** Packs a workspace as its exporter may read it, in a folder of its own, and stores the archive. */
export const exportWorkspace =
  (tools: Tools): JobHandler<ExportWorkspace> =>
  async ({ workspaceId, exportId }, { signal }) => {
    const { database, storage, queue, clock } = tools;
    const within = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
      database.withWorkspace(workspaceId, work);
    const about = { workspaceId, exportId };
    const taken = await within(async (transaction) => {
      const row = await transaction.maybeOne<{ attempt: number; created_by: string }>(sql`
        update workspace_exports set status = 'running', attempt = attempt + 1
        where workspace_id = ${workspaceId} and id = ${exportId} and status in ('queued', 'running')
        returning attempt, created_by`);
      if (row) await tellExport(transaction, about, 'running');
      return row;
    });
    if (!taken) return;
    await withStaging(tools.configuration, async (folder) => {
      const staged = await within((transaction) =>
        stageRows(transaction, { workspaceId, userId: taken.created_by, folder }),
      );
      const progress = (percent: number): Promise<number> =>
        within((transaction) =>
          transaction.run(sql`
            update workspace_exports set percent = ${percent}
            where workspace_id = ${workspaceId} and id = ${exportId} and attempt = ${taken.attempt} and percent < ${percent}`),
        );
      const objects = storage.within(workspaceId);
      const wanted = [
        ...[...staged.objects].map(([sha256, key]) => ({ key, path: `objects/${sha256}`, sha256 })),
        ...[...staged.reports].map(([path, key]) => ({ key, path, sha256: '' })),
      ];
      const paths = [...staged.files];
      const lost = new Set<string>();
      for (const [done, { key, path, sha256 }] of wanted.entries()) {
        signal.throwIfAborted();
        if (done % 50 === 0) await progress(Math.floor(20 + (60 * done) / wanted.length));
        if (await stageObject(objects, { key, path: join(folder, path) })) paths.push(path);
        else if (sha256 !== '') lost.add(sha256);
      }
      const leftOut = [...staged.leftOut, ...(await leaveOutLost(folder, lost))];
      await progress(80);
      const manifest: ArchiveManifest = {
        format: ARCHIVE_FORMAT,
        product: 'normtrace',
        version: productVersion(),
        created_at: clock().toISOString(),
        workspace: staged.workspace,
        people: [...staged.people],
        left_out: leftOut.slice(0, 10_000),
        files: await Promise.all(paths.map((path) => describe(folder, path))),
      };
      const archive = join(folder, 'archive.zip');
      await pack(folder, manifest, archive);
      const { size, sha256 } = await describe(folder, 'archive.zip');
      const key = `${workspaceId}/exports/${exportId}/${taken.attempt}`;
      await objects.writeFile(key, archive, 'application/zip');
      const kept = await within(async (transaction) => {
        const written = await transaction.run(sql`
          update workspace_exports
          set status = 'completed', percent = 100, object_key = ${key}, sha256 = ${sha256}, file_size = ${size},
              left_out = ${JSON.stringify(leftOut)}::jsonb, completed_at = now(),
              expires_at = now() + make_interval(secs => ${LIFE_SECONDS})
          where workspace_id = ${workspaceId} and id = ${exportId} and attempt = ${taken.attempt} and status = 'running'`);
        const prefix = `${workspaceId}/exports/${exportId}/`;
        if (written === 1) {
          await queue.enqueue(
            transaction,
            deleteObjects,
            { workspaceId, prefix },
            { afterSeconds: LIFE_SECONDS },
          );
          await tellExport(transaction, about, 'completed');
        }
        return written === 1;
      });
      if (!kept) await objects.delete(key);
    });
  };

/** The last word on an archive that no attempt could make. */
export const giveUpExport =
  ({ database }: Pick<Tools, 'database'>): JobHandler<ExportWorkspace> =>
  async ({ workspaceId, exportId }) => {
    await database.withWorkspace(workspaceId, async (transaction) => {
      const failed = await transaction.run(sql`
        update workspace_exports set status = 'failed', error = ${OUR_FAULT}
        where workspace_id = ${workspaceId} and id = ${exportId} and status in ('queued', 'running')`);
      if (failed > 0) await tellExport(transaction, { workspaceId, exportId }, 'failed');
    });
  };

interface Staged {
  readonly workspace: ArchiveManifest['workspace'];
  readonly people: ArchiveManifest['people'];
  readonly leftOut: readonly string[];
  /** Paths in the archive. */
  readonly files: readonly string[];
  /** Keys of the objects that rows name, by SHA-256. */
  readonly objects: ReadonlyMap<string, string>;
  /** Where finished reports lie, by their path in the archive. */
  readonly reports: ReadonlyMap<string, string>;
}

/** Writes every table into a file of JSON lines. */
async function stageRows(
  transaction: Transaction,
  {
    workspaceId,
    userId,
    folder,
  }: { readonly workspaceId: string; readonly userId: string; readonly folder: string },
): Promise<Staged> {
  const workspace = await transaction.one<ArchiveManifest['workspace']>(
    sql`select id, name, description from workspaces where id = ${workspaceId}`,
  );
  const hidden = await transaction.many<{ id: string; name: string }>(sql`
    select s.id, s.name from standards s
    where s.workspace_id = ${workspaceId} and s.catalog_id is null and s.deleted_at is null
      and not ${isReadable(sql`s.id`, userId)}`);
  const hiddenIds = hidden.map(({ id }) => id);
  const reports = await transaction.many<{
    id: string;
    title: string;
    format: ReportFormat;
    key: string | null;
  }>(sql`
    select id, title, format, case when status = 'completed' and not standard_ids && ${hiddenIds}::uuid[]
                                   then object_key end as key
    from reports where workspace_id = ${workspaceId}`);
  const objects = new Map<string, string>();
  const persons = new Set<string>();
  const leftOut = [
    ...hidden.map(({ name }) => `The text of ${name}: only the holder of its licence may take it along.`),
    ...reports
      .filter(({ key }) => key === null)
      .map(({ title }) => `The report ${title}: it has words that may not leave, or is not complete.`),
  ];
  const files = await writeLines<{ keys: Readonly<Record<string, string>> | null }>(
    transaction,
    selectRows(workspaceId, hiddenIds),
    {
      folder,
      pathOf: (name) => `tables/${name}.jsonl`,
      change: (name, row, { keys }) => {
        // What an import would refuse is not written: the archive is taken as a whole or not at all.
        const checked = ROWS[name as TableName].safeParse(row);
        if (!checked.success) {
          leftOut.push(`A row of ${name}: ${z.prettifyError(checked.error)}`.slice(0, 1000));
          return undefined;
        }
        for (const [sha256, key] of Object.entries(keys ?? {})) if (sha256 !== '') objects.set(sha256, key);
        withPersons(row, (id) => {
          persons.add(id);
          return id;
        });
        return row;
      },
    },
  );
  const log = await writeLines(
    transaction,
    selectLog(workspaceId, await loggedTables(transaction), hiddenIds),
    { folder, pathOf: (name) => `log/${name}.jsonl`, change: (_, row) => row },
  );
  const people = await transaction.many<ArchiveManifest['people'][number]>(sql`
    select known.id, case when m.role is not null then p.email end as email,
           left(coalesce(nullif(p.name, ''), p.email, i.name, ''), 200) as name, m.role
    from unnest(${[...persons]}::uuid[] || array(
           select user_id from workspace_members where workspace_id = ${workspaceId})) as known (id)
    left join profiles p on p.id = known.id
    left join imported_people i on i.workspace_id = ${workspaceId} and i.id = known.id
    left join workspace_members m on m.workspace_id = ${workspaceId} and m.user_id = known.id
    group by 1, 2, 3, 4 order by 1`);
  return {
    workspace,
    people,
    leftOut,
    files: [...files, ...log],
    objects,
    reports: new Map(
      reports.flatMap(({ id, format, key }) => (key === null ? [] : [[`reports/${id}.${format}`, key]])),
    ),
  };
}

/** Rows arrive through a cursor: one moment of the database, and never all of them in memory. */
async function writeLines<More>(
  transaction: Transaction,
  statement: Statement,
  to: {
    readonly folder: string;
    pathOf(name: string): string;
    /** Undefined: the row is left out. */
    change(name: string, row: Row, more: More): Row | undefined;
  },
): Promise<readonly string[]> {
  await transaction.run({ ...statement, text: `declare archive no scroll cursor for ${statement.text}` });
  const files = new Map<string, ReturnType<typeof createWriteStream>>();
  try {
    for (;;) {
      const rows = await transaction.many<{ name: string; row: string } & More>({
        text: `fetch ${AT_ONCE} from archive`,
        values: [],
      });
      for (const { name, row, ...more } of rows) {
        const changed = to.change(name, JSON.parse(row) as Row, more as More);
        if (changed === undefined) continue;
        const path = to.pathOf(name);
        let file = files.get(path);
        if (!file) {
          await mkdir(dirname(join(to.folder, path)), { recursive: true, mode: 0o700 });
          file = createWriteStream(join(to.folder, path), { mode: STAGED_FILE });
          files.set(path, file);
        }
        if (!file.write(`${JSON.stringify(changed)}\n`)) await once(file, 'drain');
      }
      if (rows.length < AT_ONCE) break;
    }
  } finally {
    for (const file of files.values()) {
      file.end();
      await once(file, 'close');
    }
  }
  await transaction.run({ text: 'close archive', values: [] });
  return [...files.keys()];
}

/** Takes versions out of the rows whose files are not there any more, so that what the archive says it has. */
async function leaveOutLost(folder: string, lost: ReadonlySet<string>): Promise<readonly string[]> {
  if (lost.size === 0) return [];
  const told: string[] = [];
  const path = join(folder, 'tables/work_products.jsonl');
  const kept = (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const row = JSON.parse(line) as RowOf<'work_products'>;
      const versions = row.versions.filter(({ sha256 }) => !lost.has(sha256));
      if (versions.length < row.versions.length) told.push(`Versions of ${row.name}: their files are lost.`);
      return versions.length === 0 ? [] : [JSON.stringify({ ...row, versions })];
    });
  await writeFile(path, kept.map((line) => `${line}\n`).join(''), { mode: STAGED_FILE });
  return told;
}

/** False when there is no such object: that of something deleted meanwhile. */
async function stageObject(
  objects: Objects,
  { key, path }: { readonly key: string; readonly path: string },
): Promise<boolean> {
  if ((await objects.size(key)) === undefined) return false;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(await objects.read(key), createWriteStream(path, { mode: STAGED_FILE }));
  return true;
}

async function describe(folder: string, path: string): Promise<ArchiveManifest['files'][number]> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, path)), hash);
  return { path, size: (await stat(join(folder, path))).size, sha256: hash.digest('hex') };
}

async function pack(folder: string, manifest: ArchiveManifest, archive: string): Promise<void> {
  const zip = new yazl.ZipFile();
  const times = { mtime: new Date(manifest.created_at) };
  zip.addBuffer(Buffer.from(JSON.stringify(manifest, undefined, 1)), MANIFEST, times);
  for (const { path } of manifest.files) zip.addFile(join(folder, path), path, times);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(archive, { mode: STAGED_FILE }));
}
