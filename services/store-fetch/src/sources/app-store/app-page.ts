import { load } from 'cheerio/slim';
import { refusePage, type StoreAnswer } from '../../http/call-store.ts';
import { decodeText } from '../../http/parse-body.ts';
import { refuseDeepNesting } from '../../http/refuse-deep-nesting.ts';
import { StoreFailure } from '../store-failure.ts';
import { subtitleInData } from './subtitle-in-data.ts';

/** What is read from an app's web page because a look-up does not have it. */
export type AppPage = {
  title: string;
  /** Empty when the app has no subtitle. */
  subtitle: string;
};

/** A normal page is some 20 deep. */
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
  refusePageOfOther($, id);
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

/** The first heading in a header; the store's own name may be above the header. */
function headingOf($: Page) {
  const [heading = $('h1').first()] = headings
    .map((which) => $(which).first())
    .filter(({ length }) => length);
  return heading;
}

/** The page layout until 2025, which may still be served, and the current one. */
const headings = ['h1.product-header__title', 'header h1'];
const subtitleElement = '.subtitle, .product-header__subtitle';

/** Without badges inside the heading, such as the age rating. */
function readTitle($: Page): string {
  const heading = headingOf($).clone();
  heading.find('[class*="badge"]').remove();
  return plain(heading.text());
}

/** Only next to the title: other apps further down have subtitles of the same class. */
function readSubtitle($: Page): string {
  const heading = headingOf($);
  const beside = heading.siblings(subtitleElement).add(heading.closest('header').find(subtitleElement));
  return plain(beside.first().text());
}

function refusePageOfOther($: Page, id: number): void {
  const address = $('link[rel="canonical"]').attr('href');
  if (address === undefined || new RegExp(`/id${id}(?:[?#]|$)`).test(address)) return;
  throw new StoreFailure('malformed', 'sent the page of another app than the requested one');
}

/** The old layout no longer changes: its subtitle is in the known place or missing. */
function isOldPage($: Page): boolean {
  return headingOf($).is('h1.product-header__title');
}

/** Whether neither the header nor its surroundings have room for a subtitle with another name. */
function hasTitleOnly($: Page): boolean {
  const heading = headingOf($);
  const header = heading.parent('header');
  return (
    header.length === 1 && heading.siblings().length === 0 && header.siblings(subtitleElement).length === 0
  );
}

/** Titles and subtitles are single lines; line breaks on the page mean nothing. */
function plain(text: string): string {
  return text.replace(/[\s\u200b\u200e\u200f]+/gu, ' ').trim();
}
