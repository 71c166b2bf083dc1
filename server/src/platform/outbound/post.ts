import { lookup as systemLookup } from 'node:dns/promises';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type BlockList, isIP, type LookupFunction } from 'node:net';
import { mayReach } from './addresses.js';

/** Why nothing was answered. Closed words: a message of the network could tell what is inside it. */
export type OutboundFailure =
  | 'refused_scheme'
  | 'refused_address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'protocol';

export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly failure: OutboundFailure;

  constructor(failure: OutboundFailure, cause?: unknown) {
    super(`The request was not answered: ${failure}.`, { cause });
    this.failure = failure;
  }
}

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export interface OutboundRules {
  /** Plain HTTP may be used as well. */
  readonly allowHttp: boolean;
  /** Private networks that may be reached. */
  readonly allowed: BlockList;
  /** From the name of a host to its addresses; the resolver of the machine unless told. */
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
  /** For the whole exchange, name resolution included. */
  readonly timeoutMilliseconds?: number;
}

/** What came back: the body is not read. */
export interface Answered {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

const TIMEOUT_MILLISECONDS = 15_000;
const MAX_HEADER_BYTES = 16_384;

/**
 * Posts to an address that somebody outside has chosen. The addresses of the host are checked after the resolution and
 * exactly those are connected to, so that a name which changes its answer gains nothing; if one is not allowed, none is
 * used. No redirect is followed, no connection is used again, and of the answer only status and headers are read.
 * Throws an `OutboundError`.
 */
export async function postOutbound(
  url: string,
  message: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly signal: AbortSignal;
  },
  rules: OutboundRules,
): Promise<Answered> {
  const target = new URL(url);
  const isHttps = target.protocol === 'https:';
  if (!isHttps && !(target.protocol === 'http:' && rules.allowHttp))
    throw new OutboundError('refused_scheme');
  const host = target.hostname.replace(/^\[|\]$/g, '');
  // For an address in the URL itself nothing is resolved, so nothing would be checked.
  if (isIP(host) && !mayReach(host, rules.allowed)) throw new OutboundError('refused_address');
  const timeout = AbortSignal.timeout(rules.timeoutMilliseconds ?? TIMEOUT_MILLISECONDS);
  const send = isHttps ? httpsRequest : httpRequest;
  const Agent = isHttps ? HttpsAgent : HttpAgent;

  return new Promise<Answered>((resolve, reject) => {
    const request = send(target, {
      method: 'POST',
      headers: { ...message.headers, 'content-length': Buffer.byteLength(message.body) },
      agent: new Agent({ keepAlive: false }),
      lookup: checkedLookup(rules),
      maxHeaderSize: MAX_HEADER_BYTES,
      signal: AbortSignal.any([message.signal, timeout]),
    });
    request.on('response', (response) => {
      const { statusCode = 0, headers } = response;
      resolve({ status: statusCode, retryAfter: headers['retry-after'] });
      request.destroy();
    });
    // An agent that does not know us asks to switch protocols or to tunnel: no answer that we understand.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new OutboundError('protocol'));
    });
    request.on('error', (error) => {
      if (message.signal.aborted) reject(message.signal.reason);
      else reject(timeout.aborted ? new OutboundError('timeout', error) : explain(error));
    });
    request.end(message.body);
  });
}

/** Resolves, checks, and gives the checked addresses themselves to the connection. */
function checkedLookup({ allowed, resolve = resolveBySystem }: OutboundRules): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (!first) return callback(new OutboundError('dns'), '', 0);
        if (!addresses.every(({ address }) => mayReach(address, allowed))) {
          return callback(new OutboundError('refused_address'), '', 0);
        }
        if (options.all) return callback(null, [...addresses]);
        return callback(null, first.address, first.family);
      },
      (error: unknown) => callback(new OutboundError('dns', error), '', 0),
    );
  };
}

const resolveBySystem = (host: string): Promise<readonly ResolvedAddress[]> =>
  systemLookup(host, { all: true, verbatim: true });

const TLS = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO|HOSTNAME_MISMATCH)/;

function explain(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = (error as { code?: unknown }).code;
  const name = typeof code === 'string' ? code : '';
  if (TLS.test(name)) return new OutboundError('tls', error);
  return new OutboundError(name.startsWith('HPE_') ? 'protocol' : 'connect', error);
}
