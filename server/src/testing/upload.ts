import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Client } from './test-app.js';

/** A file of a test. */
export interface TestFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer> | string;
}

const bytesOf = ({ bytes }: TestFile): Buffer => Buffer.from(bytes as string);

/** Announces a file as a form, sends it and completes it. `init` is the path of the first step. */
export async function upload(
  client: Client,
  file: TestFile,
  paths: {
    readonly init: string;
    readonly fields?: Readonly<Record<string, string>>;
    complete(session: UploadSession): string;
  },
): Promise<Answer> {
  const bytes = bytesOf(file);
  const form = new FormData();
  form.set('filename', file.name);
  form.set('size', String(bytes.length));
  form.set('content_type', file.type);
  for (const [name, value] of Object.entries(paths.fields ?? {})) form.set(name, value);
  const announced = await client.request('POST', paths.init, { form });
  if (announced.status !== 201) return announced;
  const session = announced.body as UploadSession;
  const sent = await fetch(session.upload_url, { method: 'PUT', headers: session.headers, body: bytes });
  if (sent.status !== 200) throw new Error(`The file was answered ${sent.status}: ${await sent.text()}`);
  return client.request('POST', paths.complete(session));
}

export interface UploadSession {
  readonly upload_id: string;
  readonly file_id: string;
  readonly upload_url: string;
  readonly headers: Record<string, string>;
  readonly expires_at: string;
}

/** Uploads a new work product. */
export const uploadWorkProduct = (client: Client, workspaceId: string, file: TestFile): Promise<Answer> =>
  upload(client, file, {
    init: '/api/v1/work-products/uploads/init',
    fields: { workspace_id: workspaceId },
    complete: (session) => `/api/v1/work-products/uploads/${session.file_id}/complete`,
  });

/** Uploads the file of a standard. */
export const uploadStandard = (client: Client, standardId: string, file: TestFile): Promise<Answer> =>
  upload(client, file, {
    init: `/api/v1/standards/${standardId}/uploads/init`,
    complete: (session) => `/api/v1/standards/${standardId}/uploads/${session.upload_id}/complete`,
  });

/** Asks until the resource satisfies the condition; throws with the last answer after the time. */
export async function until<Body>(
  client: Client,
  path: string,
  condition: (body: Body) => boolean,
  milliseconds = 30_000,
): Promise<Body> {
  const start = Date.now();
  for (;;) {
    const { status, body, text } = await client.request('GET', path);
    if (status === 200 && condition(body as Body)) return body as Body;
    const waited = Date.now() - start;
    if (waited > milliseconds) throw new Error(`Still ${status} at ${path}: ${text.slice(0, 2000)}`);
    // Whoever waits long asks seldom: asking costs the processor that the work needs.
    await delay(Math.min(20 + waited / 10, 500));
  }
}
