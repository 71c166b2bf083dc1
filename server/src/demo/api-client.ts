/** What a caller of the API does, in the few shapes that the demo needs. Throws with status and message on an error. */
export interface ApiClient {
  get<Answer>(path: string): Promise<Answer>;
  post<Answer>(path: string, body?: unknown): Promise<Answer>;
  /** A file. */
  file(path: string): Promise<Buffer>;
  /** Server-sent events of one stream, in order, until it ends. */
  events(path: string): AsyncGenerator<ServerEvent>;
  /** Sends a file to an address that an upload was given. */
  send(url: string, headers: Readonly<Record<string, string>>, content: Buffer): Promise<void>;
}

export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;

  constructor(request: string, status: number, body: string) {
    super(`${request} answered ${status}: ${body.slice(0, 500)}`);
    this.status = status;
  }
}

export function createApiClient(baseUrl: string, token?: string): ApiClient {
  const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const request = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const answer = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: { ...authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new ApiFailure(`${method} ${path}`, answer.status, await answer.text());
    return answer;
  };
  return {
    get: async <Answer>(path: string) => (await (await request('GET', path)).json()) as Answer,
    post: async <Answer>(path: string, body?: unknown) =>
      (await (await request('POST', path, body)).json()) as Answer,
    file: async (path) => Buffer.from(await (await request('GET', path)).arrayBuffer()),
    async *events(path) {
      const answer = await fetch(`${baseUrl}/api/v1${path}`, {
        headers: { ...authorization, accept: 'text/event-stream' },
      });
      if (!answer.ok || !answer.body) throw new ApiFailure(`GET ${path}`, answer.status, await answer.text());
      yield* parseEvents(answer.body);
    },
    async send(url, headers, content) {
      const answer = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(content) });
      if (!answer.ok) throw new ApiFailure('PUT of a file', answer.status, await answer.text());
    },
  };
}

async function* parseEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const field = (name: string): string =>
        message
          .split('\n')
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).trim())
          .join('\n');
      const data = field('data');
      if (data) yield { event: field('event'), data: JSON.parse(data) };
    }
  }
}
