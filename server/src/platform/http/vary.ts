import type { FastifyReply } from 'fastify';

/** Names a header of the request that the answer depends on, beside those named already. */
export function varyBy(reply: FastifyReply, name: string): void {
  reply.header('vary', joined(reply.getHeader('vary'), name));
}

function joined(header: number | string | string[] | undefined, name: string): string {
  const names = String(header ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return names.some((one) => one.toLowerCase() === name.toLowerCase())
    ? names.join(', ')
    : [...names, name].join(', ');
}
