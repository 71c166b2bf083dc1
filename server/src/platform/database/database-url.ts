/** Stands for the host that libpq leaves out; no machine has this name (RFC 2606). */
const NO_HOST = 'socket.invalid';
const EMPTY_HOST = /^(postgres(?:ql)?:\/\/[^@/?#]*@)(?=[/?]|$)/;

/**
 * The parts of an address of PostgreSQL. libpq also takes one without a host, which then stands among the parameters:
 * `postgres://user:password@/name?host=/var/run/postgresql`. Undefined for what is no such address.
 */
export function parseDatabaseUrl(text: string): URL | undefined {
  const url = text.replace(EMPTY_HOST, `$1${NO_HOST}`);
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (!['postgres:', 'postgresql:'].includes(parsed.protocol)) return undefined;
  return parsed.hostname === NO_HOST && !parsed.searchParams.get('host') ? undefined : parsed;
}

/** Where the server is, for a person: `db.example.org:5432`, `/var/run/postgresql`. */
export function placeOfDatabase(text: string): string {
  const url = parseDatabaseUrl(text);
  return url?.searchParams.get('host') ?? decodeURIComponent(url?.host ?? '');
}
