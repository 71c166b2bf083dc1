import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openAiCompatibleModel } from './open-ai-compatible-model.js';

/** A server that speaks the protocol: what it was asked, and answers to choose. */
interface Exchange {
  readonly body: { model: string; input: string[]; encoding_format: string };
  readonly authorization: string | undefined;
  readonly path: string | undefined;
}
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(answer: (exchange: Exchange, response: ServerResponse, number: number) => void) {
  const exchanges: Exchange[] = [];
  server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const exchange: Exchange = {
      body: JSON.parse(Buffer.concat(chunks).toString()),
      authorization: request.headers.authorization,
      path: request.url,
    };
    exchanges.push(exchange);
    answer(exchange, response, exchanges.length);
  });
  await new Promise<void>((ready) => server!.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return { exchanges, baseUrl: `http://127.0.0.1:${port}/v1` };
}

const vectorOf = (text: string) => [text.length, 0, 0];
function answerAll({ body }: Exchange, response: ServerResponse): void {
  const data = body.input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
  // The protocol does not promise the order.
  response.end(JSON.stringify({ object: 'list', data: data.reverse(), model: body.model }));
}

test('speaks the protocol, in batches, in order, with unit vectors', async () => {
  const { exchanges, baseUrl } = await serve(answerAll);
  const settings = { baseUrl: `${baseUrl}/`, model: 'small', dimensions: 3, apiKey: 'secret', batchSize: 2 };
  const model = openAiCompatibleModel(settings);
  const vectors = await model.embed(['a', 'bb', ' ', 'dddd']);
  expect(vectors.map((vector) => [...vector])).toEqual([
    [1, 0, 0],
    [1, 0, 0],
    [0, 0, 0],
    [1, 0, 0],
  ]);
  expect(exchanges.map(({ body }) => body.input)).toEqual([['a', 'bb'], ['dddd']]);
  expect(exchanges[0]).toMatchObject({
    path: '/v1/embeddings',
    authorization: 'Bearer secret',
    body: { model: 'small', encoding_format: 'float' },
  });
});

test('overload is asked again, after what the server says', async () => {
  const { exchanges, baseUrl } = await serve((exchange, response, number) => {
    if (number < 3) response.writeHead(number === 1 ? 429 : 503, { 'retry-after': '0' }).end('busy');
    else answerAll(exchange, response);
  });
  const vectors = await openAiCompatibleModel({ baseUrl, model: 'm', dimensions: 3 }).embed(['a']);
  expect(vectors.length).toBe(1);
  expect(exchanges.length).toBe(3);
});

test.each<[string, (response: ServerResponse) => void, RegExp, number]>([
  ['a refused key', (response) => response.writeHead(401).end('key secret'), /status 401/, 1],
  ['lasting overload', (response) => response.writeHead(503, { 'retry-after': '0' }).end(), /status 503/, 3],
  ['a page', (response) => response.end('<html>'), /something else/, 1],
  ['too few vectors', (response) => response.end('{"data":[]}'), /0 vectors for 1 texts/, 1],
  [
    'another length',
    (response) => response.end('{"data":[{"index":0,"embedding":[1,2]}]}'),
    /length 2; 3 is configured/,
    1,
  ],
  [
    'a foreign index',
    (response) => response.end('{"data":[{"index":7,"embedding":[1,2,3]}]}'),
    /1 vectors for 1 texts/,
    1,
  ],
])('%s is an error that names neither text nor key', async (_, answer, message, attempts) => {
  const { exchanges, baseUrl } = await serve((_, response) => answer(response));
  const model = openAiCompatibleModel({ baseUrl, model: 'm', dimensions: 3, apiKey: 'secret' });
  const error = await model.embed(['confidential']).then(
    () => undefined,
    (reason: Error) => reason,
  );
  expect(error?.message).toMatch(message);
  expect(error?.message).not.toMatch(/secret|confidential/);
  expect(exchanges.length).toBe(attempts);
});

test('no server, a silent server and an abort end the request', async () => {
  const { baseUrl } = await serve(() => {});
  const settings = { model: 'm', dimensions: 3 };
  await expect(openAiCompatibleModel({ ...settings, baseUrl, timeout: 50 }).embed(['a'])).rejects.toThrow(
    /could not be reached/,
  );
  await expect(
    openAiCompatibleModel({ ...settings, baseUrl }).embed(['a'], AbortSignal.timeout(50)),
  ).rejects.toThrow(/timeout|abort/i);
  await expect(
    openAiCompatibleModel({ ...settings, baseUrl: 'http://127.0.0.1:1/v1' }).embed(['a']),
  ).rejects.toThrow(/could not be reached/);
});
