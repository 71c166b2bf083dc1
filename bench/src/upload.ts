import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { basename } from 'node:path';
import { post } from './service.js';

/** Where requests go, and as whom. */
export interface Client {
  readonly url: string;
  readonly token: string;
}

interface Session {
  readonly file_id: string;
  readonly upload_id: string;
  readonly upload_url: string;
  readonly headers: Record<string, string>;
}

/** Sends a new file, Markdown or PDF, as far as its last byte; `complete` then has it read. */
export async function sendNew(
  { url, token }: Client,
  workspaceId: string,
  { path, content }: { readonly path: string; readonly content: Buffer },
): Promise<{ readonly id: string; complete(): Promise<void> }> {
  const session = await post<Session>(
    `${url}/api/v1/work-products/uploads/init`,
    { workspace_id: workspaceId, ...about(path, content) },
    token,
  );
  await send(session, content);
  return {
    id: session.file_id,
    complete: async () => {
      await post(`${url}/api/v1/work-products/uploads/${session.file_id}/complete`, undefined, token);
    },
  };
}

/** Uploads a new version of a work product and has it read. */
export async function uploadVersion(
  { url, token }: Client,
  { id, path, content }: { readonly id: string; readonly path: string; readonly content: Buffer },
): Promise<void> {
  const at = `${url}/api/v1/work-products/${id}/uploads`;
  const session = await post<Session>(`${at}/init`, about(path, content), token);
  await send(session, content);
  await post(`${at}/${session.upload_id}/complete`, undefined, token);
}

/** Uploads the file of a standard of one's own and has it read. */
export async function uploadStandard(
  { url, token }: Client,
  id: string,
  { path, content }: { readonly path: string; readonly content: Buffer },
): Promise<void> {
  const at = `${url}/api/v1/standards/${id}/uploads`;
  const session = await post<Session>(`${at}/init`, about(path, content), token);
  await send(session, content);
  await post(`${at}/${session.upload_id}/complete`, undefined, token);
}

const about = (path: string, content: Buffer) => ({
  filename: basename(path),
  size: content.length,
  content_type: path.endsWith('.pdf') ? 'application/pdf' : 'text/markdown',
});

/** Without `fetch`, which takes longer to send a large file than the service to receive it. */
async function send({ upload_url, headers }: Session, content: Buffer): Promise<void> {
  const sending = request(upload_url, {
    method: 'PUT',
    headers: { ...headers, 'content-length': content.length },
  });
  sending.end(content);
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  answer.resume();
  if (answer.statusCode !== 200) throw new Error(`A file was answered ${answer.statusCode}.`);
}
