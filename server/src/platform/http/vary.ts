import type { FastifyReply } from 'fastify';

/** Names a header of the request that the answer depends on, beside those named already. */
export function varyBy(reply: FastifyReply, name: string): void {
  const header = reply.getHeader('vary');
  const key = `${String(header ?? '')}\n${name}`;
  let whole = known.get(key);
  if (whole === undefined) {
    whole = joined(header, name);
    if (known.size < MOST_KNOWN) known.set(key, whole);
  }
  reply.header('vary', whole);
}

/** There are a few: what routes and the service itself name. */
const known = new Map<string, string>();
const MOST_KNOWN = 100;

function joined(header: number | string | string[] | undefined, name: string): string {
  const names = String(header ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return names.some((one) => one.toLowerCase() === name.toLowerCase())
    ? names.join(', ')
    : [...names, name].join(', ');
}
