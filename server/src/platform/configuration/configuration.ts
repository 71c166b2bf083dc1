/** Every setting of the service, after parsing. Read once, passed as an argument. */
export interface Configuration {
  readonly port: number;
  readonly host: string;
  readonly dataDirectory: string;
  /** Public address of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** Unset: embedded PostgreSQL in `dataDirectory`. */
  readonly databaseUrl?: string;
  /** A login for migrations. Unset: `databaseUrl`. */
  readonly databaseOwnerUrl?: string;
  /** Connections of one process at most. */
  readonly databasePoolSize: number;
  readonly storage:
    | { readonly kind: 'disk' }
    | {
        readonly kind: 's3';
        readonly endpoint: string;
        readonly region: string;
        readonly bucket: string;
        readonly accessKeyId: string;
        readonly secretAccessKey: string;
      };
  /** `embedded`: the provider inside the service, with sign-up, sign-in and keys in the schema `auth`. */
  readonly auth:
    | { readonly kind: 'embedded' }
    | {
        readonly kind: 'jwks';
        readonly issuer: string;
        readonly audience: string;
        readonly jwksUrl: string;
        /** Claim with the address; unset: `email`. */
        readonly emailClaim?: string;
        /** As what this service is known to the issuer, so that people sign in there from a page of ours. */
        readonly client?: ExternalClient;
      }
    | {
        readonly kind: 'secret';
        readonly issuer?: string;
        readonly audience?: string;
        readonly secret: string;
        readonly emailClaim?: string;
      };
  readonly accessTokenExpireMinutes: number;
  readonly sessionMaxHours: number;
  /** How long the session of a browser lasts without a request. */
  readonly sessionIdleMinutes: number;
  readonly allowedOrigins: readonly string[];
  readonly requireHttps: boolean;
  readonly trustProxy: boolean;
  readonly rateLimitPerMinute: number;
  readonly rateLimitBurst: number;
  /** The same for requests with the cookie of a browser's session. */
  readonly rateLimitBrowserPerMinute: number;
  readonly rateLimitBrowserBurst: number;
  /** Who may make an account at the provider inside the service; the first account can always be made. */
  readonly signUp: 'open' | 'invited' | 'closed';
  /** How mails are sent; unset: none are. */
  readonly mail?: { readonly smtpUrl: string; readonly from: string };
  readonly paymentWebhookSecrets: readonly string[];
  readonly payments:
    | {
        readonly kind: 'local';
        /** False: no purchase is possible, because everybody could make one for nothing. */
        readonly isOpen: boolean;
      }
    | {
        readonly kind: 'stripe';
        readonly secretKey: string;
        /** Origin of the API. */
        readonly apiBase: string;
        readonly prices: { readonly pro: string; readonly consultant: string };
      };
  readonly billing: boolean;
  /** What paid plans cost, in the operator's words; undefined: not said. */
  readonly planPrices: { readonly pro: string | undefined; readonly consultant: string | undefined };
  /** What outgoing webhooks may reach beyond https on the public internet. */
  readonly webhooks: { readonly allowHttp: boolean; readonly allowNetworks: readonly string[] };
  readonly analysisTimeoutMinutes: number;
  readonly maxUploadBytes: number;
  readonly maxImportBytes: number;
  /** What has to stay free on the disk of `dataDirectory`. */
  readonly minFreeBytes: number;
  /** What one workspace may hold; a limit that is not there does not exist. */
  readonly quota: { readonly bytes?: number; readonly workProducts?: number };
  readonly retention: {
    /** From the deletion of something to the end of its rows. */
    readonly deletedDays: number;
    /** From the end of an attestation to that of the text. */
    readonly expiredAttestationDays: number;
  };
  readonly workerConcurrency: number;
  /** `off`: lexical retrieval only. */
  readonly embeddings: 'builtin' | 'off' | RemoteEmbeddings;
  /** The language model that may be asked; unset: none, and nothing is sent anywhere. */
  readonly model?: ModelConfiguration;
  /** Where this process tells its metrics; unset: nowhere, and nothing is measured. */
  readonly metrics?: { readonly host: string; readonly port: number };
  /** The OpenTelemetry collector that takes spans; unset: there are none. */
  readonly traces?: { readonly endpoint: string; readonly headers: string };
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
}

/** Where a server stands: ours, or somebody else's. It decides what may be sent. */
export type Place = 'inside' | 'outside';

export interface RemoteEmbeddings {
  readonly baseUrl: string;
  readonly name: string;
  readonly dimensions: number;
  readonly apiKey?: string;
  readonly place: Place;
}

export interface ModelConfiguration {
  readonly provider: 'openai-compatible' | 'anthropic' | 'azure';
  readonly baseUrl: string;
  readonly name: string;
  readonly criticName?: string;
  readonly apiKey?: string;
  readonly place: Place;
  readonly contextTokens: number;
  /** `auto`: what the probe found. */
  readonly structured: 'auto' | 'json_schema' | 'json_object' | 'prompt';
  /** Of all processes together. */
  readonly concurrency: number;
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  readonly timeoutSeconds: number;
  readonly attempts: number;
  readonly seed: number;
  /** Of a million tokens; unset: what is spent is counted in tokens. */
  readonly price?: { readonly input: number; readonly output: number; readonly currency: string };
  /** In the currency of the price, else in tokens. */
  readonly budgetMonth?: number;
  readonly keepRequests: boolean;
}

/** A client of an OpenID Connect issuer (OpenID Connect Core 1.0, code flow with PKCE, RFC 7636). */
export interface ExternalClient {
  readonly id: string;
  /** Unset: a public client, which PKCE alone protects. */
  readonly secret?: string;
  /** What the button of the sign-in page calls the issuer. */
  readonly label: string;
  readonly scope: string;
  /** Signing out leads to the issuer, to end the session there as well. */
  readonly signsOut?: true;
}
