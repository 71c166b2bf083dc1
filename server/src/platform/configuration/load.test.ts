import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigurationError, loadConfiguration } from './load.js';

/** What a refusal says, sentence by sentence. */
function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfiguration(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

describe('loadConfiguration', () => {
  it('works without any setting', () => {
    expect(loadConfiguration({ PATH: '/bin', PGHOST: 'elsewhere', SESSION_MANAGER: 'x' })).toMatchObject({
      port: 8000,
      host: '127.0.0.1',
      baseUrl: 'http://127.0.0.1:8000',
      allowedOrigins: ['http://127.0.0.1:8000'],
      storage: { kind: 'disk' },
      auth: { kind: 'embedded' },
      billing: false,
      accessTokenExpireMinutes: 30,
      rateLimitPerMinute: 300,
      rateLimitBurst: 50,
      maxUploadBytes: 209_715_200,
    });
  });

  it('counts an empty variable as unset', () => {
    const configuration = loadConfiguration({ DATABASE_URL: '', PORT: ' ', S3_BUCKET: '' });
    expect(configuration.port).toBe(8000);
    expect(configuration).not.toHaveProperty('databaseUrl');
  });

  it('reads a secret from a file, and nothing else', () => {
    const folder = mkdtempSync(join(tmpdir(), 'normtrace-secrets-'));
    try {
      const file = join(folder, 'database');
      writeFileSync(file, 'postgres://app:pass@db/normtrace\n');
      expect(loadConfiguration({ DATABASE_URL_FILE: file }).databaseUrl).toBe(
        'postgres://app:pass@db/normtrace',
      );
      const both = { DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://other/x' };
      expect(loadConfiguration(both).databaseUrl).toBe('postgres://other/x');
      expect(problemsOf({ AUTH_JWT_SECRET_FILE: join(folder, 'none') })[0]).toContain('cannot be read');
      expect(problemsOf({ S3_BUCKET_FILE: file })[0]).toContain('S3_BUCKET_FILE is not a setting');
      writeFileSync(file, 'mysql://secret-word');
      const [problem] = problemsOf({ DATABASE_URL_FILE: file });
      expect(problem).toContain('DATABASE_URL');
      expect(problem).not.toContain('secret-word');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('reads every kind of value', () => {
    const configuration = loadConfiguration({
      PORT: '9000',
      HOST: '0.0.0.0',
      BASE_URL: 'https://trace.example.org/',
      ALLOWED_ORIGINS: 'https://a.example.org, https://b.example.org:8443',
      BILLING: 'on',
      REQUIRE_HTTPS: 'true',
      PAYMENT_WEBHOOK_SECRET: 'new,old',
      AUTH_ISSUER: 'https://id.example.org',
      AUTH_AUDIENCE: 'normtrace',
      AUTH_JWKS_URL: 'https://id.example.org/jwks',
    });
    expect(configuration).toMatchObject({
      port: 9000,
      baseUrl: 'https://trace.example.org',
      allowedOrigins: ['https://a.example.org', 'https://b.example.org:8443'],
      billing: true,
      requireHttps: true,
      trustProxy: false,
      paymentWebhookSecrets: ['new', 'old'],
      auth: { kind: 'jwks', issuer: 'https://id.example.org', audience: 'normtrace' },
    });
  });

  it('takes a mail server and its sender together', () => {
    const from = 'Normtrace <normtrace@example.org>';
    const smtpUrl = 'smtp://jo:secret@mail.example.org:587';
    expect(loadConfiguration({ SMTP_URL: smtpUrl, MAIL_FROM: from }).mail).toEqual({ smtpUrl, from });
    expect(loadConfiguration({}).mail).toBeUndefined();
    expect(problemsOf({ SMTP_URL: smtpUrl })).toEqual([
      'SMTP_URL is set, so MAIL_FROM has to be set: mails come from somebody.',
    ]);
    expect(problemsOf({ MAIL_FROM: from })).toEqual([
      'MAIL_FROM is set, so SMTP_URL has to be set: nobody would send the mails.',
    ]);
    for (const malformed of ['mail.example.org', 'https://mail.example.org', `${smtpUrl}/?pool=true`]) {
      const [problem = ''] = problemsOf({ SMTP_URL: malformed, MAIL_FROM: from });
      expect(problem).toMatch(/^SMTP_URL has to be/);
      expect(problem).not.toContain('secret');
    }
    expect(problemsOf({ SMTP_URL: smtpUrl, MAIL_FROM: 'a\r\nBcc: b@example.org' })[0]).toMatch(/^MAIL_FROM/);
  });

  it('names the claim of the address only where there is an issuer', () => {
    expect(problemsOf({ AUTH_EMAIL_CLAIM: 'upn' })).toEqual([
      'AUTH_EMAIL_CLAIM is set, so AUTH_JWKS_URL or AUTH_JWT_SECRET has to be set.',
    ]);
    expect(
      loadConfiguration({ AUTH_JWT_SECRET: 'x'.repeat(32), AUTH_EMAIL_CLAIM: 'upn' }).auth,
    ).toMatchObject({
      emailClaim: 'upn',
    });
  });

  it('does not take listening everywhere for an address to call', () => {
    expect(loadConfiguration({ HOST: '0.0.0.0', PORT: '80' }).baseUrl).toBe('http://localhost:80');
    expect(loadConfiguration({ HOST: '::1' }).baseUrl).toBe('http://[::1]:8000');
  });

  it.each([
    [{ PORT: 'http' }, 'PORT: "http" has to be a whole number from 1 to 65535.'],
    [{ PORT: '70000' }, 'PORT: "70000" has to be a whole number from 1 to 65535.'],
    [{ RATE_LIMIT_BURST: '1.5' }, 'RATE_LIMIT_BURST: "1.5" has to be a whole number from 1 to 1000000.'],
    [{ BILLING: 'yes' }, 'BILLING: "yes" has to be off or on.'],
    [{ STORAGE: 'S3' }, 'STORAGE: "S3" has to be disk or s3.'],
    [
      { BASE_URL: 'example.org' },
      'BASE_URL: "example.org" has to be an address that starts with http:// or https://.',
    ],
    [{ HOST: 'a b' }, 'HOST: "a b" has to be a host name or an address.'],
  ])('names what is malformed: %o', (environment, problem) => {
    expect(problemsOf(environment)).toEqual([problem]);
  });

  it.each(['*', 'https://a.example.org/path', 'a.example.org'])('refuses the origin %s', (origin) => {
    expect(problemsOf({ ALLOWED_ORIGINS: origin })[0]).toMatch(/^ALLOWED_ORIGINS: .* without \*\.$/);
  });

  it('never repeats a secret', () => {
    const [problem] = problemsOf({ AUTH_JWT_SECRET: 'hunter2' });
    expect(problem).toBe('AUTH_JWT_SECRET has to have at least 32 bytes.');
    expect(problemsOf({ DATABASE_URL: 'mysql://u:hunter2@h/d' })[0]).not.toContain('hunter2');
  });

  it.each([
    ['RATE_LIMIT_PER_MINUT', 'Did you mean RATE_LIMIT_PER_MINUTE?'],
    ['S3_BUKET', 'Did you mean S3_BUCKET?'],
    ['STROAGE', 'Did you mean STORAGE?'],
    ['DATABASE_ULR', 'Did you mean DATABASE_URL?'],
    ['AUTH_FOO', 'npm start -- --help lists all settings.'],
    ['NORMTRACE_PORT', 'npm start -- --help lists all settings.'],
  ])('asks about %s', (name, hint) => {
    expect(problemsOf({ [name]: 'x' })).toEqual([`${name} is not a setting of Normtrace. ${hint}`]);
  });

  it.each(['POST', 'HOSTS', 'DATABASE_HOST', 'DATABASE_PRIVATE_URL', 'LOGNAME', 'XDG_DATA_DIRS', 'HOSTNAME'])(
    'leaves %s alone, which is somebody else’s',
    (name) => {
      expect(problemsOf({ [name]: 'x' })).toEqual([]);
    },
  );

  it.each([
    [
      { STORAGE: 's3', S3_ENDPOINT: 'http://s3' },
      /S3_REGION has to be set.*S3_SECRET_ACCESS_KEY has to be set/s,
    ],
    [{ S3_BUCKET: 'b' }, /S3_BUCKET is set, but STORAGE is disk/],
    [{ AUTH_ISSUER: 'i' }, /AUTH_ISSUER is set, so AUTH_JWKS_URL or AUTH_JWT_SECRET/],
    [{ AUTH_JWKS_URL: 'https://i/jwks', AUTH_ISSUER: 'i' }, /AUTH_AUDIENCE has to be set/],
    [{ DATABASE_OWNER_URL: 'postgres://h/d' }, /without DATABASE_URL/],
    [{ METRICS_HOST: '10.0.0.1' }, /METRICS_HOST is set, so METRICS_PORT has to be set/],
    [{ METRICS_PORT: '8000' }, /METRICS_PORT and PORT are the same/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'key=secret-word' }, /so OTEL_EXPORTER_OTLP_ENDPOINT has to be set/],
    [{ BILLING: 'on' }, /PAYMENT_WEBHOOK_SECRET has to be set/],
    [
      { PAYMENT_PROVIDER: 'stripe', STRIPE_PRICE_PRO: 'p' },
      /STRIPE_SECRET_KEY has to be set.*STRIPE_PRICE_CONSULTANT has to be set.*PAYMENT_WEBHOOK_SECRET has to be set/s,
    ],
    [{ STRIPE_SECRET_KEY: 'sk_1' }, /^STRIPE_SECRET_KEY is set, but PAYMENT_PROVIDER is local: set \S+$/],
    [{ STRIPE_API_BASE: 'https://h/v1' }, /STRIPE_API_BASE.* has to be an address without a path/],
  ])('explains settings that do not fit together: %o', (environment, problem) => {
    expect(problemsOf(environment).join('\n')).toMatch(problem);
  });

  it.each([
    ['http://localhost:8000', true],
    ['http://[::1]:8000', true],
    ['http://10.1.2.3', true],
    ['http://172.31.0.1', true],
    ['http://192.168.1.5', true],
    ['http://[fd00::1]', true],
    ['http://normtrace', true],
    ['https://trace.home.arpa', true],
    ['https://trace.example.org', false],
    ['https://localhost.example.org', false],
    ['http://172.32.0.1', false],
    ['http://11.0.0.1', false],
    ['http://[2001:db8::1]', false],
    ['http://[::ffff:8.8.8.8]', false],
  ])('opens the test checkout at %s: %s', (BASE_URL, isOpen) => {
    expect(loadConfiguration({ BASE_URL }).payments).toEqual({ kind: 'local', isOpen });
    expect(loadConfiguration({ BASE_URL, PAYMENT_LOCAL_PUBLIC: 'true' }).payments).toMatchObject({
      isOpen: true,
    });
  });

  it('lets everybody sign up where only this machine gets in', () => {
    expect(loadConfiguration({}).signUp).toBe('open');
    expect(loadConfiguration({ HOST: '0.0.0.0' }).signUp).toBe('invited');
    expect(loadConfiguration({ HOST: '0.0.0.0', SIGN_UP: 'open' }).signUp).toBe('open');
  });

  it('says everything that is wrong at once', () => {
    expect(problemsOf({ PORT: 'x', S3_BUKET: 'y', LOG_LEVEL: 'loud' })).toHaveLength(3);
  });
});

describe('a language model', () => {
  const model = {
    MODEL_PROVIDER: 'openai-compatible',
    MODEL_BASE_URL: 'http://models:8000/v1/',
    MODEL_NAME: 'small',
  };

  it('is not there unless it is set', () => {
    const configuration = loadConfiguration({});
    expect(configuration).not.toHaveProperty('model');
    expect(configuration.embeddings).toBe('builtin');
  });

  it('has defaults for everything but address and name', () => {
    expect(loadConfiguration(model).model).toEqual({
      provider: 'openai-compatible',
      baseUrl: 'http://models:8000/v1',
      name: 'small',
      place: 'outside',
      contextTokens: 8192,
      structured: 'auto',
      concurrency: 4,
      timeoutSeconds: 120,
      attempts: 3,
      seed: 1,
      keepRequests: false,
    });
    expect(loadConfiguration({ MODEL_PROVIDER: 'anthropic', MODEL_NAME: 'm' }).model).toMatchObject({
      baseUrl: 'https://api.anthropic.com',
    });
  });

  it('takes its key from a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'normtrace-secrets-'));
    const file = join(folder, 'key');
    writeFileSync(file, 'sk-from-a-file\n');
    expect(loadConfiguration({ ...model, MODEL_API_KEY_FILE: file }).model?.apiKey).toBe('sk-from-a-file');
    rmSync(folder, { recursive: true });
  });

  it.each<[string, Record<string, string>, RegExp]>([
    [
      'without a name',
      { MODEL_PROVIDER: 'azure', MODEL_BASE_URL: 'https://x.openai.azure.com' },
      /MODEL_NAME has to be set/,
    ],
    ['without an address', { MODEL_PROVIDER: 'azure', MODEL_NAME: 'gpt' }, /MODEL_BASE_URL has to be set/],
    [
      'with settings that nobody reads',
      { MODEL_NAME: 'gpt' },
      /MODEL_NAME is set, but MODEL_PROVIDER is off/,
    ],
    [
      'with a key in the address',
      { ...model, MODEL_BASE_URL: 'https://user:secret@x/v1' },
      /without user, query/,
    ],
    ['with half a price', { ...model, MODEL_PRICE_INPUT: '1' }, /together or not at all/],
    [
      'with a price that is none',
      { ...model, MODEL_PRICE_INPUT: 'cheap' },
      /has to be a number such as 0.15/,
    ],
    ['with a small context', { ...model, MODEL_CONTEXT_TOKENS: '512' }, /from 2048/],
    [
      'embeddings without dimensions',
      { EMBEDDINGS: 'openai-compatible', EMBEDDINGS_BASE_URL: 'http://e/v1', EMBEDDINGS_NAME: 'e' },
      /EMBEDDINGS_DIMENSIONS has to be set/,
    ],
    ['embeddings that are not remote', { EMBEDDINGS_NAME: 'e' }, /EMBEDDINGS is builtin: set/],
  ])('is refused %s', (_, environment, problem) => {
    expect(problemsOf(environment).join('\n')).toMatch(problem);
  });

  it('never shows its key', () => {
    expect(problemsOf({ ...model, MODEL_API_KEY: 'with blanks inside' }).join()).not.toContain(
      'blanks inside',
    );
  });
});
