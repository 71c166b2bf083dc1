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

/** The events of the text of a stream, as the API description tells them. */
export const eventsIn = (text: string): readonly { id: string; event: string; data: unknown }[] =>
  text.split('\n\n').flatMap((block) => {
    const fields = fieldsOf(block);
    const data = fields.get('data');
    if (data === undefined) return [];
    return [{ id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(data) }];
  });

const fieldsOf = (block: string): ReadonlyMap<string, string> =>
  new Map(
    block.split('\n').map((line) => {
      const [name = '', value] = line.split(/: ?(.*)/s);
      return [name, value ?? ''];
    }),
  );

/** Opens an event stream as a client would; throws when it is not answered with one. */
export async function watch(
  address: string,
  path: string,
  options: { readonly token?: string | undefined; readonly cookie?: string; readonly after?: number },
): Promise<Watching> {
  const stopping = new AbortController();
  const response = await fetch(address + path, {
    signal: stopping.signal,
    headers: {
      accept: 'text/event-stream',
      ...(options.cookie === undefined
        ? { authorization: `Bearer ${options.token}` }
        : { cookie: options.cookie }),
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
        for (const { id, event, data } of eventsIn(block))
          events.push({ id: Number(id), type: event, data: data as Record<string, unknown> });
      }
    }
  };
  const ended = read().catch((error: Error) => {
    if (!stopping.signal.aborted) throw error;
  });
  return { events, ended, stop: () => stopping.abort() };
}
