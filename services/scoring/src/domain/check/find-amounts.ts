/** `1,990`, `1 990`, `1'990.50`, `5,-`, `１９` in any script's digits. */
const number = "\\p{Nd}+(?:[.,'’ ٬]\\p{Nd}{3})*(?:[.,٫]\\p{Nd}+|[.,][-–—])?";
const codes = '(?:USD|EUR|GBP|JPY|CNY|KRW|INR|BRL|RUB|CHF)';
/** The start of the sign of a dollar or real: `US$`, `R$`. */
const country = '(?:(?<!\\p{L})(?:US|NT|HK|CA|AU|NZ|SG|MX|[ACRSU]))?';
const notInWord = '(?![\\p{L}\\p{N}])';
/** Abbreviations that are written after an amount. */
const afterwards = `(?:руб(?:\\.|${notInWord}|л(?:ей|я|ь)${notInWord})|р\\.|(?:грн|лв)(?:\\.|${notInWord})|(?:zł|Kč|(?<= )kr|đ|TL|ש["״]ח|ر\\.س|ریال|ريال|تومان|جنيه|درهم|रुपये|रुपए)${notInWord}|บาท|块钱|塊錢)`;
/** Won, yen and yuan, but not the words that begin with the same character (`5원소`, `3元素`, `10円玉`). */
const eastAsian =
  '[十百千万萬億亿천만백십억]*(?:원(?=[^\\p{Script=Hangul}]|$|에|의|부터|짜리|만|을|이|은|도|으로)|円(?![玉札周形盤卓柱錐環陣満熟滑])|[元圆圓](?![素论論气気年次祖老旦凶首帥帅件器稹朝曲]|[一二三]次))';

const amount = new RegExp(
  [
    `${country}\\p{Sc} ?(?:\\.?${number})[kKmM]?${notInWord}`,
    `(?<!\\p{L})(?:Rs|Rp|RM(?=\\p{Nd})|RMB)\\.? ?${number}`,
    `(?<![\\p{L}\\p{N}/])${codes} ?${number}`,
    `${number} ?${codes}${notInWord}`,
    `${number} ?\\p{Sc}${notInWord}`,
    `${number} ?${afterwards}`,
    `${number} ?${eastAsian}`,
  ].join('|'),
  'gu',
);

/** An amount of money and its position: `text.slice(start, end)`, in UTF-16 units. */
export type Amount = { readonly start: number; readonly end: number };

/**
 * The amounts of money of a text: a number with the sign, the abbreviation or the code (in capitals) of a currency.
 * @param text from `readableText`
 */
export function findAmounts(text: string): Amount[] {
  return Array.from(text.matchAll(amount), ({ 0: written, index }) => ({
    start: index,
    end: index + written.length,
  }));
}
