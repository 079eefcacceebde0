import { escapeHtml } from '@shelfwise/facts/text/escape-html';
import type { RequestHandler, Response } from 'express';
import type { Clients } from '../clients.ts';
import { getRequestContext } from '../middleware/request-context.ts';

/** A page that a link in a mail opens, and what its button does. */
export type MailPage = { path: string; show: RequestHandler; act: RequestHandler };

/** Allows the form only: the page loads nothing, not even a style. */
const contentSecurityPolicy =
  "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

const deadlineMs = 5000;

/**
 * The pages of the links in mails. They need neither key nor session: the token in the address is enough. Opening one changes nothing,
 * because programs open all links of a mail; the button sends a POST, as do the programs of readers for one click (RFC 8058).
 */
export function createMailPages({
  notify,
}: {
  notify: Pick<Clients['notify'], 'confirmAlertChannel' | 'unsubscribeAlertChannel'>;
}): MailPage[] {
  return [
    mailPage({
      path: '/mail/confirm/{token}',
      question: 'Send alerts from Shelfwise to this mail address?',
      button: 'Confirm the address',
      async act(token, call) {
        const { is_confirmed: isConfirmed } = await notify.confirmAlertChannel({ token }, call);
        return isConfirmed
          ? { status: 200, text: 'The address is confirmed. Alerts are sent here from now on.' }
          : {
              status: 404,
              text: 'This link was used, or has expired. It works once, within a day. Ask for a new one in Shelfwise.',
            };
      },
    }),
    mailPage({
      path: '/mail/unsubscribe/{token}',
      question: 'Unsubscribe from these mails?',
      button: 'Unsubscribe',
      async act(token, call) {
        const { is_known: isKnown } = await notify.unsubscribeAlertChannel({ token }, call);
        return isKnown
          ? { status: 200, text: 'You are unsubscribed: no more of these mails are sent to this address.' }
          : {
              status: 404,
              text: 'This link belongs to no channel: it was deleted, or the link is incomplete. If mails still come, use the link in the newest one.',
            };
      },
    }),
  ];
}

type Call = { requestId: string; deadline: Date };

function mailPage(page: {
  path: string;
  question: string;
  button: string;
  act: (token: string, call: Call) => Promise<{ status: number; text: string }>;
}): MailPage {
  const { path, question, button, act } = page;
  return {
    path,
    show(_request, response) {
      setPageHeaders(response);
      const form = `<form method="post"><button type="submit">${button}</button></form>`;
      response.type('html').send(htmlOf(question, form));
    },
    async act(request, response) {
      setPageHeaders(response);
      const { requestId } = getRequestContext(response);
      const call = { requestId, deadline: new Date(Date.now() + deadlineMs) };
      const { status, text } = await act(String(request.params.token), call);
      response.status(status).type('html').send(htmlOf(text));
    },
  };
}

function setPageHeaders(response: Response): void {
  response.set({
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Robots-Tag': 'noindex, nofollow, noarchive',
  });
  getRequestContext(response).sendProblem = (message) => response.type('html').send(htmlOf(message));
}

function htmlOf(text: string, form = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shelfwise</title>
</head>
<body>
<main><p>${escapeHtml(text)}</p>${form}</main>
</body>
</html>
`;
}
