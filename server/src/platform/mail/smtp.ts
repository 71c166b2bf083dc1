import type { Configuration } from '../configuration/configuration.js';
import { isPrivateHost } from '../configuration/private-host.js';
import type { MailText } from './mail-texts.js';

/** Sends mails. */
export interface Mailer {
  /** Throws when the server did not take it; the message says how the server answered, and no address. */
  send(mail: MailText & { readonly to: string }): Promise<void>;
}

const CONNECTING_MILLISECONDS = 10_000;
const SILENT_MILLISECONDS = 30_000;

/**
 * How the server of the settings is reached. `smtp:` starts encryption where the server offers it, and refuses a server
 * that does not unless it is in the own network; certificates are always checked.
 */
export function smtpOptions(smtpUrl: string) {
  const url = new URL(smtpUrl);
  const isEncrypted = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const [user = '', pass = ''] = [url.username, url.password].map(decodeURIComponent);
  return {
    host,
    port: Number(url.port || (isEncrypted ? 465 : 587)),
    secure: isEncrypted,
    requireTLS: !isEncrypted && !isPrivateHost(host),
    ...(user === '' ? {} : { auth: { user, pass } }),
    connectionTimeout: CONNECTING_MILLISECONDS,
    greetingTimeout: CONNECTING_MILLISECONDS,
    socketTimeout: SILENT_MILLISECONDS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The SMTP server of the settings. */
export async function openSmtp({ smtpUrl, from }: NonNullable<Configuration['mail']>): Promise<Mailer> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(smtpOptions(smtpUrl));
  return {
    async send({ to, subject, text }) {
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        const { code, responseCode, command } = error as Record<string, unknown>;
        const how = [code, responseCode, command].filter(Boolean).join(' ') || 'an unknown error';
        throw new Error(`The mail server did not take a mail: ${how}.`);
      }
    },
  };
}
