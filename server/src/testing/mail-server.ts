import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail as it arrived. */
export interface ArrivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers by their lower-case names, encoded words as they came. */
  readonly headers: ReadonlyMap<string, string>;
  /** The text, decoded. */
  readonly text: string;
}

export interface MailServer {
  readonly url: string;
  readonly mails: readonly ArrivedMail[];
  /** Refuses the next mails with this answer, as a server that is busy does. */
  refuse(count: number, code?: number): void;
  stop(): Promise<void>;
}

/** A real SMTP server on this machine that asks for a password and keeps what it takes. */
export async function startMailServer(
  login = { user: 'normtrace', password: 'p@ss word' },
): Promise<MailServer> {
  const mails: ArrivedMail[] = [];
  const refusals: number[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      const isRight = username === login.user && password === login.password;
      return done(isRight ? null : new Error('wrong password'), { user: username });
    },
    onData: (stream, { envelope }, done) => {
      text(stream).then((raw) => {
        const code = refusals.shift();
        if (code !== undefined) return done(Object.assign(new Error('busy'), { responseCode: code }));
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), ...read(raw) });
        return done();
      }, done);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const [user, password] = [login.user, login.password].map(encodeURIComponent);
  return {
    url: `smtp://${user}:${password}@127.0.0.1:${port}`,
    mails,
    refuse: (count, code = 451) => {
      refusals.push(...Array<number>(count).fill(code));
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The link of a mail: its token stands behind the =. */
export const tokenIn = ({ text }: ArrivedMail): string => /https?:\S+#[a-z-]+=(\S+)/.exec(text)?.[1] ?? '';

function read(raw: string): Pick<ArrivedMail, 'headers' | 'text'> {
  const at = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, at)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const body = raw.slice(at + 4);
  const encoding = headers.get('content-transfer-encoding');
  if (encoding === 'base64') return { headers, text: Buffer.from(body, 'base64').toString() };
  return { headers, text: encoding === 'quoted-printable' ? fromQuotedPrintable(body) : body };
}

const fromQuotedPrintable = (body: string): string =>
  Buffer.from(
    body
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
