import { load } from 'cheerio/slim';
import { refusePage, type StoreAnswer } from '../../http/call-store.ts';
import { decodeText } from '../../http/parse-body.ts';
import { refuseDeepNesting } from '../../http/refuse-deep-nesting.ts';
import { StoreFailure } from '../../store-health/store-failure.ts';
import { subtitleInData } from './subtitle-in-data.ts';

/** An app's web page. A look-up does not have the subtitle; the title shows that the subtitle is the app's. */
export type AppPage = {
  title: string;
  /** Empty when the app has no subtitle. */
  subtitle: string;
};

/** How deep elements may be nested; in a normal page they are about 20 deep. */
const maxDepth = 256;

/**
 * Parses an app's web page; `id` is the app's number. The subtitle is empty only when the app certainly has none: a
 * changed page that merely seems to have none is malformed.
 * @throws StoreFailure `captcha` or `malformed`
 */
export function parseAppPage(answer: StoreAnswer, id: number): AppPage {
  const html = decodeText(answer.body);
  refuseDeepNesting(html, { maxDepth });
  const $ = load(html);
  const page = { title: readTitle($), subtitle: readSubtitle($) };
  if (page.title === '') throw refusePage(answer, "sent a page without the app's title (h1)");
  refuseOtherPage($, id);
  if (page.subtitle !== '') return page;
  if (!/<\/html>\s*$/i.test(html)) throw new StoreFailure('malformed', 'sent a page that was cut off');
  const inData = subtitleInData($('script#serialized-server-data').text(), id);
  if (inData === 'none' || (inData === 'unknown' && (isOldPage($) || hasTitleOnly($)))) return page;
  const why =
    inData === 'present'
      ? 'although its data contains one'
      : 'and nothing on the page says that the app has none';
  throw new StoreFailure('malformed', `sent a page without the app's subtitle (.subtitle), ${why}`);
}

type Page = ReturnType<typeof load>;

/**
 * The app's title: the first heading in a header, because a heading with the store's own name may be above it. The
 * first heading of the page if no header has one.
 */
function headingOf($: Page) {
  const [heading = $('h1').first()] = titleSelectors
    .map((selector) => $(selector).first())
    .filter(({ length }) => length);
  return heading;
}

/** In the page layout until 2025, which may still be served, and in the current one. */
const titleSelectors = ['h1.product-header__title', 'header h1'];
const subtitleSelector = '.subtitle, .product-header__subtitle';

/** Drops badges inside the heading, such as the age rating. */
function readTitle($: Page): string {
  const heading = headingOf($).clone();
  heading.find('[class*="badge"]').remove();
  return toSingleLine(heading.text());
}

/** Looks only next to the title and in its header: other apps further down have subtitles of the same class. */
function readSubtitle($: Page): string {
  const heading = headingOf($);
  const candidates = heading.siblings(subtitleSelector).add(heading.closest('header').find(subtitleSelector));
  return toSingleLine(candidates.first().text());
}

/** Checks the page's own address. A page without one is accepted. */
function refuseOtherPage($: Page, id: number): void {
  const address = $('link[rel="canonical"]').attr('href');
  if (address === undefined || new RegExp(`/id${id}(?:[?#]|$)`).test(address)) return;
  throw new StoreFailure('malformed', 'sent the page of another app than the requested one');
}

/** The old layout no longer changes: its subtitle is in the known position or missing. */
function isOldPage($: Page): boolean {
  return headingOf($).is('h1.product-header__title');
}

/**
 * Whether the title is alone in its header, and no known subtitle is next to the header. An element of unknown class
 * next to the title could be a renamed subtitle.
 */
function hasTitleOnly($: Page): boolean {
  const heading = headingOf($);
  const header = heading.parent('header');
  return (
    header.length === 1 && heading.siblings().length === 0 && header.siblings(subtitleSelector).length === 0
  );
}

/** Line breaks and invisible characters in a title or subtitle mean nothing. */
function toSingleLine(text: string): string {
  return text.replace(/[\s\u200b\u200e\u200f]+/gu, ' ').trim();
}
