import { describe, expect, it } from 'vitest';
import { startMailServer } from '../../testing/mail-server.js';
import { languageOf, loadMailTexts, parseMailTexts } from './mail-texts.js';
import { openSmtp, smtpOptions } from './smtp.js';

const MAIL = { to: 'jo@example.org', subject: 'Grüße', text: 'Ein Link:\nhttp://127.0.0.1/#verify=adr_x\n' };

describe('a mail', () => {
  it('arrives as it was written', async () => {
    const server = await startMailServer();
    const mailer = await openSmtp({ smtpUrl: server.url, from: 'Normtrace <normtrace@example.org>' });
    await mailer.send(MAIL);
    expect(server.mails).toMatchObject([{ from: 'normtrace@example.org', to: ['jo@example.org'] }]);
    expect(server.mails[0]?.text.trim().split(/\r?\n/)).toEqual(MAIL.text.trim().split('\n'));
    await server.stop();
  });

  it('that the server does not take is an error without an address in it', async () => {
    const server = await startMailServer();
    server.refuse(1, 550);
    const mailer = await openSmtp({ smtpUrl: server.url, from: 'normtrace@example.org' });
    await expect(mailer.send(MAIL)).rejects.toThrow(/^The mail server did not take a mail: [^@]*550[^@]*\.$/);
    const stranger = await openSmtp({
      smtpUrl: server.url.replace('normtrace', 'stranger'),
      from: 'normtrace@example.org',
    });
    await expect(stranger.send(MAIL)).rejects.toThrow(/EAUTH/);
    await server.stop();
    await expect(mailer.send(MAIL)).rejects.toThrow(/ECONNREFUSED|ESOCKET/);
    expect(server.mails).toEqual([]);
  });

  it.each([
    ['smtp://mail.example.org', { host: 'mail.example.org', port: 587, secure: false, requireTLS: true }],
    ['smtp://127.0.0.1:1025', { port: 1025, secure: false, requireTLS: false }],
    ['smtp://mailer', { host: 'mailer', requireTLS: false }],
    ['smtps://jo:a%20b@mail.example.org', { port: 465, secure: true, auth: { user: 'jo', pass: 'a b' } }],
    ['smtp://[2001:db8::1]:25', { host: '2001:db8::1', port: 25, requireTLS: true }],
  ])('goes to %s encrypted unless the server is in the own network', (url, expected) => {
    expect(smtpOptions(url)).toMatchObject(expected);
  });

  it('is refused by a server that would have to encrypt and does not', async () => {
    const server = await startMailServer();
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({ ...smtpOptions(server.url), requireTLS: true });
    await expect(transport.sendMail({ ...MAIL, from: 'normtrace@example.org' })).rejects.toThrow(/TLS/);
    expect(server.mails).toEqual([]);
    await server.stop();
  });
});

describe('the texts', () => {
  it('have every place of their kind in every language', () => {
    const texts = loadMailTexts();
    for (const language of ['en', 'de'] as const) {
      const values = {
        service: 'https://x.example',
        link: 'https://x.example/#invitation={inviter}',
        inviter: 'Jo',
      };
      const { text } = texts.write('invitation', language, values);
      // What is put in is not looked through again.
      expect(text).toContain('#invitation={inviter}');
      expect(text.replace('{inviter}', '')).not.toContain('{');
    }
    expect(() => parseMailTexts('verify_address: {}')).toThrow();
  });

  it.each([
    [undefined, 'en'],
    ['*', 'en'],
    ['fr, de;q=0.5', 'de'],
    ['de-CH', 'de'],
    ['en;q=0.2, de;q=0.9', 'de'],
    ['de;q=0, en', 'en'],
    ['de;q=x', 'de'],
  ])('for %j are in %s', (header, language) => {
    expect(languageOf(header)).toBe(language);
  });
});
