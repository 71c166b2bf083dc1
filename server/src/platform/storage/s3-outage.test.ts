import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectsBelow } from '../../testing/stored-objects.js';
import { missingForSwift, type SwiftServer, startSwift } from '../../testing/swift-server.js';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { type UploadSession, until, uploadWorkProduct } from '../../testing/upload.js';
import { StorageUnavailable } from './deadlines.js';
import { openS3Storage, type S3StorageOptions } from './s3-storage.js';
import type { Objects } from './storage.js';

const missing = missingForSwift();
if (missing.length > 0) {
  console.warn(
    `SKIPPED: outages of an S3 server that checks signatures were not tried. Install the Debian packages swift-proxy ` +
      `swift-account swift-container swift-object memcached. Missing here: ${missing.join(', ')}`,
  );
}

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');

describe.skipIf(missing.length > 0)('an S3 server that checks signatures', () => {
  let swift: SwiftServer;
  let proxy: TcpProxy;
  beforeAll(async () => {
    swift = await startSwift();
    proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(swift.endpoint).port) });
  });
  afterAll(async () => {
    await proxy?.stop();
    await swift?.stop();
  });

  const open = (options: Partial<S3StorageOptions> = {}): Objects =>
    openS3Storage({
      ...swift,
      endpoint: `http://127.0.0.1:${proxy.port}`,
      clock: () => new Date(),
      patience: 1_500,
      ...options,
    }).within('workspace');

  test('that falls silent is given up in time, and used again when it is back', async () => {
    const objects = open();
    await objects.write('workspace/a', Buffer.from('hello'), 'text/plain');
    proxy.holdNew(true);
    proxy.freeze();
    const actions: readonly (() => Promise<unknown>)[] = [
      () => objects.size('workspace/a'),
      () => objects.read('workspace/a'),
      () => objects.write('workspace/b', Buffer.from('hello'), 'text/plain'),
      () => objects.copy('workspace/a', 'workspace/c'),
      () => objects.delete('workspace/a'),
      () => objects.list('workspace/'),
    ];
    const began = performance.now();
    for (const outcome of await Promise.allSettled(actions.map((action) => action()))) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StorageUnavailable) });
    }
    expect(performance.now() - began).toBeLessThan(6_000);
    proxy.holdNew(false);
    expect(await objects.size('workspace/a')).toBe(5);
  });

  test('whose answers are cut or stop in the middle of an object gives no half objects', async () => {
    const objects = open();
    await objects.write('workspace/large', MEGABYTE, 'text/plain');
    proxy.cutAnswersAfter(300_000);
    await expect(objects.read('workspace/large').then(buffer)).rejects.toThrow(StorageUnavailable);
    proxy.cutAnswersAfter(undefined);
    const body = await objects.read('workspace/large');
    proxy.freeze();
    await expect(buffer(body)).rejects.toThrow(StorageUnavailable);
    expect((await buffer(await objects.read('workspace/large'))).equals(MEGABYTE)).toBe(true);
    // Whoever reads slowly is no silent server.
    const slow = await objects.read('workspace/large');
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect((await buffer(slow)).length).toBe(MEGABYTE.length);
  });

  test('that refuses the keys, or answers that something is wrong, is told as unavailable', async () => {
    await expect(open({ secretAccessKey: 'another' }).size('workspace/a')).rejects.toThrow(
      StorageUnavailable,
    );
    for (const status of [500, 503]) {
      const server: Server = createServer((_, reply) => reply.writeHead(status).end());
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await expect(open({ endpoint }).size('workspace/a')).rejects.toThrow(StorageUnavailable);
      server.close();
    }
  });

  describe('under the whole service', () => {
    let data: TestDatabase;
    let app: TestApp;
    let owner: Client;
    beforeAll(async () => {
      data = await createTestDatabase();
      app = await startTestApp(data, {
        work: true,
        environment: {
          STORAGE: 's3',
          S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
          S3_REGION: swift.region,
          S3_BUCKET: swift.bucket,
          S3_ACCESS_KEY_ID: swift.accessKeyId,
          S3_SECRET_ACCESS_KEY: swift.secretAccessKey,
        },
      });
      owner = await app.enter();
    });
    afterAll(async () => {
      await app?.stop();
      await data?.stop();
    });

    const file = { name: 'a.md', type: 'text/markdown', bytes: '# Concept\n\nThe door shall stay shut.' };
    const post = (path: string, body?: unknown) =>
      owner.request('POST', `/api/v1${path}`, body === undefined ? {} : { body });
    const has = (path: string, state: object) =>
      until(
        owner,
        `/api/v1${path}`,
        (one) => Object.entries(state).every(([name, value]) => Reflect.get(one as object, name) === value),
        90_000,
      );
    const isRead = (id: string) => has(`/work-products/${id}`, { processing_status: 'completed' });

    test.each<[string, () => void, () => void]>([
      [
        'that is silent',
        () => {
          proxy.holdNew(true);
          proxy.freeze();
        },
        () => proxy.holdNew(false),
      ],
      [
        'that answers 500',
        () =>
          proxy.answerWith(
            'HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
          ),
        () => proxy.answerWith(undefined),
      ],
    ])(
      '%s: requests are answered 503 in time, jobs wait, and nothing is lost',
      async (_, fail, mend) => {
        const made = await post('/workspaces', { name: 'Buckets' });
        const workspace_id = (made.body as { id: string }).id;
        const upload = async () =>
          ((await uploadWorkProduct(owner, workspace_id, file)).body as { id: string }).id;
        const [kept, dropped] = [await upload(), await upload()];
        await Promise.all([kept, dropped].map(isRead));
        const announce = () =>
          post('/work-products/uploads/init', {
            workspace_id,
            filename: 'b.md',
            size: file.bytes.length,
            content_type: file.type,
          });
        const announced = (await announce()).body as UploadSession;
        const send = (to: UploadSession) =>
          fetch(to.upload_url, { method: 'PUT', headers: to.headers, body: file.bytes });
        expect((await send(announced)).status).toBe(200);
        const complete = () => post(`/work-products/uploads/${announced.file_id}/complete`);
        const content = (id: string) => owner.request('GET', `/api/v1/work-products/${id}/content`);

        fail();
        const began = performance.now();
        const refused = await Promise.all([complete(), content(kept), owner.request('GET', '/health/ready')]);
        expect(refused.map(({ status }) => status)).toEqual([503, 503, 503]);
        for (const { body } of refused.slice(0, 2)) {
          expect(body).toMatchObject({
            error: { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('storage') },
          });
        }
        expect(performance.now() - began).toBeLessThan(15_000);
        // What needs no object is done, what does is taken and waits.
        const later = (await announce()).body as UploadSession;
        const gone = await owner.request('DELETE', `/api/v1/work-products/${dropped}`);
        const check = await post('/compliance/completeness', { workspace_id });
        const archive = await post(`/workspaces/${workspace_id}/export`);
        const again = await post(`/work-products/${kept}/reprocess`);
        expect([check, archive, gone, again].map(({ status }) => status)).toEqual([202, 202, 204, 202]);
        await expect
          .poll(async () => (await data.asOwner("select from pgboss.job where state = 'retry'")).length, {
            timeout: 60_000,
          })
          .toBeGreaterThan(0);

        mend();
        const completed = await complete();
        expect([completed.status, completed.text]).toEqual([200, completed.text]);
        expect((await send(later)).status).toBe(200);
        expect((await post(`/work-products/uploads/${later.file_id}/complete`)).status).toBe(200);
        for (const id of [kept, announced.file_id, later.file_id]) {
          await isRead(id);
          expect((await content(id)).text).toBe(file.bytes);
        }
        await has(`/analysis/analyses/${(check.body as { id: string }).id}`, { status: 'completed' });
        await has(`/workspaces/${workspace_id}/exports/${(archive.body as { id: string }).id}`, {
          status: 'completed',
        });
        const { storage } = app.dependencies;
        await expect
          .poll(() => objectsBelow(storage, workspace_id, 'work-products', dropped), { timeout: 60_000 })
          .toEqual([]);
        expect(await data.asOwner("select name from pgboss.job where state = 'failed'")).toEqual([]);
      },
      240_000,
    );
  });
});
