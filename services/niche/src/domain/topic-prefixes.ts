import { scriptOf } from '@shelfwise/facts/text/by-language';
import { normalizeKeyword } from '@shelfwise/facts/text/keyword';

const latin = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The letters with which a second word may begin, by script (ISO 15924). At most 30: each costs a call of the store
 * budget. Left out are letters that begin few words (`ъ`, `ь`), and letters with marks, which stores complete like
 * plain ones. Japanese has the first two syllables of each row of the kana table, Korean one per consonant. Others use
 * `latin`, also Chinese, which is typed in it.
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
 * The prefixes to complete, in normal form, 31 at most: `habit`, then `habit a`, `habit b`, … for each letter of the
 * script.
 * @param topic in any spelling
 * @param lang BCP 47
 */
export function topicPrefixes(topic: string, lang: string): string[] {
  const normal = normalizeKeyword(topic, lang);
  return [
    normal,
    ...Array.from(lettersByScript.get(scriptOf(lang)) ?? latin, (letter) => `${normal} ${letter}`),
  ];
}
