/**
 * The body of an answer as text; throws when it is longer, and with the reason of the signal when that is aborted.
 * Looks at the signal itself: Node 20 may have lost the one that `fetch` was given by the time the body comes, a
 * character now and then, or stops to come.
 */
export async function readBounded(
  response: Response,
  { signal, mostBytes }: { readonly signal: AbortSignal; readonly mostBytes: number },
): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const leave = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', leave, { once: true });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return Buffer.concat(chunks).toString('utf8');
      bytes += value.byteLength;
      if (bytes > mostBytes) throw new Error('The answer is too long.');
      chunks.push(value);
    }
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}
