import { useSyncExternalStore } from 'react';
import { type Api, api, take } from '../../api/client.ts';
import { putFile } from '../../api/put-file.ts';

/** A file on its way into a workspace. It goes on while somebody looks at other screens. */
export interface Sending {
  readonly id: number;
  readonly workspace: string;
  readonly file: File;
  readonly state:
    | 'comparing'
    | 'not_compared'
    | 'chosen'
    | 'same'
    | 'refused_size'
    | 'refused_kind'
    | 'refused_name'
    | 'refused_room'
    | 'waiting'
    | 'sending'
    | 'checking'
    | 'sent'
    | 'failed';
  /** Of its bytes, 0 to 1. */
  readonly share: number;
  /** SHA-256, where the browser can tell it. */
  readonly sum?: string | undefined;
  /** Documents of which it may be the next version, the likeliest first. */
  readonly candidates: readonly Known[];
  /** Id of that of which it becomes one; a document of its own without. */
  readonly versionOf?: string | undefined;
  /** The version of a document that has the same bytes. */
  readonly same?: Known | undefined;
  readonly error?: unknown;
}

type Known = Pick<Api['WorkProduct'], 'id' | 'name' | 'version'>;
type Match = Api['UploadMatches']['files'][number];

const AT_ONCE = 3;
const MOST_COMPARED = 500;
let all: readonly Sending[] = [];
let nextId = 1;
const watchers = new Set<() => void>();

function set(next: readonly Sending[]): void {
  all = next;
  for (const watcher of watchers) watcher();
}
const change = (id: number, values: Partial<Sending>): void =>
  set(all.map((one) => (one.id === id ? { ...one, ...values } : one)));

export const useSendings = (): readonly Sending[] =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => all,
  );

const isMoving = ({ state }: Sending): boolean => ['waiting', 'sending', 'checking'].includes(state);

window.addEventListener('beforeunload', (event) => {
  if (all.some(isMoving)) event.preventDefault();
});

const endingOf = (name: string): string => name.split('.').at(-1)?.toLowerCase() ?? '';

/** Puts files on the list, and asks what they would be there: nothing that is there already is sent. */
export async function choose(
  workspace: string,
  files: readonly File[],
  uploads: Api['Installation']['uploads'],
): Promise<void> {
  const chosen = files.map(
    (file): Sending => ({
      id: nextId++,
      workspace,
      file,
      share: 0,
      candidates: [],
      state: file.size > uploads.max_bytes ? 'refused_size' : 'comparing',
    }),
  );
  set([...all, ...chosen]);
  await compare(workspace);
}

/** Compares what waits for it, after a failure once more. */
export async function compare(workspace: string): Promise<void> {
  const isWaiting = ({ state }: Sending): boolean => state === 'comparing' || state === 'not_compared';
  const waiting = all.filter((one) => one.workspace === workspace && isWaiting(one));
  for (const { id } of waiting) change(id, { state: 'comparing' });
  for (let at = 0; at < waiting.length; at += MOST_COMPARED) {
    const part = waiting.slice(at, at + MOST_COMPARED);
    try {
      const sums = new Map<number, string | undefined>();
      // One after the other: each is in memory as a whole meanwhile.
      for (const one of part) sums.set(one.id, await sumOf(one.file));
      const { files } = await take(
        api.POST('/work-products/uploads/match', {
          body: {
            workspace_id: workspace,
            files: part.map(({ id, file }) => {
              const sha256 = sums.get(id);
              return { filename: file.name, size: Math.max(file.size, 1), ...(sha256 && { sha256 }) };
            }),
          },
        }),
      );
      for (const [place, one] of part.entries()) settle(one, files[place]!, sums.get(one.id));
    } catch (error) {
      for (const { id } of part) change(id, { state: 'not_compared', error });
    }
  }
}

const REFUSALS = {
  too_large: 'refused_size',
  unsupported_type: 'refused_kind',
  invalid_filename: 'refused_name',
  no_room: 'refused_room',
} as const;

function settle({ id, workspace }: Sending, match: Match, sum: string | undefined): void {
  const [first, second] = match.next_version_of;
  const before = all.find(
    (one) =>
      one.sum !== undefined &&
      one.sum === sum &&
      one.workspace === workspace &&
      !one.state.startsWith('refused'),
  );
  const isHere = match.same_as?.is_newest === true || before !== undefined;
  change(id, {
    sum,
    candidates: match.next_version_of,
    same: match.same_as ?? undefined,
    // Of two that are as likely a person has to choose.
    versionOf: first && first.why !== second?.why ? first.id : undefined,
    state: match.refused ? REFUSALS[match.refused.code] : isHere ? 'same' : 'chosen',
  });
}

/** SHA-256 in hexadecimal digits; undefined without a secure context (plain HTTP under a host name). */
async function sumOf(file: File): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle) return undefined;
  const bytes = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(bytes)].map((one) => one.toString(16).padStart(2, '0')).join('');
}

export const decide = (id: number, versionOf: string | undefined): void => change(id, { versionOf });
export const remove = (id: number): void => set(all.filter((one) => one.id !== id));
export const clear = (workspace: string): void =>
  set(all.filter((one) => one.workspace !== workspace || isMoving(one)));

/** Sends what was chosen, three at once; `onSent` after each. */
export function sendAll(
  workspace: string,
  uploads: Api['Installation']['uploads'],
  onSent: () => void,
): void {
  set(
    all.map((one) =>
      one.workspace === workspace && ['chosen', 'failed'].includes(one.state)
        ? { ...one, state: 'waiting' as const }
        : one,
    ),
  );
  fill(uploads, onSent);
}

function fill(uploads: Api['Installation']['uploads'], onSent: () => void): void {
  const busy = all.filter(({ state }) => state === 'sending' || state === 'checking').length;
  for (const one of all.filter(({ state }) => state === 'waiting').slice(0, AT_ONCE - busy)) {
    change(one.id, { state: 'sending', share: 0 });
    void send(one, uploads).then(
      () => {
        change(one.id, { state: 'sent', share: 1 });
        onSent();
        fill(uploads, onSent);
      },
      (error: unknown) => {
        change(one.id, { state: 'failed', error });
        fill(uploads, onSent);
      },
    );
  }
}

const send = (one: Sending, uploads: Api['Installation']['uploads']): Promise<string> =>
  sendFile(one.file, {
    workspace: one.workspace,
    uploads,
    versionOf: one.versionOf,
    sum: one.sum,
    onShare: (share) => change(one.id, share === 1 ? { share, state: 'checking' } : { share }),
  });

/**
 * Announces a file, sends it to where the service says, and tells that it is complete. `onShare`: of its bytes, 0 to 1. Answers the
 * id of the document.
 */
export async function sendFile(
  file: File,
  {
    workspace,
    uploads,
    versionOf: known,
    sum,
    onShare,
  }: {
    readonly workspace: string;
    readonly uploads: Api['Installation']['uploads'];
    /** Id of the document of which it is the next version. */
    readonly versionOf?: string | undefined;
    /** SHA-256, which the service compares with what arrives. */
    readonly sum?: string | undefined;
    readonly onShare: (share: number) => void;
  },
): Promise<string> {
  const format = uploads.formats.find(({ endings }) => endings.includes(endingOf(file.name)));
  const announced = {
    filename: file.name,
    size: file.size,
    content_type: format?.media_types[0] ?? (file.type || 'application/octet-stream'),
    ...(sum && { sha256: sum }),
  };
  const headers = { 'Idempotency-Key': crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}` };
  const session = known
    ? await take(
        api.POST('/work-products/{id}/uploads/init', {
          params: { path: { id: known }, header: headers },
          body: announced,
        }),
      )
    : await take(
        api.POST('/work-products/uploads/init', {
          params: { header: headers },
          body: { ...announced, workspace_id: workspace },
        }),
      );
  await putFile(session, file, onShare);
  onShare(1);
  if (known) {
    await take(
      api.POST('/work-products/{id}/uploads/{upload_id}/complete', {
        params: { path: { id: known, upload_id: session.upload_id } },
      }),
    );
  } else {
    await take(
      api.POST('/work-products/uploads/{file_id}/complete', {
        params: { path: { file_id: session.file_id } },
      }),
    );
  }
  return session.file_id;
}
