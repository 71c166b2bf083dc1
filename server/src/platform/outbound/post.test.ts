import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { listOf, mayReach } from './addresses.js';
import { type OutboundRules, postOutbound, type ResolvedAddress } from './post.js';

const NOTHING = listOf([]);
const LOOPBACK = listOf(['127.0.0.0/8', '::1/128']);
const PUBLIC = '93.184.215.14';

describe('an address', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '3fff::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'localhost',
    '127.1',
    '',
  ])('%s is not reached', (address) => {
    expect(mayReach(address, NOTHING)).toBe(false);
  });

  it.each(['1.1.1.1', PUBLIC, '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '::ffff:1.1.1.1'])(
    '%s is reached',
    (address) => {
      expect(mayReach(address, NOTHING)).toBe(true);
    },
  );

  it('of an allowed network is reached, that of cloud metadata never', () => {
    const allowed = listOf(['10.0.0.0/8', '169.254.0.0/16', 'fd00::/8']);
    const reached = ['10.9.9.9', '::ffff:10.9.9.9', '169.254.7.7', 'fd00:1::1'];
    expect(reached.filter((address) => !mayReach(address, allowed))).toEqual([]);
    const refused = ['127.0.0.1', '11.0.0.1%', '169.254.169.254', '::ffff:169.254.169.254', 'fd00:ec2::254'];
    expect(refused.filter((address) => mayReach(address, allowed))).toEqual(['11.0.0.1%']);
  });

  it.each(['10.0.0.0', '10.0.0.0/33', '::/129', 'example.org/8', '10.0.0/8', '10.0.0.0/'])(
    'range cannot be %s',
    (text) => {
      expect(() => listOf([text])).toThrow('is not a network');
    },
  );
});

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A receiver on the loopback network; counts what arrives. */
async function receiver(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const seen = { requests: 0, connections: 0, hosts: [] as (string | undefined)[] };
  server = createServer((request, response) => {
    seen.requests++;
    seen.hosts.push(request.headers.host);
    answer(request, response);
  });
  server.on('connection', () => {
    seen.connections++;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { seen, port: (server.address() as AddressInfo).port };
}

const post = (url: string, rules: Partial<OutboundRules> = {}) =>
  postOutbound(
    url,
    { headers: { 'content-type': 'application/json' }, body: '{}', signal: new AbortController().signal },
    { allowHttp: true, allowed: LOOPBACK, timeoutMilliseconds: 2_000, ...rules },
  );
const failureOf = (url: string, rules: Partial<OutboundRules> = {}): Promise<string> =>
  post(url, rules).then(
    ({ status }) => `answered ${status}`,
    (error: { failure?: string }) => error.failure ?? String(error),
  );
const answering =
  (...answers: (readonly ResolvedAddress[])[]): (() => Promise<readonly ResolvedAddress[]>) =>
  async () =>
    answers.length > 1 ? (answers.shift() ?? []) : (answers[0] ?? []);
const v4 = (...addresses: string[]): readonly ResolvedAddress[] =>
  addresses.map((address) => ({ address, family: 4 }));

describe('a message', () => {
  it('goes to the very address that was checked, under the name of the host', async () => {
    const { seen, port } = await receiver((_, response) => response.writeHead(204).end());
    const resolve = answering(v4('127.0.0.1'));
    expect(await failureOf(`http://receiver.test:${port}/hook`, { resolve })).toBe('answered 204');
    expect(seen).toEqual({ requests: 1, connections: 1, hosts: [`receiver.test:${port}`] });
  });

  it('gains nothing by a name that changes its answer', async () => {
    const { seen, port } = await receiver((_, response) => response.end());
    let asked = 0;
    const rebinding = async () => v4(asked++ === 0 ? PUBLIC : '127.0.0.1');
    // The public address may answer or not; the loopback one is asked nothing.
    await failureOf(`http://rebind.test:${port}/`, {
      allowed: NOTHING,
      resolve: rebinding,
      timeoutMilliseconds: 500,
    });
    expect([asked, seen.connections]).toEqual([1, 0]);
    const later = answering(v4('127.0.0.1'));
    expect(await failureOf(`http://rebind.test:${port}/`, { allowed: NOTHING, resolve: later })).toBe(
      'refused_address',
    );
    const mixed = answering(v4(PUBLIC, '127.0.0.1'));
    expect(await failureOf(`http://rebind.test:${port}/`, { allowed: NOTHING, resolve: mixed })).toBe(
      'refused_address',
    );
    expect(seen.connections).toBe(0);
  });

  it('does not go inside, however the address is written', async () => {
    const { seen, port } = await receiver((_, response) => response.end());
    const hosts = [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
      '0',
    ];
    const failures = await Promise.all(
      hosts.map((host) => failureOf(`http://${host}:${port}/`, { allowed: NOTHING })),
    );
    expect(failures).toEqual(hosts.map(() => 'refused_address'));
    expect(seen.connections).toBe(0);
  });

  it('follows no redirect', async () => {
    const { seen, port } = await receiver((request, response) =>
      response.writeHead(307, { location: `http://${request.headers.host}/other` }).end(),
    );
    expect(await failureOf(`http://127.0.0.1:${port}/`)).toBe('answered 307');
    expect(seen.requests).toBe(1);
    const metadata = 'http://169.254.169.254/latest/meta-data/';
    expect(await failureOf(metadata, { allowed: listOf(['169.254.0.0/16']) })).toBe('refused_address');
  });

  it('does not wait for a body that drips, nor read one without end', async () => {
    let closed = 0;
    let written = 0;
    const { port } = await receiver((request, response) => {
      response.writeHead(200);
      const isSlow = request.url === '/slow';
      const write = (): void => {
        if (response.destroyed) return;
        written += isSlow ? 0 : 65_536;
        const more = response.write(isSlow ? '.' : Buffer.alloc(65_536));
        if (isSlow) setTimeout(write, 20);
        else if (more) setImmediate(write);
        else response.once('drain', write);
      };
      response.on('close', () => closed++);
      write();
    });
    expect(await failureOf(`http://127.0.0.1:${port}/slow`)).toBe('answered 200');
    expect(await failureOf(`http://127.0.0.1:${port}/huge`)).toBe('answered 200');
    await expect.poll(() => closed, { timeout: 2_000 }).toBe(2);
    expect(written).toBeLessThan(20_000_000);
  });

  it('is given up when nothing is answered in time, or what is no answer', async () => {
    const { port } = await receiver((request, response) => {
      if (request.url === '/silent') return;
      if (request.url === '/upgrade') {
        response.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end();
        return;
      }
      response.writeHead(200, { 'x-large': 'x'.repeat(40_000) }).end();
    });
    const url = `http://127.0.0.1:${port}`;
    expect(await failureOf(`${url}/silent`, { timeoutMilliseconds: 200 })).toBe('timeout');
    const slow = () => new Promise<never>(() => undefined);
    expect(await failureOf('http://slow.test/', { resolve: slow, timeoutMilliseconds: 200 })).toBe('timeout');
    expect(await failureOf(`${url}/large`)).toBe('protocol');
    expect(await failureOf(`${url}/upgrade`)).toBe('protocol');
  });

  it('says in a closed word why it did not arrive', async () => {
    const { port } = await receiver((_, response) => response.end());
    expect(await failureOf(`http://127.0.0.1:${port}/`, { allowHttp: false })).toBe('refused_scheme');
    expect(await failureOf('file:///etc/passwd')).toBe('refused_scheme');
    expect(await failureOf(`https://127.0.0.1:${port}/`)).toBe('tls');
    const unknown = () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }));
    expect(await failureOf('http://unknown.test/', { resolve: unknown })).toBe('dns');
    expect(await failureOf('http://empty.test/', { resolve: answering([]) })).toBe('dns');
    server?.close();
    server?.closeAllConnections();
    expect(await failureOf(`http://127.0.0.1:${port}/`)).toBe('connect');
  });
});
