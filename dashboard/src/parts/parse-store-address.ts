import type { NewApp } from './track-app.tsx';

/**
 * Reads the address of an app's page in a store, or its id: `281796108`, `com.example.app`. A country or language in the address wins
 * over the one that is given. Null: it is neither.
 */
export function parseStoreAddress(
  text: string,
  { country, lang }: { country: string; lang: string },
): NewApp | null {
  const sent = text.trim();
  const given = { country: country.trim().toUpperCase(), lang: lang.trim() };
  if (/^(id)?\d{4,}$/i.test(sent)) return { app_id: sent.replace(/^id/i, ''), store: 'ITUNES', ...given };
  if (/^[a-z]\w*(\.\w+)+$/i.test(sent)) return { app_id: sent, store: 'GPLAY', ...given };
  const address = URL.canParse(sent) ? new URL(sent) : null;
  if (address?.hostname === 'apps.apple.com') {
    const id = /\/id(\d+)/.exec(address.pathname)?.[1];
    const of = /^\/([a-z]{2})\//i.exec(address.pathname)?.[1]?.toUpperCase();
    return id ? { app_id: id, store: 'ITUNES', country: of ?? given.country, lang: given.lang } : null;
  }
  if (address?.hostname !== 'play.google.com') return null;
  const id = address.searchParams.get('id');
  const at = { country: address.searchParams.get('gl'), lang: address.searchParams.get('hl') };
  return id
    ? {
        app_id: id,
        store: 'GPLAY',
        country: at.country?.toUpperCase() ?? given.country,
        lang: at.lang ?? given.lang,
      }
    : null;
}
