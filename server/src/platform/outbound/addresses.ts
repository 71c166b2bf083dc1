import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Where a service of a cloud tells its machines their credentials. Refused even where the network is allowed. */
const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd00:ec2::23',
];

/** Everything that is not for the public internet: the special-purpose registries of IANA (RFC 6890), IPv4. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Of IPv6 only global unicast is public, and of it not what is for documentation or carries an IPv4 address. */
const PUBLIC_IPV6 = '2000::/3';
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const special = listOf([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
const publicIpv6 = listOf([PUBLIC_IPV6]);
const metadata = listOf(METADATA.map((address) => `${address}/${isIPv4(address) ? 32 : 128}`));

/** A network as `address/bits`; undefined when the text is none. */
export function parseNetwork(text: string): { readonly address: string; readonly bits: number } | undefined {
  const [, address = '', bits = ''] = /^([0-9A-Fa-f.:]+)\/(\d{1,3})$/.exec(text) ?? [];
  const most = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
  return Number(bits) <= most ? { address, bits: Number(bits) } : undefined;
}

/** Networks in the notation `address/bits`. Throws for a text that is none. */
export function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (!network) throw new Error(`${text} is not a network such as 10.1.0.0/16.`);
    list.addSubnet(network.address, network.bits, isIPv4(network.address) ? 'ipv4' : 'ipv6');
  }
  return list;
}

/**
 * Whether something may be sent to this address: a public one, or one in the allowed networks; never an address of
 * cloud metadata. IPv4 inside IPv6 is judged as the IPv4 address.
 */
export function mayReach(address: string, allowed: BlockList): boolean {
  const plain = withoutMapping(address);
  const family = isIPv4(plain) ? 'ipv4' : isIPv6(plain) ? 'ipv6' : undefined;
  if (!family || metadata.check(plain, family)) return false;
  if (allowed.check(plain, family)) return true;
  if (family === 'ipv6' && !publicIpv6.check(plain, 'ipv6')) return false;
  return !special.check(plain, family);
}

/** `::ffff:127.0.0.1`, in any of its spellings, as `127.0.0.1`; a zone index is left out. */
function withoutMapping(address: string): string {
  const [text = ''] = address.split('%');
  if (!isIPv6(text)) return text;
  const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const bits = [high, low].map((group) => Number.parseInt(group, 16));
  return bits.flatMap((group) => [group >> 8, group & 255]).join('.');
}
