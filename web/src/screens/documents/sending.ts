import { useSyncExternalStore } from 'react';
import { type Api, ApiFailure, api, take } from '../../api/client.ts';

/** A file on its way into a workspace. It goes on while somebody looks at other screens. */
export interface Sending {
  readonly id: number;
  readonly workspace: string;
  readonly file: File;
  readonly state:
    | 'chosen'
    | 'refused_size'
    | 'refused_kind'
    | 'waiting'
    | 'sending'
    | 'checking'
    | 'sent'
    | 'failed';
  /** Of its bytes, 0 to 1. */
  readonly share: number;
  /** The document of which it becomes the next version; a document of its own without. */
  readonly versionOf?: { readonly id: string; readonly name: string; readonly version: number };
  readonly asNew: boolean;
  readonly error?: unknown;
}

const AT_ONCE = 3;
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

/** Puts files on the list; `known` are the documents that are there, so that a new version is offered as one. */
export function choose(
  workspace: string,
  files: readonly File[],
  {
    uploads,
    known,
  }: { readonly uploads: Api['Installation']['uploads']; readonly known: readonly Api['WorkProduct'][] },
): void {
  const endings = new Set(uploads.formats.flatMap((format) => format.endings));
  const chosen = files.map((file): Sending => {
    const versionOf = known.find(({ original_filename }) => original_filename === file.name);
    return {
      id: nextId++,
      workspace,
      file,
      share: 0,
      asNew: versionOf === undefined,
      ...(versionOf && {
        versionOf: { id: versionOf.id, name: versionOf.name, version: versionOf.version + 1 },
      }),
      state:
        file.size > uploads.max_bytes
          ? 'refused_size'
          : endings.has(endingOf(file.name))
            ? 'chosen'
            : 'refused_kind',
    };
  });
  set([...all, ...chosen]);
}

export const decide = (id: number, asNew: boolean): void => change(id, { asNew });
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

const send = (one: Sending, uploads: Api['Installation']['uploads']): Promise<void> =>
  sendFile(one.file, {
    workspace: one.workspace,
    uploads,
    versionOf: one.asNew ? undefined : one.versionOf?.id,
    onShare: (share) => change(one.id, share === 1 ? { share, state: 'checking' } : { share }),
  });

/** Announces a file, sends it to where the service says, and tells that it is complete. `onShare`: of its bytes, 0 to 1. */
export async function sendFile(
  file: File,
  {
    workspace,
    uploads,
    versionOf: known,
    onShare,
  }: {
    readonly workspace: string;
    readonly uploads: Api['Installation']['uploads'];
    /** Id of the document of which it is the next version. */
    readonly versionOf?: string | undefined;
    readonly onShare: (share: number) => void;
  },
): Promise<void> {
  const format = uploads.formats.find(({ endings }) => endings.includes(endingOf(file.name)));
  const announced = {
    filename: file.name,
    size: file.size,
    content_type: format?.media_types[0] ?? (file.type || 'application/octet-stream'),
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
  await put(session, file, onShare);
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
}

/** `fetch` does not tell how much was sent. */
function put(
  { upload_url: url, headers }: Api['WorkProductUploadSession'],
  file: File,
  onShare: (share: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onShare(total === 0 ? 1 : loaded / total);
    request.onload = () =>
      request.status < 300
        ? resolve()
        : reject(new ApiFailure(request.status, errorIn(request.responseText)));
    request.onerror = () => reject(new ApiFailure(0, {}));
    request.send(file);
  });
}

function errorIn(text: string): Partial<Api['Error']['error']> {
  try {
    return (JSON.parse(text) as Partial<Api['Error']>).error ?? {};
  } catch {
    // The storage of objects answers in XML.
    return {};
  }
}
