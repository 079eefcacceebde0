import { normalizeKeyword } from '@shelfwise/facts/text/keyword';

const latin = 'abcdefghijklmnopqrstuvwxyz';

/**
 * With what a second word begins, by the script of the language: at most 30, since the store charges for each. Letters
 * that begin few words or none are left out (`ъ`, `ь`, final letters of Hebrew), letters with marks too, which stores complete with the
 * plain ones. Japanese has the first two of each row of its syllables, Korean one syllable for each consonant. Chinese
 * is typed in Latin letters.
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
 * What the store is asked to complete for a topic: the topic, then topic, blank and each letter (spec: scoring, niche
 * analysis), which are `a` to `z` for languages in Latin script and all that have no list here. In normal form; 31 at most.
 * @param lang BCP 47
 */
export function topicPrefixes(topic: string, lang: string): string[] {
  const normal = normalizeKeyword(topic);
  const script = new Intl.Locale(lang).maximize().script ?? '';
  return [normal, ...Array.from(beginnings.get(script) ?? latin, (letter) => `${normal} ${letter}`)];
}
