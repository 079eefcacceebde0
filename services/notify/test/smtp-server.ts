import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { useClosing } from '../../../testing/use-closing.ts';
import type { MailSettings } from '../src/delivery/mailer.ts';

/** A mail as the server got it. */
export type ReceivedMail = {
  from: string;
  to: string[];
  /** in lower case, unfolded */
  headers: Record<string, string>;
  /** as it came */
  source: string;
  /** the two forms, decoded */
  text: string;
  html: string;
};

export type TestSmtp = Awaited<ReturnType<ReturnType<typeof createSmtpHarness>['startSmtp']>>;

/** Real mail servers on this machine, for the tests of a file. */
export function createSmtpHarness() {
  const closing = useClosing();

  async function startSmtp() {
    const mails: ReceivedMail[] = [];
    /** What it answers to the address and to the mail; null: it takes them. `hang`: it never answers. */
    const answers: { rcpt: number | 'hang' | null; data: number | null; reason: string } = {
      rcpt: null,
      data: null,
      reason: 'not here',
    };
    let tries = 0;
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      closeTimeout: 10,
      onRcptTo(_address, _session, callback) {
        tries += 1;
        if (answers.rcpt === 'hang') return;
        callback(answers.rcpt === null ? null : refusal(answers.rcpt, answers.reason));
      },
      onData(stream, session, callback) {
        text(stream).then((source) => {
          if (answers.data !== null) return callback(refusal(answers.data, answers.reason));
          const { mailFrom, rcptTo } = session.envelope;
          mails.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            ...read(source),
          });
          callback();
        }, callback);
      },
    });
    server.on('error', () => {});
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const { port } = server.server.address() as AddressInfo;
    const mail: MailSettings = {
      server: { host: '127.0.0.1', port, isSecure: false, login: null },
      from: { name: 'Shelfwise', address: 'alerts@aso.example.com' },
      publicUrl: 'https://aso.example.com',
    };
    return { mail, mails, answers, tries: () => tries };
  }
  return { startSmtp };
}

function refusal(code: number, reason: string): Error & { responseCode: number } {
  return Object.assign(new Error(reason), { responseCode: code });
}

function read(source: string): Pick<ReceivedMail, 'headers' | 'source' | 'text' | 'html'> {
  const { headers, body } = split(source);
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1];
  const parts = boundary === undefined ? [] : body.split(`--${boundary}`).slice(1, -1).map(decodePart);
  const ofType = (type: string) =>
    parts.find(({ headers: own }) => own['content-type']?.startsWith(type))?.body ?? '';
  return { headers, source, text: ofType('text/plain'), html: ofType('text/html') };
}

function split(source: string): { headers: Record<string, string>; body: string } {
  const [head = '', ...rest] = source.replace(/^\r\n/, '').split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { headers, body: rest.join('\r\n\r\n') };
}

function decodePart(source: string) {
  const { headers, body } = split(source);
  return { headers, body: decode(body, headers['content-transfer-encoding']).trimEnd() };
}

function decode(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8').replaceAll('\r\n', '\n');
  if (encoding !== 'quoted-printable') return body.replaceAll('\r\n', '\n');
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n');
}
