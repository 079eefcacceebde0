import { isIP } from 'node:net';
import { withTimeLimit } from '@shelfwise/runtime/concurrency/deadline';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { createTransport } from 'nodemailer';
import type { MailText } from './mail-texts.ts';

/** To the operator's server, at most; mail beyond that waits in this process. */
export const mailConnections = 4;

/** Where mail is handed over. */
export type SmtpServer = {
  host: string;
  port: number;
  /** TLS from the beginning; otherwise STARTTLS if the server has it. */
  isSecure: boolean;
  login: { user: string; pass: string } | null;
};

export type MailSender = { name: string; address: string };

/** What is needed to send mail. */
export type MailSettings = {
  server: SmtpServer;
  from: MailSender;
  /** Where links lead: the origin at which people reach the gateway. */
  publicUrl: string;
};

export type Mail = MailText & {
  to: string;
  /** Unique, and the same at every try. */
  id: string;
  /** Where one click unsubscribes; null: it is the only mail. */
  unsubscribeUrl: string | null;
};

/** How a try went. */
export type MailOutcome = {
  /** Reply code of the server; null: no answer */
  status: number | null;
  /** Why it failed, in a sentence, without the server's own words; null: the server has taken it. */
  failure: string | null;
  /** The server says for good that there is no such address. */
  isGone: boolean;
  /** Nothing was answered in time: the server may have taken the mail. */
  isUnanswered: boolean;
  durationMs: number;
};

export type Mailer = ReturnType<typeof createMailer>;

/**
 * Hands mail over to the operator's server, by few connections that are kept. Whatever the server does is an outcome; only the
 * reason of the signal is thrown. A server that takes no mail is logged once until it takes one: it is the operator's matter, while
 * an address that it refuses is the account's.
 */
export function createMailer(
  { server, from, publicUrl }: MailSettings,
  { timeoutMs, logger }: { timeoutMs: number; logger: Pick<Logger, 'warn'> },
) {
  const { host, port, isSecure, login } = server;
  let isFailing = false;
  const transport = createTransport({
    pool: true,
    maxConnections: mailConnections,
    // A connection that closes is a failed try, which is repeated by the schedule.
    maxRequeues: 0,
    host,
    port,
    secure: isSecure,
    // A password never goes unencrypted over a network.
    requireTLS: !isSecure && login !== null && !isLoopback(host),
    auth: login ?? undefined,
    // Before the time of the whole try is over: then it is known that the server has taken nothing.
    dnsTimeout: timeoutMs / 2,
    connectionTimeout: timeoutMs / 2,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);

  async function send(mail: Mail, signal?: AbortSignal): Promise<MailOutcome> {
    const startMs = performance.now();
    const outcome = (result: Omit<MailOutcome, 'durationMs'>): MailOutcome => ({
      ...result,
      durationMs: Math.round(performance.now() - startMs),
    });
    // The signal of a worker outlives its mails: nothing of them stays on it.
    return withTimeLimit({ ms: timeoutMs, error: timeUp, signal }, async (limited) => {
      try {
        const { response } = await transport.sendMail({
          // Ends the connection, too, so that a server that hangs holds none.
          signal: limited,
          from,
          to: { name: '', address: mail.to },
          envelope: { from: from.address, to: mail.to },
          messageId: `<${mail.id}@${domain}>`,
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          headers:
            mail.unsubscribeUrl === null ? automatic : { ...automatic, ...oneClick(mail.unsubscribeUrl) },
        });
        isFailing = false;
        return outcome({ status: readCode(response), failure: null, isGone: false, isUnanswered: false });
      } catch (error) {
        signal?.throwIfAborted();
        const explained = limited.aborted ? { ...tooLate, isUnanswered: true } : explain(error);
        if (!isOfAddress(error)) logFailure(explained);
        return outcome(explained);
      }
    });
  }

  /** Without the error, which may name the address. */
  function logFailure({ status, failure }: Pick<MailOutcome, 'status' | 'failure'>): void {
    if (isFailing) return;
    isFailing = true;
    logger.warn(
      { status, reason: failure },
      'the mail server of SMTP_URL takes no mail; mails are tried again',
    );
  }

  return { send, publicUrl, close: () => transport.close() };
}

/** Created once: an error has a stack. */
const timeUp = new Error('The mail server did not answer in time.');

const automatic = { 'Auto-Submitted': 'auto-generated' };

/** RFC 8058: programs of readers unsubscribe by a POST to the address. */
function oneClick(url: string) {
  return {
    'List-Unsubscribe': { prepared: true, value: `<${url}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** Fields of an error of the library. */
type SmtpError = { code?: string; responseCode?: number; command?: string; response?: string };

/**
 * RFC 3463: there is no such mailbox or domain, or it is disabled (5.2.1). A server that does not trust this installation refuses
 * every address, often without a code of this kind, which must not end all channels.
 */
const unknownMailbox = /^5\d\d[ -]5\.(?:1\.(?:0|1|2|3|6|10)|2\.1)\b/;

/** Whether the server has refused the address only, for good or, as with greylisting, for now. */
function isOfAddress(error: unknown): boolean {
  const { command, responseCode, response = '' } = (error ?? {}) as SmtpError;
  if (command !== 'RCPT TO' || !responseCode) return false;
  return responseCode < 500 || unknownMailbox.test(response);
}

const tooLate = {
  status: null,
  failure: 'The mail server did not answer in time.',
  isGone: false,
  isUnanswered: false,
};

function explain(error: unknown): Omit<MailOutcome, 'durationMs'> {
  const { code, responseCode = null, command, response = '' } = (error ?? {}) as SmtpError;
  const status = responseCode || null;
  const failed = (failure: string, isGone = false) => ({ status, failure, isGone, isUnanswered: false });
  if (status !== null && command === 'RCPT TO')
    return unknownMailbox.test(response)
      ? failed(`The mail server says that there is no such address (${status}).`, true)
      : failed(`The mail server does not take mail for this address now (${status}).`);
  if (status !== null) return failed(`The mail server refused the mail (${status}).`);
  if (code === 'ETIMEDOUT') return tooLate;
  return failed('The mail server could not be reached.');
}

function readCode(response: string): number | null {
  const code = /^[2-5]\d\d/.exec(response)?.[0];
  return code === undefined ? null : Number(code);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
