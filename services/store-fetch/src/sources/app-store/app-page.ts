import { load } from 'cheerio/slim';
import { refusePage, type StoreAnswer } from '../../http/call-store.ts';
import { decodeText } from '../../http/parse-body.ts';
import { StoreFailure } from '../store-failure.ts';
import { tellsOfSubtitle } from './tells-of-subtitle.ts';

/** What an app's web page says that a look-up does not. */
export type AppPage = {
  title: string;
  /** Empty: the app has none. */
  subtitle: string;
  /** Whether the page names the app by its number; where it does not, its title has to tell whose it is. */
  isIdentified: boolean;
};

/**
 * The page of an app, by its number. A page that has changed, so that it may only seem to have no subtitle, is garbage.
 * @throws StoreFailure `captcha` or `garbage`
 */
export function parseAppPage(answer: StoreAnswer, id: number): AppPage {
  const html = decodeText(answer.body);
  try {
    const $ = load(html);
    const page = { title: readTitle($), subtitle: readSubtitle($), isIdentified: isIdentified($, id) };
    if (page.title === '') throw refusePage(answer, "sent a page without the app's title (h1)");
    if (page.subtitle !== '') return page;
    if (!/<\/html>\s*$/i.test(html)) throw new StoreFailure('garbage', 'sent a page that was cut off');
    if (tellsOfSubtitle($('script#serialized-server-data').text(), id)) {
      throw new StoreFailure(
        'garbage',
        "sent a page without the app's subtitle (.subtitle), which its data has",
      );
    }
    return page;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StoreFailure('garbage', 'sent a page that is nested too deep', { cause: error });
  }
}

type Page = ReturnType<typeof load>;

function headingOf($: Page) {
  return $('h1.product-header__title, header h1, h1').first();
}

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

function isIdentified($: Page, id: number): boolean {
  const address = $('link[rel="canonical"]').attr('href');
  if (address === undefined) return false;
  if (new RegExp(`/id${id}(?:[?#]|$)`).test(address)) return true;
  throw new StoreFailure('garbage', 'sent the page of another app than the one that was asked for');
}

/** Of the page as it is today, and as it was until 2025, which may still be served. */
const subtitleElement = '.subtitle, .product-header__subtitle';

/** Titles and subtitles are single lines, however the page breaks them. */
function plain(text: string): string {
  return text.replace(/[\s\u200b\u200e\u200f]+/gu, ' ').trim();
}
