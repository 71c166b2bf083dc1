import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { productVersion } from '../../platform/product-version.js';
import type { JobHandler } from '../../platform/queue/queue.js';
import { STAGED_FILE, withStaging } from '../../platform/staging/staging.js';
import { isReadable } from '../standards/words.repository.js';
import { deleteObjects } from '../uploads/uploads.jobs.js';
import { selectArchive } from './archive-rows.js';
import { archivedTables, namesObject, namesPerson } from './archived-tables.js';
import type { ExportWorkspace } from './archives.jobs.js';
import { ARCHIVE_FORMAT, type ArchiveManifest, MANIFEST } from './manifest.js';

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
    const taken = await within((transaction) =>
      transaction.maybeOne<{ attempt: number; created_by: string }>(sql`
        update workspace_exports set status = 'running', attempt = attempt + 1
        where workspace_id = ${workspaceId} and id = ${exportId} and status in ('queued', 'running')
        returning attempt, created_by`),
    );
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
      const missing: string[] = [];
      for (const [done, key] of staged.objects.entries()) {
        signal.throwIfAborted();
        if (done % 50 === 0) await progress(Math.floor(20 + (60 * done) / staged.objects.length));
        if (!(await stageObject(storage, { workspaceId, key, folder }))) missing.push(key);
      }
      await progress(80);
      const paths = [
        ...staged.files,
        ...staged.objects.filter((key) => !missing.includes(key)).map((key) => `objects/${key}`),
      ];
      const manifest: ArchiveManifest = {
        format: ARCHIVE_FORMAT,
        product: 'normtrace',
        version: productVersion(),
        created_at: clock().toISOString(),
        workspace: staged.workspace,
        people: [...staged.people],
        left_out: [...staged.leftOut],
        files: await Promise.all(paths.map((path) => describe(folder, path))),
      };
      const archive = join(folder, 'archive.zip');
      await pack(folder, manifest, archive);
      const { size, sha256 } = await describe(folder, 'archive.zip');
      const key = `${workspaceId}/exports/${exportId}/${taken.attempt}`;
      await storage.within(workspaceId).writeFile(key, archive, 'application/zip');
      const kept = await within(async (transaction) => {
        const written = await transaction.run(sql`
          update workspace_exports
          set status = 'completed', percent = 100, object_key = ${key}, sha256 = ${sha256}, file_size = ${size},
              left_out = ${JSON.stringify(staged.leftOut)}::jsonb, completed_at = now(),
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
        }
        return written === 1;
      });
      if (!kept) await storage.within(workspaceId).delete(key);
    });
  };

/** The last word on an archive that no attempt could make. */
export const giveUpExport =
  ({ database }: Pick<Tools, 'database'>): JobHandler<ExportWorkspace> =>
  async ({ workspaceId, exportId }) => {
    await database.withWorkspace(workspaceId, (transaction) =>
      transaction.run(sql`
        update workspace_exports set status = 'failed', error = ${OUR_FAULT}
        where workspace_id = ${workspaceId} and id = ${exportId} and status in ('queued', 'running')`),
    );
  };

interface Staged {
  readonly workspace: ArchiveManifest['workspace'];
  readonly people: ArchiveManifest['people'];
  readonly leftOut: readonly string[];
  /** Paths in the archive. */
  readonly files: readonly string[];
  /** Keys below the workspace that rows name. */
  readonly objects: readonly string[];
}

/** Writes every table into a file of JSON lines. Keys of objects are those below the workspace. */
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
    where s.workspace_id = ${workspaceId} and s.catalog_id is null and not ${isReadable(sql`s.id`, userId)}`);
  const hiddenIds = hidden.map(({ id }) => id);
  const reports = await transaction.many<{ title: string }>(sql`
    select title from reports
    where workspace_id = ${workspaceId} and (status <> 'completed' or standard_ids && ${hiddenIds}::uuid[])`);
  const tables = await archivedTables(transaction);
  const objects = new Set<string>();
  const persons = new Set<string>();
  const prefix = `${workspaceId}/`;
  const files = await writeLines(transaction, selectArchive(workspaceId, tables, hiddenIds), {
    folder,
    pathOf: (name) => `tables/${name}.jsonl`,
    change: (name, row) => {
      const changed: Record<string, unknown> = { ...row };
      for (const [column, value] of Object.entries(row)) {
        if (namesPerson(column)) for (const id of [value].flat()) if (typeof id === 'string') persons.add(id);
        if (namesObject(column) && typeof value === 'string' && value.startsWith(prefix)) {
          changed[column] = value.slice(prefix.length);
          if (name !== 'uploads') objects.add(value.slice(prefix.length));
        }
      }
      return changed;
    },
  });
  const logs = await writeLines(
    transaction,
    sql`select 'audit_events' as name, to_jsonb(t)::text as row from audit_events t where workspace_id = ${workspaceId}
        union all
        select 'attestations', (to_jsonb(t) - 'ip' - 'user_agent')::text from attestations t
        where workspace_id = ${workspaceId}`,
    { folder, pathOf: (name) => `log/${name}.jsonl`, change: (_, row) => row },
  );
  const people = await transaction.many<ArchiveManifest['people'][number]>(sql`
    select known.id, p.email, coalesce(p.name, '') as name, m.role
    from unnest(${[...persons]}::uuid[] || array(
           select user_id from workspace_members where workspace_id = ${workspaceId})) as known (id)
    left join profiles p on p.id = known.id
    left join workspace_members m on m.workspace_id = ${workspaceId} and m.user_id = known.id
    group by 1, 2, 3, 4 order by 1`);
  return {
    workspace,
    people,
    leftOut: [
      ...hidden.map(({ name }) => `The text of ${name}: only the holder of its licence may take it along.`),
      ...reports.map(
        ({ title }) => `The report ${title}: it has words that may not leave, or is not complete.`,
      ),
    ],
    files: [...files, ...logs],
    objects: [...objects],
  };
}

/** Rows arrive through a cursor: one moment of the database, and never all of them in memory. */
async function writeLines(
  transaction: Transaction,
  statement: Statement,
  to: {
    readonly folder: string;
    pathOf(name: string): string;
    change(name: string, row: Row): Row;
  },
): Promise<readonly string[]> {
  await transaction.run({ ...statement, text: `declare archive no scroll cursor for ${statement.text}` });
  const files = new Map<string, ReturnType<typeof createWriteStream>>();
  try {
    for (;;) {
      const rows = await transaction.many<{ name: string; row: string }>({
        text: `fetch ${AT_ONCE} from archive`,
        values: [],
      });
      for (const { name, row } of rows) {
        const path = to.pathOf(name);
        let file = files.get(path);
        if (!file) {
          await mkdir(dirname(join(to.folder, path)), { recursive: true, mode: 0o700 });
          file = createWriteStream(join(to.folder, path), { mode: STAGED_FILE });
          files.set(path, file);
        }
        const line = `${JSON.stringify(to.change(name, JSON.parse(row) as Row))}\n`;
        if (!file.write(line)) await once(file, 'drain');
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

/** False when there is no such object: that of something deleted. */
async function stageObject(
  storage: Tools['storage'],
  {
    workspaceId,
    key,
    folder,
  }: { readonly workspaceId: string; readonly key: string; readonly folder: string },
): Promise<boolean> {
  const objects = storage.within(workspaceId);
  if ((await objects.size(`${workspaceId}/${key}`)) === undefined) return false;
  const path = join(folder, 'objects', key);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(await objects.read(`${workspaceId}/${key}`), createWriteStream(path, { mode: STAGED_FILE }));
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
