declare global {
  /** Answers by their addresses, on their way since the first script of the page ran; see `public/first-paint.js`. */
  var askedEarly: Map<string, Promise<Response>> | undefined;
}

/** What was asked for longer ago may be old. */
const FRESH_MILLISECONDS = 10_000;

/**
 * As `fetch`; what was asked already when the page began is not asked once more: each answer is handed over once. None of them
 * outlives a change, such as a sign-in, or a refusal: behind these they may be about somebody else.
 */
export async function fetchOnce(request: Request): Promise<Response> {
  if (request.method !== 'GET') globalThis.askedEarly = undefined;
  // Whoever could not be reached is asked again.
  const early = await takenFor(request.url)?.catch(() => undefined);
  if (!early) return fetch(request);
  if (!early.ok) globalThis.askedEarly = undefined;
  return early;
}

function takenFor(url: string): Promise<Response> | undefined {
  const { askedEarly } = globalThis;
  if (!askedEarly) return undefined;
  if (performance.now() > FRESH_MILLISECONDS) {
    globalThis.askedEarly = undefined;
    return undefined;
  }
  const address = url.slice(location.origin.length);
  const answer = askedEarly.get(address);
  askedEarly.delete(address);
  return answer;
}
