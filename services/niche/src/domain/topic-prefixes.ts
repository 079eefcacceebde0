import { normalizeKeyword } from '@shelfwise/facts/text/keyword';

const latin = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Beginnings of a second word, by script; at most 30, because each costs a call of the store budget. Letters that
 * begin few or no words are left out (`ъ`, `ь`, final letters of Hebrew), and so are letters with marks, which stores
 * complete like the plain ones. Japanese has the first two syllables of each row, Korean one syllable per consonant.
 * Chinese is typed in Latin letters.
 */
const beginnings: ReadonlyMap<string, string> = new Map([
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
 * The prefixes for the store to complete: the topic, then topic, blank and each letter (docs/scores.md, niches).
 * Languages in Latin script, and those without a list here, use `a` to `z`. In normal form; 31 at most.
 * @param lang BCP 47
 */
export function topicPrefixes(topic: string, lang: string): string[] {
  const normal = normalizeKeyword(topic);
  const script = new Intl.Locale(lang).maximize().script ?? '';
  return [normal, ...Array.from(beginnings.get(script) ?? latin, (letter) => `${normal} ${letter}`)];
}
