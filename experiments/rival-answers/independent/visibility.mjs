import { inflateRawSync } from 'node:zlib';
import { addDays, clickShare, daysFrom, rankIn, round, volume } from './formulas.mjs';
import { trackedKeywords } from './tracked.mjs';

/** How many days a term that was not read keeps its page. */
const carriedDays = 2;
const changeDays = 7;

/**
 * The stored pages of a listing's basket: by UTC day, then by keyword, the ids in the store's order.
 * A field of a row is `k` and the keyword in base64url; a page is its ids in lines, deflated.
 */
export function pagesByDay(documents, listingId) {
  const rows = documents.pageDays.filter((row) => row.listing_id === listingId && row.pages);
  const unpack = ({ buffer }) => inflateRawSync(buffer).toString().split('\n').filter(Boolean);
  const keywordOf = (field) => Buffer.from(field.slice(1), 'base64url').toString();
  return new Map(
    rows
      .toSorted((one, other) => (one.day < other.day ? -1 : 1))
      .map(({ day, pages }) => [
        day,
        new Map(Object.entries(pages).map(([field, page]) => [keywordOf(field), unpack(page)])),
      ]),
  );
}

/** The baskets of a listing, the oldest version first. */
const basketsOf = (documents, listingId) =>
  documents.baskets
    .filter((basket) => basket.listing_id === listingId)
    .sort((one, other) => one.version - other.version);

/** The newest that has started by a day, else the first. */
const basketOn = (baskets, day) => baskets.findLast((basket) => basket.from_day <= day) ?? baskets[0];

/** The terms of a basket with their page of a day, or of the two days before; `ids` null: none. */
const readTerms = (basket, byDay, day) =>
  (basket?.terms ?? []).map(({ keyword, traffic }) => {
    const days = Array.from({ length: carriedDays + 1 }, (_, count) => addDays(day, -count));
    const read = days.find((one) => byDay.get(one)?.has(keyword));
    const ids = read ? byDay.get(read).get(keyword) : null;
    return { keyword, vol: volume(traffic), day: read ?? null, ids };
  });

const sum = (values) => values.reduce((total, value) => total + value, 0);

/** Whether the terms with a page have 80 % of the searches of all. */
function isReadEnough(terms) {
  const [read, all] = [terms.filter(({ ids }) => ids !== null), terms].map((some) =>
    sum(some.map(({ vol }) => vol)),
  );
  return all > 0 && read / all >= 0.8 - 1e-12;
}

/** The tracked ones of these terms, with their part of all searches, the largest first. */
function namedTerms(terms, tracked) {
  const all = sum(terms.map(({ vol }) => vol));
  return terms
    .filter(({ keyword }) => tracked.has(keyword))
    .toSorted((one, other) => other.vol - one.vol || (one.keyword < other.keyword ? -1 : 1))
    .map(({ keyword, vol, day }) => ({ keyword, weight: roundShare(vol / all), page_date: day }));
}

/** The clicks of every app on the pages, those of earlier pages first. */
function clicksOf(terms) {
  const clicks = new Map();
  for (const { vol, ids } of terms)
    for (const [at, id] of (ids ?? []).entries())
      clicks.set(id, (clicks.get(id) ?? 0) + vol * clickShare(at + 1));
  return clicks;
}

/** Of each of these apps, not rounded; null: too little is read. */
function sharesOf(terms, appIds) {
  const clicks = clicksOf(terms);
  const all = sum([...clicks.values()]);
  return appIds.map((id) => (all > 0 && isReadEnough(terms) ? (clicks.get(id) ?? 0) / all : null));
}

/** Four decimals; one significant digit of what these would make 0. */
function roundShare(share) {
  if (share === null || round(share, 4) > 0) return round(share, 4);
  return Number(share.toExponential(0));
}

/** What rounded shares leave of 1, or, when that is nothing, what is left before they are rounded. Below 1e-9 is lost precision. */
function othersOf(shares) {
  const rest = round(1 - sum(shares.map(roundShare)), 9);
  return rest > 0 ? rest : roundShare(Math.max(0, round(1 - sum(shares), 9)));
}

/**
 * The shares of voice of an application, its competitors and the ten largest apps. Titles and icons are left out.
 * A term of the basket counts if the account tracks it for the listing, or if a public text of the listing has it, or had it when the
 * basket was drawn.
 */
export function shareOfVoice(documents, owner, { listing, competitors, words }, { from, to }) {
  const tracked = new Set(trackedKeywords(documents, owner, listing).map(({ keyword }) => keyword));
  const described = documents.scoringListings.find(({ _id: id }) => id === listing._id)?.described_terms;
  const texts = [listing.title, listing.subtitle ?? ''].map((text) => ` ${words.wordsIn(text).join(' ')} `);
  const counts = ({ keyword, is_public: wasPublic }) =>
    wasPublic ||
    tracked.has(keyword) ||
    described?.includes(keyword) ||
    texts.some((text) => text.includes(` ${words.wordsIn(keyword).join(' ')} `));
  const baskets = basketsOf(documents, listing._id).map((basket) => ({
    ...basket,
    terms: basket.terms.filter(counts),
  }));
  const byDay = pagesByDay(documents, listing._id);
  const hasPage = (day) =>
    basketOn(baskets, day)?.terms.some(({ keyword }) => byDay.get(day)?.has(keyword)) ?? false;
  const readDays = [...byDay.keys()].filter(hasPage);
  const date = readDays.findLast((day) => day >= from && day <= to) ?? null;
  const basket = basketOn(baskets, date ?? to);
  const terms = date === null ? [] : readTerms(basket, byDay, date);
  const pages = terms.filter(({ ids }) => ids !== null);
  const appIds = [listing, ...competitors].map(({ app_id: id }) => id);
  const largest = [...clicksOf(terms)].sort(([, one], [, other]) => other - one).slice(0, 10);
  const shownIds = [...new Set([...appIds, ...largest.map(([id]) => id)])];
  const shares = sharesOf(terms, shownIds);
  const before =
    date === null ? [] : sharesOf(readTerms(basket, byDay, addDays(date, -changeDays)), shownIds);
  const apps = shownIds
    .map((id, index) => {
      const isKnown = shares[index] != null && before[index] != null;
      return {
        app_id: id,
        is_own: id === listing.app_id,
        is_competitor: id !== listing.app_id && appIds.includes(id),
        share: roundShare(shares[index] ?? null),
        change_7d: isKnown ? round(shares[index] - before[index], 4) : null,
      };
    })
    .sort((one, other) => (other.share ?? 0) - (one.share ?? 0));
  const firstDay = readDays.find((day) => day >= addDays(from, -changeDays - carriedDays) && day <= to);
  const days = firstDay === undefined ? [] : daysFrom(firstDay > from ? firstDay : from, to);
  const history = days.map((day) => {
    const ofDay = readTerms(basketOn(baskets, day), byDay, day);
    return {
      date: day,
      terms: ofDay.length,
      terms_read: ofDay.filter(({ ids }) => ids !== null).length,
      apps: sharesOf(ofDay, appIds).map((share, index) => ({
        app_id: appIds[index],
        share: roundShare(share),
      })),
    };
  });
  return {
    data: {
      app_id: listing._id,
      app_title: listing.title,
      date,
      terms: basket?.terms.length ?? 0,
      terms_read: pages.length,
      apps,
      others: apps.some(({ share }) => share !== null) ? othersOf(shares) : null,
      basket: namedTerms(date === null ? readTerms(basket, new Map(), to) : terms, tracked),
      history,
    },
    meta: {
      from,
      to,
      total: history.length,
      pages: pages.length,
      oldest_page: pages.map(({ day }) => day).sort()[0] ?? null,
      unread: (basket?.terms.length ?? 0) - pages.length,
      truncated: false,
    },
  };
}

/**
 * The visibility of a listing on a day, 0 to 100, over its whole basket, with the version of this; null: fewer than five terms, or too
 * little is read.
 */
export function createVisibility(documents, listing) {
  const baskets = basketsOf(documents, listing._id);
  const byDay = pagesByDay(documents, listing._id);
  return (day) => {
    const basket = basketOn(baskets, day);
    const terms = readTerms(basket, byDay, day);
    if (terms.length < 5 || !isReadEnough(terms)) return null;
    const read = terms.filter(({ ids }) => ids !== null);
    const met = sum(read.map(({ vol, ids }) => vol * clickShare(rankIn(ids, listing.app_id))));
    const score = round(100 * Math.sqrt(met / sum(read.map(({ vol }) => vol * clickShare(1)))), 1);
    return { score, version: basket.version };
  };
}
