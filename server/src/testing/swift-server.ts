import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CreateBucketCommand, DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';

const PROGRAMS = ['proxy', 'account', 'container', 'object'].map((part) => `/usr/bin/swift-${part}-server`);
const REQUIRED = [...PROGRAMS, '/usr/bin/swift-ring-builder', '/usr/bin/memcached', '/etc/swift/swift.conf'];

/** A bucket on a server that checks every signature, and how to stop the server. */
export interface SwiftServer {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  stop(): Promise<void>;
}

/** What is missing on this machine to run OpenStack Swift; empty when everything is there. */
export const missingForSwift = (): string[] => REQUIRED.filter((path) => !existsSync(path));

/** Starts OpenStack Swift with its S3 interface and one bucket, on free ports of 127.0.0.1. */
export async function startSwift(): Promise<SwiftServer> {
  const home = await mkdtemp(join(tmpdir(), 'normtrace-swift-'));
  const [proxy, account, container, object, cache] = await freePorts(5);
  const ports = { account, container, object };
  await mkdir(join(home, 'node', 'd1'), { recursive: true });
  const children: ChildProcess[] = [];
  const stop = async () => {
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const gone = new Promise((done) => child.once('exit', done));
        child.kill('SIGKILL');
        await gone;
      }),
    );
    await rm(home, { recursive: true, force: true });
  };
  try {
    children.push(
      spawn('/usr/bin/memcached', ['-u', 'root', '-l', '127.0.0.1', '-p', String(cache)], {
        stdio: 'ignore',
      }),
    );
    for (const [part, port] of Object.entries(ports)) {
      const ring = join(home, `${part}.builder`);
      const build = (...args: string[]) =>
        promisify(execFile)('/usr/bin/swift-ring-builder', [ring, ...args]);
      await build('create', '4', '1', '1');
      await build('add', `r1z1-127.0.0.1:${port}/d1`, '1');
      await build('rebalance');
      const file = join(home, `${part}.conf`);
      await writeFile(file, storageConfiguration(part, port, home));
      children.push(spawn(`/usr/bin/swift-${part}-server`, [file], { stdio: 'ignore' }));
    }
    const file = join(home, 'proxy.conf');
    await writeFile(file, proxyConfiguration(proxy, cache, home));
    children.push(spawn('/usr/bin/swift-proxy-server', [file], { stdio: 'ignore' }));
    const server = {
      endpoint: `http://127.0.0.1:${proxy}`,
      region: 'us-east-1',
      bucket: 'normtrace',
      accessKeyId: 'test:tester',
      secretAccessKey: 'testing',
    };
    await untilReady(server);
    return { ...server, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const common = (port: number, home: string): string => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = root
swift_dir = ${home}
devices = ${join(home, 'node')}
mount_check = false
disable_fallocate = true
log_address = ${join(home, 'log')}
`;

const storageConfiguration = (part: string, port: number, home: string): string => `${common(port, home)}
[pipeline:main]
pipeline = ${part}-server
[app:${part}-server]
use = egg:swift#${part}
`;

const proxyConfiguration = (port: number, cache: number, home: string): string => `${common(port, home)}
[pipeline:main]
pipeline = catch_errors cache s3api tempauth bulk slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cache}
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
`;

type Access = Pick<SwiftServer, 'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey'>;

const clientOf = ({ endpoint, region, ...credentials }: Access, maxAttempts: number): S3Client =>
  new S3Client({ endpoint, region, forcePathStyle: true, credentials, maxAttempts });

/** One more bucket; nothing when it is there. */
export async function makeBucket(server: Access, bucket: string): Promise<void> {
  const client = clientOf(server, 5);
  await client.send(new CreateBucketCommand({ Bucket: bucket })).catch((error: Error) => {
    if (error.name !== 'BucketAlreadyOwnedByYou') throw error;
  });
  client.destroy();
}

/** Ready is a server that takes an object: the bucket alone is made before the object server answers. */
async function untilReady(server: Access & Pick<SwiftServer, 'bucket'>): Promise<void> {
  const client = clientOf(server, 1);
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      await makeBucket(server, server.bucket);
      await client.send(new PutObjectCommand({ Bucket: server.bucket, Key: 'ready', Body: 'ready' }));
      await client.send(new DeleteObjectCommand({ Bucket: server.bucket, Key: 'ready' }));
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(200);
    }
  }
}

async function freePorts(count: number): Promise<[number, number, number, number, number]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports as [number, number, number, number, number];
}
