/** An event as it arrived. */
export interface ReceivedEvent {
  readonly id: number;
  readonly type: string;
  readonly data: Record<string, unknown>;
}

export interface Watching {
  /** Everything so far, in the order of arrival. */
  readonly events: readonly ReceivedEvent[];
  /** Resolves when the server ends the stream, or after `stop`. */
  readonly ended: Promise<void>;
  stop(): void;
}

/** Opens an event stream as a client would; throws when it is not answered with one. */
export async function watch(
  address: string,
  path: string,
  options: { readonly token: string | undefined; readonly after?: number },
): Promise<Watching> {
  const stopping = new AbortController();
  const response = await fetch(address + path, {
    signal: stopping.signal,
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${options.token}`,
      ...(options.after === undefined ? {} : { 'last-event-id': String(options.after) }),
    },
  });
  if (response.status !== 200 || !response.headers.get('content-type')?.includes('text/event-stream')) {
    throw new Error(`The stream was answered ${response.status}: ${await response.text()}`);
  }
  const events: ReceivedEvent[] = [];
  const read = async (): Promise<void> => {
    let rest = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = new Map(
          block.split('\n').map((line) => {
            const [name, value] = line.split(/: ?(.*)/s);
            return [name, value ?? ''] as const;
          }),
        );
        if (!fields.has('data')) continue;
        events.push({
          id: Number(fields.get('id')),
          type: fields.get('event') ?? '',
          data: JSON.parse(fields.get('data') ?? ''),
        });
      }
    }
  };
  const ended = read().catch((error: Error) => {
    if (!stopping.signal.aborted) throw error;
  });
  return { events, ended, stop: () => stopping.abort() };
}
