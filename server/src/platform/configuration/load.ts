import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Configuration, ExternalClient, ModelConfiguration } from './configuration.js';
import { findUnknownSettings } from './find-unknown-settings.js';
import { isPrivateHost, isThisMachine } from './private-host.js';
import {
  fileSettingOf,
  isSecret,
  SETTING_NAMES,
  type SettingName,
  type Settings,
  settingsSchema,
} from './settings.js';

/** The settings cannot be used; each problem is a sentence that names the setting. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * The configuration from the variables of a process: the entry points pass `process.env`, tests their own. Empty
 * variables count as unset. Throws a `ConfigurationError` with every problem at once.
 */
export function loadConfiguration(environment: Readonly<Record<string, string | undefined>>): Configuration {
  const unreadable: string[] = [];
  const given = Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const value = environment[name]?.trim() || readSecret(name, environment, unreadable);
      return value ? [[name, value]] : [];
    }),
  );
  const parsed = settingsSchema.safeParse(given);
  const malformed = (parsed.error?.issues ?? []).map((issue) => {
    const name = issue.path[0] as SettingName;
    const value = isSecret(name) ? '' : `: "${given[name]}"`;
    return `${name}${value} ${issue.message}.`;
  });
  const problems = [...findUnknownSettings(environment), ...unreadable, ...malformed];
  if (!parsed.success || problems.length > 0) throw new ConfigurationError(problems);
  return combine(parsed.data);
}

/** A secret may lie in a file that `<NAME>_FILE` names, as orchestrators hand secrets over. */
function readSecret(
  name: SettingName,
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): string | undefined {
  const file = isSecret(name) ? environment[fileSettingOf(name)]?.trim() : undefined;
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    problems.push(`${fileSettingOf(name)} names a file that cannot be read: "${file}".`);
    return undefined;
  }
}

function combine(settings: Settings): Configuration {
  const problems: string[] = [];
  const storage = storageOf(settings, problems);
  const auth = authOf(settings, problems);
  if (settings.DATABASE_OWNER_URL && !settings.DATABASE_URL) {
    problems.push('DATABASE_OWNER_URL is set without DATABASE_URL: the embedded database needs neither.');
  }
  if (settings.BILLING && !settings.PAYMENT_WEBHOOK_SECRET?.length) {
    problems.push(
      'BILLING is on, so PAYMENT_WEBHOOK_SECRET has to be set: without it no payment can be confirmed.',
    );
  }
  const watching = watchingOf(settings, problems);
  const baseUrl = settings.BASE_URL ?? defaultBaseUrl(settings.HOST, settings.PORT);
  const payments = paymentsOf(settings, baseUrl, problems);
  const mail = mailOf(settings, problems);
  const embeddings = embeddingsOf(settings, problems);
  const model = modelOf(settings, problems);
  if (problems.length > 0) throw new ConfigurationError(problems);

  return {
    port: settings.PORT,
    host: settings.HOST,
    dataDirectory: resolve(settings.DATA_DIR),
    baseUrl,
    ...optional('databaseUrl', settings.DATABASE_URL),
    ...optional('databaseOwnerUrl', settings.DATABASE_OWNER_URL),
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    storage,
    auth,
    accessTokenExpireMinutes: settings.ACCESS_TOKEN_EXPIRE_MINUTES,
    sessionMaxHours: settings.SESSION_MAX_HOURS,
    sessionIdleMinutes: settings.SESSION_IDLE_MINUTES,
    allowedOrigins: settings.ALLOWED_ORIGINS ?? [new URL(baseUrl).origin],
    requireHttps: settings.REQUIRE_HTTPS,
    trustProxy: settings.TRUST_PROXY,
    rateLimitPerMinute: settings.RATE_LIMIT_PER_MINUTE,
    rateLimitBurst: settings.RATE_LIMIT_BURST,
    rateLimitBrowserPerMinute: settings.RATE_LIMIT_BROWSER_PER_MINUTE,
    rateLimitBrowserBurst: settings.RATE_LIMIT_BROWSER_BURST,
    signUp: settings.SIGN_UP ?? (isThisMachine(settings.HOST) ? 'open' : 'invited'),
    ...optional('mail', mail),
    paymentWebhookSecrets: settings.PAYMENT_WEBHOOK_SECRET ?? [],
    payments,
    billing: settings.BILLING,
    planPrices: {
      pro: settings.PLAN_PRICE_PRO || undefined,
      consultant: settings.PLAN_PRICE_CONSULTANT || undefined,
    },
    webhooks: {
      allowHttp: settings.WEBHOOK_ALLOW_HTTP,
      allowNetworks: settings.WEBHOOK_ALLOW_NETWORKS ?? [],
    },
    analysisTimeoutMinutes: settings.ANALYSIS_TIMEOUT_MINUTES,
    maxUploadBytes: settings.MAX_UPLOAD_BYTES,
    minFreeBytes: settings.MIN_FREE_BYTES,
    maxImportBytes: settings.MAX_IMPORT_BYTES,
    quota: {
      ...optional('bytes', settings.WORKSPACE_MAX_BYTES),
      ...optional('workProducts', settings.WORKSPACE_MAX_WORK_PRODUCTS),
    },
    retention: {
      deletedDays: settings.RETENTION_DAYS_DELETED,
      expiredAttestationDays: settings.RETENTION_DAYS_EXPIRED_ATTESTATION,
    },
    workerConcurrency: settings.WORKER_CONCURRENCY ?? Math.min(4, Math.max(2, availableParallelism())),
    embeddings,
    ...optional('model', model),
    logLevel: settings.LOG_LEVEL,
    ...watching,
  };
}

function storageOf(settings: Settings, problems: string[]): Configuration['storage'] {
  const s3 = {
    S3_ENDPOINT: settings.S3_ENDPOINT,
    S3_REGION: settings.S3_REGION,
    S3_BUCKET: settings.S3_BUCKET,
    S3_ACCESS_KEY_ID: settings.S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: settings.S3_SECRET_ACCESS_KEY,
  };
  for (const [name, value] of Object.entries(s3)) {
    if (settings.STORAGE === 's3' && !value) problems.push(`STORAGE is s3, so ${name} has to be set.`);
    if (settings.STORAGE === 'disk' && value)
      problems.push(`${name} is set, but STORAGE is disk: set STORAGE=s3.`);
  }
  if (settings.STORAGE === 'disk') return { kind: 'disk' };
  return {
    kind: 's3',
    endpoint: s3.S3_ENDPOINT ?? '',
    region: s3.S3_REGION ?? '',
    bucket: s3.S3_BUCKET ?? '',
    accessKeyId: s3.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: s3.S3_SECRET_ACCESS_KEY ?? '',
  };
}

function authOf(settings: Settings, problems: string[]): Configuration['auth'] {
  const {
    AUTH_ISSUER: issuer,
    AUTH_AUDIENCE: audience,
    AUTH_JWKS_URL: jwksUrl,
    AUTH_JWT_SECRET: secret,
    AUTH_EMAIL_CLAIM: emailClaim,
  } = settings;
  if (jwksUrl && secret) {
    problems.push(
      'AUTH_JWKS_URL and AUTH_JWT_SECRET are both set: an issuer has public keys or a secret, not both.',
    );
  }
  if (jwksUrl) {
    if (!issuer) problems.push('AUTH_JWKS_URL is set, so AUTH_ISSUER has to be set.');
    if (!audience) problems.push('AUTH_JWKS_URL is set, so AUTH_AUDIENCE has to be set.');
    return {
      kind: 'jwks',
      issuer: issuer ?? '',
      audience: audience ?? '',
      jwksUrl,
      ...optional('emailClaim', emailClaim),
      ...optional('client', clientOf(settings, problems)),
    };
  }
  for (const name of ['AUTH_CLIENT_ID', 'AUTH_CLIENT_SECRET', 'AUTH_LABEL'] as const) {
    if (settings[name]) problems.push(`${name} is set, so AUTH_JWKS_URL and AUTH_ISSUER have to be set.`);
  }
  if (secret) {
    return {
      kind: 'secret',
      ...optional('issuer', issuer),
      ...optional('audience', audience),
      secret,
      ...optional('emailClaim', emailClaim),
    };
  }
  const ofAnIssuer = { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, AUTH_EMAIL_CLAIM: emailClaim };
  for (const [name, value] of Object.entries(ofAnIssuer)) {
    if (value) problems.push(`${name} is set, so AUTH_JWKS_URL or AUTH_JWT_SECRET has to be set.`);
  }
  return { kind: 'embedded' };
}

/** How people sign in at the issuer from a page of ours; undefined where they do not. */
function clientOf(settings: Settings, problems: string[]): ExternalClient | undefined {
  const {
    AUTH_CLIENT_ID: id,
    AUTH_CLIENT_SECRET: secret,
    AUTH_CLIENT_SCOPE: scope,
    AUTH_CLIENT_SIGN_OUT: signOut,
    AUTH_LABEL,
    AUTH_ISSUER,
  } = settings;
  if (!id) {
    for (const name of ['AUTH_CLIENT_SECRET', 'AUTH_LABEL'] as const) {
      if (settings[name]) problems.push(`${name} is set, so AUTH_CLIENT_ID has to be set.`);
    }
    return undefined;
  }
  const issuer = AUTH_ISSUER && URL.canParse(AUTH_ISSUER) ? new URL(AUTH_ISSUER) : undefined;
  const isProtected = issuer?.protocol === 'https:' || (issuer && isPrivateHost(issuer.hostname));
  if (!issuer || !isProtected) {
    problems.push('AUTH_CLIENT_ID is set, so AUTH_ISSUER has to be an address that begins with https://.');
  }
  return {
    id,
    ...optional('secret', secret),
    scope,
    label: AUTH_LABEL ?? issuer?.host ?? '',
    ...(signOut === 'issuer' && { signsOut: true as const }),
  };
}

function mailOf(settings: Settings, problems: string[]): Configuration['mail'] {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = settings;
  if (smtpUrl && from) return { smtpUrl, from };
  if (smtpUrl) problems.push('SMTP_URL is set, so MAIL_FROM has to be set: mails come from somebody.');
  if (from) problems.push('MAIL_FROM is set, so SMTP_URL has to be set: nobody would send the mails.');
  return undefined;
}

function watchingOf(settings: Settings, problems: string[]): Pick<Configuration, 'metrics' | 'traces'> {
  const {
    METRICS_PORT: port,
    METRICS_HOST: host,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: headers,
  } = settings;
  if (host && port === undefined) problems.push('METRICS_HOST is set, so METRICS_PORT has to be set.');
  if (port === settings.PORT) {
    problems.push(
      'METRICS_PORT and PORT are the same: metrics are not for everybody who can reach the service.',
    );
  }
  if (headers && !endpoint) {
    problems.push('OTEL_EXPORTER_OTLP_HEADERS is set, so OTEL_EXPORTER_OTLP_ENDPOINT has to be set.');
  }
  return {
    ...(port === undefined ? {} : { metrics: { host: host ?? '127.0.0.1', port } }),
    ...(endpoint ? { traces: { endpoint, headers: headers ?? '' } } : {}),
  };
}

function paymentsOf(settings: Settings, baseUrl: string, problems: string[]): Configuration['payments'] {
  const stripe = {
    STRIPE_SECRET_KEY: settings.STRIPE_SECRET_KEY,
    STRIPE_PRICE_PRO: settings.STRIPE_PRICE_PRO,
    STRIPE_PRICE_CONSULTANT: settings.STRIPE_PRICE_CONSULTANT,
  };
  if (settings.PAYMENT_PROVIDER === 'local') {
    for (const [name, value] of Object.entries({ ...stripe, STRIPE_API_BASE: settings.STRIPE_API_BASE })) {
      if (value) problems.push(`${name} is set, but PAYMENT_PROVIDER is local: set PAYMENT_PROVIDER=stripe.`);
    }
    // With BILLING and a public address the webhook still serves a provider of one's own that signs as we do.
    const isOpen = settings.PAYMENT_LOCAL_PUBLIC || isPrivateHost(new URL(baseUrl).hostname);
    return { kind: 'local', isOpen };
  }
  for (const [name, value] of Object.entries({
    ...stripe,
    PAYMENT_WEBHOOK_SECRET: settings.PAYMENT_WEBHOOK_SECRET?.length,
  })) {
    if (!value) problems.push(`PAYMENT_PROVIDER is stripe, so ${name} has to be set.`);
  }
  return {
    kind: 'stripe',
    secretKey: stripe.STRIPE_SECRET_KEY ?? '',
    apiBase: new URL(settings.STRIPE_API_BASE ?? 'https://api.stripe.com').origin,
    prices: { pro: stripe.STRIPE_PRICE_PRO ?? '', consultant: stripe.STRIPE_PRICE_CONSULTANT ?? '' },
  };
}

function embeddingsOf(settings: Settings, problems: string[]): Configuration['embeddings'] {
  const {
    EMBEDDINGS: kind,
    EMBEDDINGS_BASE_URL: baseUrl,
    EMBEDDINGS_NAME: name,
    EMBEDDINGS_DIMENSIONS: dimensions,
    EMBEDDINGS_API_KEY: apiKey,
    EMBEDDINGS_PLACE: place,
  } = settings;
  const needed = { EMBEDDINGS_BASE_URL: baseUrl, EMBEDDINGS_NAME: name, EMBEDDINGS_DIMENSIONS: dimensions };
  if (kind !== 'openai-compatible') {
    for (const [setting, value] of Object.entries({
      ...needed,
      EMBEDDINGS_API_KEY: apiKey,
      EMBEDDINGS_PLACE: place,
    })) {
      if (value === undefined) continue;
      problems.push(`${setting} is set, but EMBEDDINGS is ${kind}: set EMBEDDINGS=openai-compatible.`);
    }
    return kind;
  }
  for (const [setting, value] of Object.entries(needed)) {
    if (value === undefined) problems.push(`EMBEDDINGS is openai-compatible, so ${setting} has to be set.`);
  }
  return {
    baseUrl: baseUrl ?? '',
    name: name ?? '',
    dimensions: dimensions ?? 0,
    ...optional('apiKey', apiKey),
    place: place ?? 'outside',
  };
}

/** Addresses that a provider has for everybody. */
const PUBLIC_ADDRESSES: Readonly<Partial<Record<ModelConfiguration['provider'], string>>> = {
  anthropic: 'https://api.anthropic.com',
};

function modelOf(settings: Settings, problems: string[]): ModelConfiguration | undefined {
  const { MODEL_PROVIDER: provider, ...others } = settings;
  if (provider === 'off') {
    for (const [setting, value] of Object.entries(others)) {
      if (!setting.startsWith('MODEL_') || value === undefined) continue;
      problems.push(`${setting} is set, but MODEL_PROVIDER is off: set MODEL_PROVIDER.`);
    }
    return undefined;
  }
  const baseUrl = settings.MODEL_BASE_URL ?? PUBLIC_ADDRESSES[provider];
  for (const [setting, value] of Object.entries({
    MODEL_BASE_URL: baseUrl,
    MODEL_NAME: settings.MODEL_NAME,
  })) {
    if (value === undefined) problems.push(`MODEL_PROVIDER is ${provider}, so ${setting} has to be set.`);
  }
  const { MODEL_PRICE_INPUT: input, MODEL_PRICE_OUTPUT: output, MODEL_PRICE_CURRENCY: currency } = settings;
  const prices = [input, output, currency].filter((one) => one !== undefined);
  if (prices.length % 3 !== 0) {
    problems.push(
      'MODEL_PRICE_INPUT, MODEL_PRICE_OUTPUT and MODEL_PRICE_CURRENCY are set together or not at all.',
    );
  }
  return {
    provider,
    baseUrl: baseUrl ?? '',
    name: settings.MODEL_NAME ?? '',
    ...optional('criticName', settings.MODEL_CRITIC_NAME),
    ...optional('apiKey', settings.MODEL_API_KEY),
    place: settings.MODEL_PLACE ?? 'outside',
    contextTokens: settings.MODEL_CONTEXT_TOKENS ?? 8_192,
    structured: settings.MODEL_STRUCTURED ?? 'auto',
    concurrency: settings.MODEL_CONCURRENCY ?? 4,
    ...optional('requestsPerMinute', settings.MODEL_REQUESTS_PER_MINUTE),
    ...optional('tokensPerMinute', settings.MODEL_TOKENS_PER_MINUTE),
    timeoutSeconds: settings.MODEL_TIMEOUT_SECONDS ?? 120,
    attempts: settings.MODEL_ATTEMPTS ?? 3,
    seed: settings.MODEL_SEED ?? 1,
    ...(input === undefined || output === undefined || currency === undefined
      ? {}
      : { price: { input, output, currency } }),
    ...optional('budgetMonth', settings.MODEL_BUDGET_MONTH),
    keepRequests: settings.MODEL_KEEP_REQUESTS === 'true',
  };
}

/** Listening everywhere is no address to call. */
function defaultBaseUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function optional<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: Value };
}
