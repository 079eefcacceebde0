/** No store page has a longer address. */
const longestAddress = 2000;
const appStoreHosts =
  /^(www\.|geo\.|m\.)?(apps|itunes|search\.itunes|beta\.itunes)\.apple\.com$|^appsto\.re$/;
const playHosts = /^(www\.)?(play|market)\.(google|android)\.com$/;
const packageName = /^[A-Za-z]\w*(\.\w+)+$/;

/**
 * The store identifier in the address of an app's page, as a browser or an app shows it, with or without `https://`:
 * `281796108` of https://apps.apple.com/us/app/evernote/id281796108?mt=8. Null for any other text.
 */
export function findIdInAddress(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > longestAddress) return null;
  // Brackets and quotation marks around an address are copied with it.
  const sent = trimmed.replace(/^[<"'(]+|[>"'),.;]+$/g, '');
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(sent) ? sent : `https://${sent}`;
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, pathname, searchParams } = new URL(address);
  const inQuery = searchParams.get('id') ?? /^\/apps\/testing\/([\w.]+)/.exec(pathname)?.[1] ?? '';
  const isPlay = playHosts.test(hostname) || (protocol === 'market:' && hostname === 'details');
  if (isPlay) return packageName.test(inQuery) ? inQuery : null;
  if (!appStoreHosts.test(hostname)) return null;
  return /\/id(\d{1,20})(?=\/|$)/.exec(pathname)?.[1] ?? /^\d{1,20}$/.exec(inQuery)?.[0] ?? null;
}
