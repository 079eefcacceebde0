import { normalizeKeyword } from '@shelfwise/facts/text/keyword';

const latin = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The letters with which a second word may begin, by script (ISO 15924). At most 30, because each costs a call of the
 * store budget. Letters that begin few or no words are left out (`ъ`, `ь`, final letters of Hebrew), and so are
 * letters with marks, which stores complete like the plain ones. Japanese has the first two syllables of each row of
 * the kana table, Korean one syllable per consonant. Other scripts use `latin`: Chinese too, because it is typed in
 * Latin letters.
 */
const lettersByScript: ReadonlyMap<string, string> = new Map([
  ['Cyrl', 'абвгдежзиійклмнопрстуфхцчшщэюя'],
  ['Grek', 'αβγδεζηθικλμνξοπρστυφχψω'],
  ['Hebr', 'אבגדהוזחטיכלמנסעפצקרשת'],
  ['Arab', 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي'],
  ['Deva', 'अआइउएकखगघचछजझटठडतथदधनपफबभमयरलस'],
  ['Thai', 'กขคงจฉชซดตถทธนบปผฝพฟภมยรลวศสหอ'],
  ['Jpan', 'あいかきさしたちなにはひまみやゆらりわ'],
  ['Kore', '가나다라마바사아자차카타파하'],
]);

/**
 * The prefixes for the store to complete, in normal form, 31 at most: the topic alone (`habit`), then the topic with
 * each letter of the language's script (`habit a`, `habit b`, …).
 * @param topic in any spelling
 * @param lang BCP 47
 */
export function topicPrefixes(topic: string, lang: string): string[] {
  const normal = normalizeKeyword(topic, lang);
  const script = new Intl.Locale(lang).maximize().script ?? '';
  return [normal, ...Array.from(lettersByScript.get(script) ?? latin, (letter) => `${normal} ${letter}`)];
}
