import { load } from 'cheerio/slim';
import { refusePage, type StoreAnswer } from '../../http/call-store.ts';
import { decodeText } from '../../http/parse-body.ts';
import { refuseDeepNesting } from '../../http/refuse-deep-nesting.ts';
import { StoreFailure } from '../store-failure.ts';
import { subtitleInData } from './subtitle-in-data.ts';

/** What an app's web page shows and a look-up does not. */
export type AppPage = {
  title: string;
  /** Empty: the app has none. */
  subtitle: string;
};

/** The page is some 20 deep. */
const maxDepth = 256;

/**
 * The page of an app, by its number. It has no subtitle only when that is certain: a page that has changed, so that it
 * may only seem to have none, is malformed.
 * @throws StoreFailure `captcha` or `malformed`
 */
export function parseAppPage(answer: StoreAnswer, id: number): AppPage {
  const html = decodeText(answer.body);
  refuseDeepNesting(html, { maxDepth });
  const $ = load(html);
  const page = { title: readTitle($), subtitle: readSubtitle($) };
  if (page.title === '') throw refusePage(answer, "sent a page without the app's title (h1)");
  refusePageOfOther($, id);
  if (page.subtitle !== '') return page;
  if (!/<\/html>\s*$/i.test(html)) throw new StoreFailure('malformed', 'sent a page that was cut off');
  const inData = subtitleInData($('script#serialized-server-data').text(), id);
  if (inData === 'none' || (inData === 'unknown' && (isOldPage($) || hasTitleOnly($)))) return page;
  const why = inData === 'present' ? 'which its data has' : 'and nothing on it says that the app has none';
  throw new StoreFailure('malformed', `sent a page without the app's subtitle (.subtitle), ${why}`);
}

type Page = ReturnType<typeof load>;

/** The first of those within a header: the store's own name may stand above. */
function headingOf($: Page) {
  const [heading = $('h1').first()] = headings
    .map((which) => $(which).first())
    .filter(({ length }) => length);
  return heading;
}

/** Of the page as it was until 2025, which may still be served, and as it is today. */
const headings = ['h1.product-header__title', 'header h1'];
const subtitleElement = '.subtitle, .product-header__subtitle';

/** Without a badge, such as the age that an app is for, that stands within it. */
function readTitle($: Page): string {
  const heading = headingOf($).clone();
  heading.find('[class*="badge"]').remove();
  return plain(heading.text());
}

/** Beside the title only: other apps, shown further down, have subtitles of the same class. */
function readSubtitle($: Page): string {
  const heading = headingOf($);
  const beside = heading.siblings(subtitleElement).add(heading.closest('header').find(subtitleElement));
  return plain(beside.first().text());
}

function refusePageOfOther($: Page, id: number): void {
  const address = $('link[rel="canonical"]').attr('href');
  if (address === undefined || new RegExp(`/id${id}(?:[?#]|$)`).test(address)) return;
  throw new StoreFailure('malformed', 'sent the page of another app than the one that was asked for');
}

/** It changes no more, and has a subtitle where its reader looks for it or none at all. */
function isOldPage($: Page): boolean {
  return headingOf($).is('h1.product-header__title');
}

/** A header in which a subtitle by another name could not stand either, nor beside it. */
function hasTitleOnly($: Page): boolean {
  const heading = headingOf($);
  const header = heading.parent('header');
  return (
    header.length === 1 && heading.siblings().length === 0 && header.siblings(subtitleElement).length === 0
  );
}

/** Titles and subtitles are single lines, however the page breaks them. */
function plain(text: string): string {
  return text.replace(/[\s\u200b\u200e\u200f]+/gu, ' ').trim();
}
