import { BlockList, isIP } from 'node:net';

const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4');
}
PRIVATE.addAddress('::1', 'ipv6');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** Names that the public name system never resolves (RFC 6761, RFC 6762, RFC 8375, and `internal`). */
const PRIVATE_NAMES = /(^|\.)(localhost|local|internal|home\.arpa|test|lan)$/;

/** The host of an address as `new URL` writes it: only reachable from this machine or its own network. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const family = isIP(host);
  if (family !== 0) return PRIVATE.check(host, family === 6 ? 'ipv6' : 'ipv4');
  return !host.includes('.') || PRIVATE_NAMES.test(host);
}

/** What `HOST` says: listening for this machine alone. */
export const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\./.test(host);
