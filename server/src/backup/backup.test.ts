import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { create, extract } from 'tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServiceProcess, startService } from '../testing/service-process.js';
import { type BackupManifest, hashOfFile, listTree, MANIFEST } from './manifest.js';

/** Everything in the database: a hash of the rows of each table. */
type Rows = Readonly<Record<string, string>>;

describe('backup and restore of the embedded installation', { timeout: 180_000 }, () => {
  let home: string;
  let data: string;
  let service: ServiceProcess;
  let token: string;
  let before: { readonly rows: Rows; readonly objects: Rows };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'normtrace-backup-'));
    data = join(home, 'data');
    service = await startService({ dataDirectory: data, environment: { EMBEDDINGS: 'off' } });
    await service.untilReady();
    token = (
      await call<{ access_token: string }>('POST', '/auth/sign-up', {
        email: 'a@example.com',
        password: 'correct horse battery staple',
        name: 'A',
      })
    ).access_token;
    const { id } = await call<{ id: string }>('POST', '/workspaces', { name: 'Lane assistance' });
    await upload(id, 'hara.md', '# Hazard analysis\n\n| ID | ASIL |\n|--|--|\n| HE-01 | D |\n');
    await upload(id, 'concept.md', '# Functional safety concept\n\nFSR-01: The ECU shall stop.\n');
    await untilIdle();
  }, 180_000);
  afterAll(async () => {
    await service?.end('SIGTERM');
    await rm(home, { recursive: true, force: true });
  });

  const call = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await fetch(`${service.baseUrl}/api/v1${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Body;
  };
  const upload = async (workspace: string, filename: string, bytes: string): Promise<void> => {
    const form = new FormData();
    const fields = { filename, size: String(Buffer.byteLength(bytes)), content_type: 'text/markdown' };
    for (const [name, value] of Object.entries({ ...fields, workspace_id: workspace })) form.set(name, value);
    const session = await call<{ upload_url: string; headers: Record<string, string>; file_id: string }>(
      'POST',
      '/work-products/uploads/init',
      form,
    );
    const sent = await fetch(session.upload_url, { method: 'PUT', headers: session.headers, body: bytes });
    expect(sent.status).toBeLessThan(300);
    await call('POST', `/work-products/uploads/${session.file_id}/complete`);
    let status = '';
    while (status !== 'completed') {
      status = (await call<{ processing_status: string }>('GET', `/work-products/${session.file_id}`))
        .processing_status;
    }
  };
  /** Work that goes on after a document was read would change what is compared. */
  const untilIdle = async (): Promise<void> => {
    // What begins in a moment, too: documents that come one after the other are taken into the trace together.
    const waiting = `select from pgboss.job
      where state in ('created', 'active', 'retry') and start_after <= now() + interval '30 seconds'`;
    while ((await ask(waiting)).length > 0) {
      await delay(100);
    }
  };
  const command = (
    name: 'backup' | 'restore',
    args: readonly string[],
    directory = data,
  ): Promise<{ code: number | null; said: string }> =>
    new Promise((resolve) => {
      const main = fileURLToPath(new URL(`../start/${name}.js`, import.meta.url));
      const child = spawn(process.execPath, [main, ...args], {
        env: { PATH: process.env.PATH, DATA_DIR: directory },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
      child.once('close', (code) => resolve({ code, said }));
    });

  /** Whatever the running service has stored, but what queue and rate limit keep for themselves. */
  const everything = async (): Promise<{ rows: Rows; objects: Rows }> => {
    await untilIdle();
    const tables = await ask<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema', 'pgboss')
         and tablename <> 'rate_limit_buckets' order by 1`,
    );
    const rows: Record<string, string> = {};
    for (const { name } of tables) {
      const [found] = await ask<{ hash: string }>(
        `select count(*) || ' ' || md5(coalesce(string_agg(t::text, E'\\n' order by t::text), '')) as hash from ${name} t`,
      );
      rows[name] = found!.hash;
    }
    const objects: Record<string, string> = {};
    const folder = join(data, 'objects/files');
    for (const path of (await listTree(folder)).files) objects[path] = await hashOfFile(join(folder, path));
    return { rows, objects };
  };
  const ask = async <Row extends object>(text: string): Promise<Row[]> => {
    const status = (await readFile(join(data, 'postgres/postmaster.pid'), 'utf8')).split('\n');
    const { superuser } = JSON.parse(await readFile(join(data, 'credentials.json'), 'utf8'));
    const client = new pg.Client({
      host: status[4] || '127.0.0.1',
      port: Number(status[3]),
      user: 'postgres',
      password: superuser,
      database: 'normtrace',
    });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  };

  test('brings everything back, byte for byte, from a backup of the running service', async () => {
    before = await everything();
    expect(before.rows['public.work_products']).toMatch(/^2 /);
    expect(Object.keys(before.objects).length).toBeGreaterThanOrEqual(4);
    const file = join(home, 'running.tar.gz');
    const backup = await command('backup', ['--to', file]);
    expect(backup).toMatchObject({ code: 0, said: expect.stringContaining('while the service was running') });
    expect((await stat(file)).mode & 0o077).toBe(0);
    // What comes after the backup is not in it.
    await call('POST', '/workspaces', { name: 'Later' });
    await service.end('SIGTERM');
    await rm(data, { recursive: true });
    expect(await command('restore', ['--from', file])).toMatchObject({ code: 0 });
    service = await startService({ dataDirectory: data, environment: { EMBEDDINGS: 'off' } });
    await service.untilReady();
    expect(await everything()).toEqual(before);
    const names = await call<{ items: { name: string }[] }>('GET', '/workspaces');
    expect(names.items.map(({ name }) => name)).toEqual(['Lane assistance']);
  });

  test('backs up a stopped installation too, keeps what is there aside, and refuses to touch a running one', async () => {
    const file = join(home, 'stopped.tar.gz');
    const running = await command('restore', ['--from', join(home, 'running.tar.gz'), '--force']);
    expect(running).toMatchObject({ code: 1, said: expect.stringContaining('Another process') });
    // A session that is used after a minute says so in its row.
    const last = await everything();
    await service.end('SIGTERM');
    expect(await command('backup', ['--to', file])).toMatchObject({
      code: 0,
      said: expect.stringContaining('with the service stopped'),
    });
    expect(await command('backup', ['--to', file])).toMatchObject({ code: 1 });
    expect(await command('restore', ['--from', file])).toMatchObject({
      code: 1,
      said: expect.stringContaining('is not empty'),
    });
    const forced = await command('restore', ['--from', file, '--force']);
    expect(forced.code).toBe(0);
    expect(forced.said).toMatch(/What was there is in .*before-/);
    service = await startService({ dataDirectory: data, environment: { EMBEDDINGS: 'off' } });
    await service.untilReady();
    expect(await everything()).toEqual(last);
  });

  test('refuses what is damaged, changed, newer or no backup, and leaves nothing behind', async () => {
    const whole = join(home, 'whole');
    await extractTo(join(home, 'running.tar.gz'), whole);
    const complete = JSON.parse(await readFile(join(whole, MANIFEST), 'utf8')) as BackupManifest;
    // The objects alone: what is refused is refused before the database, nine tenths of a backup, is looked at.
    const isKept = ({ path }: { readonly path: string }): boolean => path.startsWith('objects/');
    const manifest = { ...complete, files: complete.files.filter(isKept) };
    await rm(join(whole, 'postgres'), { recursive: true });
    for (const { path } of complete.files)
      if (!isKept({ path })) await rm(join(whole, path), { force: true });
    await writeFile(join(whole, MANIFEST), JSON.stringify(manifest));
    const object = manifest.files.find(({ path }) => path.startsWith('objects/files/'))!.path;
    const content = await readFile(join(whole, object));
    const target = join(home, 'target');
    const refusal = async (change: () => Promise<void>, back: () => Promise<void>): Promise<string> => {
      await change();
      const file = join(home, 'changed.tar.gz');
      await create({ cwd: whole, gzip: { level: 1 }, file }, ['.']);
      await back();
      const answer = await command('restore', ['--from', file], target);
      expect(answer.code).toBe(1);
      await expect(stat(target)).rejects.toThrow('ENOENT');
      return answer.said;
    };
    const writeManifest = (changed: object) => writeFile(join(whole, MANIFEST), JSON.stringify(changed));
    const mend = () => writeManifest(manifest);
    const other = Buffer.from(content);
    other[0]! ^= 1;
    // Unchanged, it comes as far as the database, which it does not have.
    expect(await refusal(mend, mend)).toContain('database in the backup does not start');
    expect(
      await refusal(
        () => writeFile(join(whole, object), other),
        () => writeFile(join(whole, object), content),
      ),
    ).toContain('damaged');
    const extra = join(whole, 'objects/files/extra');
    expect(
      await refusal(
        () => writeFile(extra, 'x'),
        () => rm(extra),
      ),
    ).toContain('not in its manifest');
    expect(await refusal(() => writeManifest({ ...manifest, version: '99.0.0' }), mend)).toContain('99.0.0');
    const elsewhere = { ...manifest, postgresql: { version: '17', platform: 'linux-riscv64' } };
    expect(await refusal(() => writeManifest(elsewhere), mend)).toContain('linux-riscv64');
    expect(await refusal(() => writeManifest({ ...manifest, folders: ['../out'] }), mend)).toContain(
      'damaged',
    );
    const bytes = createHash('sha256').update('no archive').digest();
    await writeFile(join(home, 'noise.tar.gz'), bytes);
    expect((await command('restore', ['--from', join(home, 'noise.tar.gz')], target)).code).toBe(1);
    expect((await command('restore', ['--frm', 'x'], target)).code).toBe(2);
  });
});

async function extractTo(file: string, folder: string): Promise<void> {
  await mkdir(folder);
  await extract({ file, cwd: folder });
}
