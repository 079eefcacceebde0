import { invalidParams } from '@shelfwise/runtime/errors';
import { isSameLanguage } from '../stores/language-alias.ts';
import type { Storefront } from '../stores/storefront.ts';

/** A storefront; its parts may be left out. */
type SentStorefront = { [Part in keyof Storefront]?: Storefront[Part] | undefined };

/**
 * Checks that what was sent of a storefront is the application's own. The language may be sent by any tag for it.
 * @throws INVALID_PARAMS naming each part that differs
 */
export function checkOwnStorefront(sent: SentStorefront, own: Storefront): void {
  const differing = (['store', 'country', 'lang'] as const).filter(
    (part) => sent[part] !== undefined && sent[part] !== own[part] && !(part === 'lang' && isOwn(sent, own)),
  );
  if (differing.length === 0) return;
  throw invalidParams(
    Object.fromEntries(differing.map((part) => [part, `must be the app's own: ${own[part]}`])),
  );
}

/** The tag may have been resolved in the sent storefront, so that it is compared there, too. */
function isOwn({ store, country, lang }: SentStorefront, own: Storefront): boolean {
  if (lang === undefined) return true;
  const sent = { store: store ?? own.store, country: country ?? own.country };
  return [own, sent].some((storefront) => isSameLanguage(storefront, lang, own.lang));
}
