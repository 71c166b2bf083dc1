import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingForSwift, type SwiftServer, startSwift } from '../../testing/swift-server.js';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
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

    test('keeps documents; in an outage requests are answered 503, and jobs wait', async () => {
      const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Buckets' } });
      const workspace = (made.body as { id: string }).id;
      const file = { name: 'a.md', type: 'text/markdown', bytes: '# Concept\n\nThe door shall stay shut.' };
      const { id } = (await uploadWorkProduct(owner, workspace, file)).body as { id: string };
      const isRead = () =>
        until<{ processing_status: string }>(
          owner,
          `/api/v1/work-products/${id}`,
          (one) => one.processing_status === 'completed',
          60_000,
        );
      await isRead();
      expect((await owner.request('GET', `/api/v1/work-products/${id}/content`)).text).toBe(file.bytes);
      expect((await owner.request('GET', '/health/ready')).status).toBe(200);

      proxy.holdNew(true);
      proxy.freeze();
      await owner.request('POST', `/api/v1/work-products/${id}/reprocess`);
      const began = performance.now();
      const [content, ready] = await Promise.all([
        owner.request('GET', `/api/v1/work-products/${id}/content`),
        owner.request('GET', '/health/ready'),
      ]);
      expect([content.status, ready.status]).toEqual([503, 503]);
      expect(performance.now() - began).toBeLessThan(15_000);
      proxy.holdNew(false);
      await isRead();
      expect((await owner.request('GET', `/api/v1/work-products/${id}/content`)).text).toBe(file.bytes);
    }, 120_000);
  });
});
