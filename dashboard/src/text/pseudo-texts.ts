import * as en from './en.ts';

/** Each Latin letter has one of these. */
const letters = 'אבגדהוזחטיכלמנסעפצקרשתךםןף';

/**
 * The texts of `en.ts` in a language of its own, for tests: written from right to left, and each word some 40 % longer. Latin letters
 * are names, or texts that are not in the table.
 */
export const {
  product,
  skip,
  noScript,
  sampleCatalog,
  nav,
  titles,
  figure,
  change,
  error,
  table,
  trouble,
  store,
  storeSubject,
  signIn,
  connect,
  overview,
  trackApp,
  keywordList,
  keywords,
  addKeywords,
  app,
  audit,
  timeline,
  niches,
  charts,
  alerts,
  channels,
  digests,
  rivals,
  sharedApp,
  shareLinks,
  keyword,
  listing,
  simulator,
  account,
  chart,
  palette,
  undo,
  confirm,
  dismiss,
  days,
  utc,
  becomes,
  today,
} = translate(en) as typeof en;

function translate(part: unknown): unknown {
  if (typeof part === 'string') return translateText(part, []);
  if (typeof part === 'function') return (...args: string[]) => translateText(part(...args), args);
  if (Array.isArray(part))
    return part.map((one) => (Array.isArray(one) ? translateMeaning(one) : translate(one)));
  return Object.fromEntries(Object.entries(part as object).map(([key, text]) => [key, translate(text)]));
}

/** A key of the keyboard is named as it is. */
function translateMeaning([key, meaning]: string[]): unknown[] {
  return [key, translate(meaning)];
}

/** @param names what the text says of others, which stays as it is */
function translateText(text: string, names: readonly string[]): string {
  const [longest, ...others] = names.filter((name) => name !== '').toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return translateWords(text);
  return text
    .split(longest)
    .map((part) => translateText(part, others))
    .join(longest);
}

function translateWords(text: string): string {
  return text
    .replace(/[a-z]+/gi, (word) => {
      const other = [...word.toLowerCase()].map((letter) => letters[letter.charCodeAt(0) - 97]).join('');
      return other + other.slice(0, Math.ceil(word.length * 0.4));
    })
    .replaceAll('→', '←');
}
