/**
 * The typed form of a Japanese search of several words, before its last word is converted: 家計簿 むりょう for 家計簿 無料, 天気 あぷり
 * for 天気 アプリ. Null when it is the same or the reading is not known.
 */
export function typedReading(term: string, readings: ReadonlyMap<string, string>): string | null {
  const blank = term.lastIndexOf(' ');
  const last = term.slice(blank + 1);
  const typed = toHiragana(readings.get(last) ?? last);
  return blank === -1 || typed === last || !/^[\p{Script=Hiragana}ー]+$/u.test(typed)
    ? null
    : `${term.slice(0, blank)} ${typed}`;
}

/** Both scripts have the same order, at this distance. */
const fromHiraganaToKatakana = 0x60;

function toHiragana(text: string): string {
  return text.replace(/[ァ-ヶ]/g, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) - fromHiraganaToKatakana),
  );
}
