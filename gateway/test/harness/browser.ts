import type { ApiAnswer, useGateway } from './use-gateway.ts';

type Api = Pick<ReturnType<typeof useGateway>, 'call'>;

type BrowserRequest = { body?: unknown; headers?: Record<string, string>; withoutPause?: boolean };

export type Browser = ReturnType<typeof openBrowser>;

/** What a browser adds to a call that a page of the dashboard makes. */
export const ownPage = { 'sec-fetch-site': 'same-origin', 'x-shelfwise-page': '1' };

/** A browser that keeps the cookie of the gateway and sends it with every call. `from` is its address. */
export function openBrowser(api: Api, { cookie = '', from }: { cookie?: string; from?: string } = {}) {
  const browser = {
    /** `name=value`; empty without one */
    cookie,
    /** A call of the dashboard's own page. */
    send: (method: string, path: string, request: BrowserRequest = {}): Promise<ApiAnswer> =>
      browser.sendAs(ownPage, method, path, request),
    /** The same with these headers instead of those of an own page. */
    async sendAs(
      page: Record<string, string>,
      method: string,
      path: string,
      { headers, ...request }: BrowserRequest = {},
    ): Promise<ApiAnswer> {
      const sent: Record<string, string> = { ...page, ...headers };
      if (browser.cookie !== '') sent.cookie = browser.cookie;
      if (from !== undefined) sent['x-forwarded-for'] = from;
      const answer = await api.call(method, `/dashboard${path}`, { key: null, headers: sent, ...request });
      const set = answer.headers.get('set-cookie');
      if (set !== null) browser.cookie = /^[^=]+=;/.test(set) ? '' : (set.split(';')[0] ?? '');
      return answer;
    },
    signInByKey: (key: string) => browser.send('POST', '/session/key', { body: { key } }),
    signInByCode: (code: string) => browser.send('POST', '/session/link', { body: { code } }),
  };
  return browser;
}

/** The code of a sign-in link. */
export const codeOf = ({ link }: { link: string }): string => link.split('#')[1] ?? '';
