import { z } from 'zod';
import { parseDatabaseUrl } from '../database/database-url.js';
import { parseNetwork } from '../outbound/addresses.js';

const message = (minimum: number, maximum: number) =>
  `has to be a whole number from ${minimum} to ${maximum}`;

const wholeNumber = (minimum: number, maximum: number) =>
  z.preprocess(
    (text) => (typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : text),
    z
      .number(message(minimum, maximum))
      .min(minimum, message(minimum, maximum))
      .max(maximum, message(minimum, maximum)),
  );

const oneOf = <const Words extends readonly [string, ...string[]]>(...words: Words) =>
  z.enum(words, `has to be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);

const switchedOn = (on: string, off: string) => oneOf(off, on).transform((word) => word === on);

const url = (...schemes: readonly string[]) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol), {
    error: `has to be an address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  });

const databaseUrl = () =>
  z.string().refine((text) => parseDatabaseUrl(text) !== undefined, {
    error:
      'has to be an address that starts with postgres:// or postgresql://; without a host (a socket) it ends with ?host=/directory',
  });

const httpUrl = () => url('http:', 'https:').transform((text) => text.replace(/\/+$/, ''));

const commaSeparated = () =>
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  error: 'has to hold origins such as https://app.example.org, without a path and without *',
});

const network = z.string().refine((text) => parseNetwork(text) !== undefined, {
  error: 'has to hold networks such as 10.1.0.0/16 or fd00:1::/32',
});

const text = () => z.string().trim();

/** Where words are sent: nothing that stands in an address may be a secret. */
const modelUrl = () =>
  url('http:', 'https:')
    .refine((value) => {
      if (!URL.canParse(value)) return false;
      const { username, password, search, hash } = new URL(value);
      return username === '' && password === '' && search === '' && hash === '';
    }, 'has to be an address without user, query and fragment')
    .transform((value) => value.replace(/\/+$/, ''));

const modelName = () => text().regex(/^[!-~]{1,200}$/, 'has to be a name without blanks');
const apiKey = () => text().regex(/^[!-~]+$/, 'has to be a key without blanks');

const price = () =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,12}(\.\d{1,6})?$/.test(value) ? Number(value) : value),
    z.number('has to be a number such as 0.15'),
  );
const priceLabel = (plan: string) =>
  text()
    .max(100)
    .optional()
    .describe(
      `What the plan \`${plan}\` costs, as people read it before they choose, such as \`49 € / month\`. Default: not said. ` +
        'What is charged is said by the payment provider.',
    );
/** Never shown, not even when it is malformed. */
const secret = (description: string) => ({ description, secret: true });

/**
 * Every setting of the service: its form, its default and what it is for. The only list of them; the help text and
 * `docs/configuration.md` are made from it.
 */
export const SETTINGS = {
  PORT: wholeNumber(1, 65_535).default(8000).describe('Port of the service.'),
  HOST: text()
    .regex(/^[A-Za-z0-9.:-]+$/, 'has to be a host name or an address')
    .default('127.0.0.1')
    .describe('Address to listen on. 0.0.0.0 lets other machines in: put a proxy with HTTPS in front of it.'),
  BASE_URL: httpUrl()
    .optional()
    .describe('Address under which people reach the service. Default: `http://HOST:PORT`.'),
  DATA_DIR: text()
    .min(1)
    .default('./.data')
    .describe(
      'Directory of the embedded database and of documents on disk. Belongs to one process at a time.',
    ),

  DATABASE_URL: databaseUrl()
    .optional()
    .meta(
      secret(
        'PostgreSQL 15 to 18 of your own: `postgres://user:password@host/name`, or by its socket `postgres://user:password@/name?host=/var/run/postgresql`. Unset: the embedded one, in `DATA_DIR`.',
      ),
    ),
  DATABASE_OWNER_URL: databaseUrl()
    .optional()
    .meta(
      secret(
        'The same database with a login that may create roles and tables; migrations use it. Default: `DATABASE_URL`.',
      ),
    ),
  DATABASE_POOL_SIZE: wholeNumber(2, 500)
    .default(12)
    .describe(
      'Connections to the database that one process opens at most for requests; a quarter more for itself.',
    ),

  STORAGE: oneOf('disk', 's3')
    .default('disk')
    .describe('Where the bytes of documents live: in `DATA_DIR` or in S3.'),
  S3_ENDPOINT: httpUrl()
    .optional()
    .describe('Address of the S3 service. Needed for `STORAGE=s3`, like the following.'),
  S3_REGION: text().optional().describe('Region of the bucket.'),
  S3_BUCKET: text().optional().describe('Name of the bucket.'),
  S3_ACCESS_KEY_ID: text().optional().describe('Id of the access key.'),
  S3_SECRET_ACCESS_KEY: text().optional().meta(secret('Secret of the access key.')),

  AUTH_ISSUER: text()
    .optional()
    .describe('Issuer (`iss`) of access tokens. Unset: the identity provider inside the service.'),
  AUTH_AUDIENCE: text().optional().describe('Audience (`aud`) that access tokens must name.'),
  AUTH_JWKS_URL: httpUrl().optional().describe("Address of the issuer's public keys (JWKS)."),
  AUTH_JWT_SECRET: z
    .string()
    .refine((value) => Buffer.byteLength(value) >= 32, 'has to have at least 32 bytes')
    .optional()
    .meta(secret('Shared secret of an issuer that signs with HS256, instead of `AUTH_JWKS_URL`.')),
  AUTH_EMAIL_CLAIM: text()
    .regex(/^[!-~]{1,200}$/, 'has to be the name of a claim, without blanks')
    .optional()
    .describe(
      'Claim with the email address in tokens of the issuer. The address counts as verified when the claim of the ' +
        'same name with `_verified` is `true`. Default: `email`.',
    ),
  AUTH_CLIENT_ID: text()
    .optional()
    .describe(
      'Client of this service at the issuer: people sign in there from the sign-in page (code flow with PKCE). Register the ' +
        'address `<BASE_URL>/auth/callback` for it.',
    ),
  AUTH_CLIENT_SECRET: text().optional().meta(secret('Secret of that client. Unset: a public client.')),
  AUTH_CLIENT_SCOPE: text()
    .regex(/^openid( [!-~]+)*$/, 'has to begin with "openid"')
    .default('openid email profile')
    .describe('What the issuer is asked for about whoever signs in.'),
  AUTH_CLIENT_SIGN_OUT: z
    .enum(['here', 'issuer'])
    .default('here')
    .describe(
      'Where signing out in the application ends: with the session `here`, or also with that at the `issuer`, where other ' +
        'applications may share it. Register the address `<BASE_URL>/sign-in` for it there (RP-initiated logout).',
    ),
  AUTH_LABEL: text().optional().describe('What the sign-in page calls the issuer. Default: its host.'),
  ACCESS_TOKEN_EXPIRE_MINUTES: wholeNumber(1, 1_440).default(30).describe('Life of an access token.'),
  SESSION_MAX_HOURS: wholeNumber(1, 720)
    .default(12)
    .describe('Time after which a session cannot be refreshed any more.'),
  SESSION_IDLE_MINUTES: wholeNumber(5, 1_440)
    .default(120)
    .describe(
      'Time without a request after which the session of a browser ends. `SESSION_MAX_HOURS` ends it in any case.',
    ),

  SIGN_UP: oneOf('open', 'invited', 'closed')
    .optional()
    .describe(
      'Who may make an account at the identity provider inside the service: everybody, people with an invitation, or ' +
        'nobody; the first account can always be made. Default: `open` while `HOST` is this machine alone, else `invited`.',
    ),
  SMTP_URL: url('smtp:', 'smtps:')
    .refine((value) => {
      if (!URL.canParse(value)) return false;
      const { hostname, pathname, search, hash } = new URL(value);
      return hostname !== '' && ['', '/'].includes(pathname) && search === '' && hash === '';
    }, 'has to be an address such as smtp://user:password@mail.example.org:587, without a path')
    .optional()
    .meta(
      secret(
        'Server that sends mails: invitations, verification of addresses, lost passwords. `smtp:` asks for encryption ' +
          '(STARTTLS) and needs it unless the server is in the own network, `smtps:` is encrypted from the first byte. ' +
          'Unset: no mail is sent, and administrators pass links on.',
      ),
    ),
  MAIL_FROM: text()
    .regex(/^(?:[^<>\r\n]{1,200} <[^@\s<>]+@[^@\s<>]+>|[^@\s<>]+@[^@\s<>]+)$/, {
      error: 'has to be an address such as normtrace@example.org or Normtrace <normtrace@example.org>',
    })
    .optional()
    .describe('Sender of mails. Needed for `SMTP_URL`.'),

  ALLOWED_ORIGINS: commaSeparated()
    .pipe(z.array(origin))
    .optional()
    .describe('Web origins that may call the API, separated by commas. Default: that of `BASE_URL`.'),
  REQUIRE_HTTPS: switchedOn('true', 'false')
    .default(false)
    .describe('`true` refuses plain HTTP and sends HSTS. Behind a proxy together with `TRUST_PROXY`.'),
  TRUST_PROXY: switchedOn('true', 'false')
    .default(false)
    .describe(
      '`true` believes what the nearest proxy says in `X-Forwarded-For` and `X-Forwarded-Proto`. Only behind a proxy that sets them.',
    ),
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000)
    .default(300)
    .describe('Requests per minute and user, in the long run.'),
  RATE_LIMIT_BURST: wholeNumber(1, 1_000_000).default(50).describe('Requests that a user may send at once.'),
  RATE_LIMIT_BROWSER_PER_MINUTE: wholeNumber(1, 1_000_000)
    .default(1200)
    .describe(
      'Requests per minute of a user in the application, in the long run: a screen asks several at once. Beside those of tokens; pictures of pages are counted for themselves, as many again.',
    ),
  RATE_LIMIT_BROWSER_BURST: wholeNumber(1, 1_000_000)
    .default(300)
    .describe('Requests that the application may send at once for a user.'),

  BILLING: switchedOn('on', 'off')
    .default(false)
    .describe('`on` asks for an active subscription (402 without one); `off` opens everything.'),
  PLAN_PRICE_PRO: priceLabel('pro'),
  PLAN_PRICE_CONSULTANT: priceLabel('consultant'),
  PAYMENT_WEBHOOK_SECRET: commaSeparated()
    .pipe(z.array(z.string()))
    .optional()
    .meta(secret('Secret that signs payment callbacks; several, separated by commas, while it is changed.')),
  PAYMENT_PROVIDER: oneOf('local', 'stripe')
    .default('local')
    .describe(
      'Who takes payments: `stripe`, or `local`, the test checkout of the installation, which takes no money and is ' +
        'closed while `BASE_URL` is public.',
    ),
  PAYMENT_LOCAL_PUBLIC: switchedOn('true', 'false')
    .default(false)
    .describe(
      '`true` opens the test checkout although `BASE_URL` is public: everybody can then have every plan for nothing.',
    ),
  STRIPE_SECRET_KEY: text()
    .regex(/^[!-~]+$/, 'has to be a key without blanks')
    .optional()
    .meta(secret('Secret key of the Stripe account. Needed for `PAYMENT_PROVIDER=stripe`, like the prices.')),
  STRIPE_API_BASE: url('http:', 'https:')
    .refine((value) => ['/', ''].includes(new URL(value).pathname), 'has to be an address without a path')
    .optional()
    .describe('Address of the Stripe API. Default: `https://api.stripe.com`.'),
  STRIPE_PRICE_PRO: text().optional().describe('Id of the recurring price of the plan `pro` at Stripe.'),
  STRIPE_PRICE_CONSULTANT: text()
    .optional()
    .describe('Id of the recurring price of the plan `consultant` at Stripe.'),

  WEBHOOK_ALLOW_NETWORKS: commaSeparated()
    .pipe(z.array(network))
    .optional()
    .describe(
      'Private networks that outgoing webhooks may reach, such as `10.1.0.0/16`, separated by commas. Default: the ' +
        'public internet only. Addresses of cloud metadata are never reached.',
    ),
  WEBHOOK_ALLOW_HTTP: switchedOn('true', 'false')
    .default(false)
    .describe('`true` lets outgoing webhooks use plain HTTP as well, for receivers of the house.'),

  ANALYSIS_TIMEOUT_MINUTES: wholeNumber(1, 1_440)
    .default(30)
    .describe('Time after which a running analysis is given up.'),
  MAX_UPLOAD_BYTES: wholeNumber(1, 5_000_000_000)
    .default(209_715_200)
    .describe('Largest file that is accepted, in bytes.'),
  MIN_FREE_BYTES: wholeNumber(0, 999_999_999_999_999)
    .default(100_000_000)
    .describe(
      'Bytes that the disk of `DATA_DIR` keeps free for the database: with less, health says `degraded` and uploads to it ' +
        'are answered 507.',
    ),
  WORKSPACE_MAX_BYTES: wholeNumber(1, 999_999_999_999_999)
    .optional()
    .describe('Bytes that the uploaded files of one workspace may have together. Default: no limit.'),
  WORKSPACE_MAX_WORK_PRODUCTS: wholeNumber(1, 1_000_000)
    .optional()
    .describe('Work products that one workspace may have. Default: no limit.'),
  MAX_IMPORT_BYTES: wholeNumber(1, 5_000_000_000)
    .default(2_147_483_648)
    .describe(
      'Largest workspace archive that is imported, in bytes; what it holds may have ten times as many.',
    ),
  RETENTION_DAYS_DELETED: wholeNumber(0, 36_500)
    .default(90)
    .describe(
      'Days after which a deleted work product or standard goes away for good, with what was derived from it ' +
        '(docs/retention.md).',
    ),
  RETENTION_DAYS_EXPIRED_ATTESTATION: wholeNumber(0, 36_500)
    .default(30)
    .describe(
      'Days after the end of an attestation after which the text of the standard is erased. It is hidden from the ' +
        'first day on.',
    ),
  WORKER_CONCURRENCY: wholeNumber(1, 64)
    .optional()
    .describe(
      'Jobs of one kind and workspace that one process works on at the same time; one more is for another workspace. Default: as many ' +
        'as the machine has cores, two at least and four at most.',
    ),
  EMBEDDINGS: oneOf('builtin', 'off', 'openai-compatible')
    .default('builtin')
    .describe(
      '`builtin` compares meanings with the model that comes along, whose work begins after each upload in the background; `off` ' +
        'compares words only; `openai-compatible` asks a server, which passages are sent to where the workspace allows it, else words only (docs/ai.md).',
    ),
  EMBEDDINGS_BASE_URL: modelUrl()
    .optional()
    .describe(
      'Address that `/embeddings` is appended to, usually ending in `/v1`. Needed for `EMBEDDINGS=openai-compatible`, ' +
        'like name and dimensions.',
    ),
  EMBEDDINGS_NAME: modelName().optional().describe('Name of the model of embeddings.'),
  EMBEDDINGS_DIMENSIONS: wholeNumber(1, 10_000).optional().describe('Length of its vectors.'),
  EMBEDDINGS_API_KEY: apiKey().optional().meta(secret('Key of the server of embeddings.')),
  EMBEDDINGS_PLACE: oneOf('outside', 'inside')
    .optional()
    .describe('`inside`: the server of embeddings is ours. Default: `outside`.'),

  MODEL_PROVIDER: oneOf('off', 'openai-compatible', 'anthropic', 'azure')
    .default('off')
    .describe(
      'A language model as a second opinion (docs/ai.md): which protocol its server speaks. `off`: rules alone, and ' +
        'nothing is sent anywhere.',
    ),
  MODEL_BASE_URL: modelUrl()
    .optional()
    .describe(
      'Address of the server; of an OpenAI-compatible one usually ending in `/v1`. Needed for a provider, like the name. ' +
        'Default for `anthropic`: `https://api.anthropic.com`.',
    ),
  MODEL_NAME: modelName()
    .optional()
    .describe('Name of the model, as its server lists it; at Azure that of the deployment.'),
  MODEL_API_KEY: apiKey().optional().meta(secret('Key of the server of the language model.')),
  MODEL_PLACE: oneOf('outside', 'inside')
    .optional()
    .describe(
      '`inside`: the server is ours, and workspaces that allow `inside` alone may use it. Default: `outside`.',
    ),
  MODEL_CRITIC_NAME: modelName()
    .optional()
    .describe('Another model of the same server that criticises. Default: the same.'),
  MODEL_CONTEXT_TOKENS: wholeNumber(2_048, 2_000_000)
    .optional()
    .describe(
      'Tokens of a question and its answer together, which the server must be set to as well. Default: 8192.',
    ),
  MODEL_STRUCTURED: oneOf('auto', 'json_schema', 'json_object', 'prompt')
    .optional()
    .describe('How answers are held to their form. Default: `auto`, what the probe found.'),
  MODEL_CONCURRENCY: wholeNumber(1, 1_000)
    .optional()
    .describe('Questions at the same time, of all processes together. Default: 4.'),
  MODEL_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000)
    .optional()
    .describe('Questions in a minute, of all processes together. Default: no limit.'),
  MODEL_TOKENS_PER_MINUTE: wholeNumber(1_000, 1_000_000_000)
    .optional()
    .describe('Tokens in a minute, of all processes together. Default: no limit.'),
  MODEL_TIMEOUT_SECONDS: wholeNumber(1, 3_600)
    .optional()
    .describe('Longest wait for one answer. Default: 120.'),
  MODEL_ATTEMPTS: wholeNumber(1, 10)
    .optional()
    .describe('How often a question is asked while the server is overloaded or fails. Default: 3.'),
  MODEL_SEED: wholeNumber(0, 2_147_483_647)
    .optional()
    .describe('Seed, with temperature 0; what it does is the provider’s. Default: 1.'),
  MODEL_PRICE_INPUT: price()
    .optional()
    .describe('Price of a million tokens of input. Without prices costs are told in tokens.'),
  MODEL_PRICE_OUTPUT: price().optional().describe('Price of a million tokens of output.'),
  MODEL_PRICE_CURRENCY: text()
    .regex(/^[A-Z]{3}$/, 'has to be a code such as EUR')
    .optional()
    .describe('Currency of the prices. Needed for prices.'),
  MODEL_BUDGET_MONTH: price()
    .optional()
    .describe(
      'What all workspaces together may spend in a calendar month (UTC): in the currency of the prices, without prices in ' +
        'tokens. Default: no limit. Workspaces may have less.',
    ),
  MODEL_KEEP_REQUESTS: oneOf('false', 'true')
    .optional()
    .describe('`true` keeps what was asked beside each answer, not its hash alone. Default: `false`.'),

  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')
    .default('info')
    .describe('Least severity that is logged. Logs never hold the content of documents.'),
  METRICS_PORT: wholeNumber(1, 65_535)
    .optional()
    .describe(
      'Port on which this process answers `GET /metrics` for Prometheus, without a token. Unset: nothing is measured.',
    ),
  METRICS_HOST: text()
    .regex(/^[A-Za-z0-9.:-]+$/, 'has to be a host name or an address')
    .optional()
    .describe('Address for `METRICS_PORT`: one of the internal network. Default: `127.0.0.1`.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl()
    .optional()
    .describe(
      'OpenTelemetry collector that receives traces (OTLP over HTTP, at `/v1/traces` below this address). Unset: no ' +
        'traces. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` are honoured.',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: text()
    .regex(/^[^=,\s]+=[^,]*(,[^=,\s]+=[^,]*)*$/, 'has to hold pairs such as name=value, separated by commas')
    .optional()
    .meta(secret('Headers for the collector: `name=value`, separated by commas, values percent-encoded.')),
} as const;

export type SettingName = keyof typeof SETTINGS;

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

export const isSecret = (name: SettingName): boolean => SETTINGS[name].meta()?.secret === true;

/** The variable that names a file with a secret. */
export const fileSettingOf = (name: SettingName): string => `${name}_FILE`;

export const settingsSchema = z.object(SETTINGS);

export type Settings = z.infer<typeof settingsSchema>;
