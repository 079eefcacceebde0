/** What a page of the dashboard sends with a call that writes. */
export const pageHeaders = {
  'content-type': 'application/json',
  'x-shelfwise-page': '1',
  'sec-fetch-site': 'same-origin',
};

/** Begins a session of the dashboard with a key. Returns its cookie. @throws Error when the key is not taken */
export async function signIn(url: string, key: string): Promise<string> {
  const answer = await fetch(`${url}/dashboard/session/key`, {
    method: 'POST',
    headers: pageHeaders,
    body: JSON.stringify({ key }),
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`no session: ${answer.status} ${await answer.text()}`);
  return cookie;
}
