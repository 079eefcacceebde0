import { languageOf } from '@shelfwise/facts/text/by-language';
import { foldWithoutPunctuation } from '@shelfwise/facts/text/normalize-text';

/** How terms ask for an explanation, by language; matched against `foldWithoutPunctuation`. */
const questions: ReadonlyMap<string, RegExp> = new Map([
  [
    'en',
    /^(how (to|do|does|can|much|many|long|often|far|old|is|are)|what (is|are|does)|(where|when|who) (is|are|to|do|does|can)|why)(?= |$)/u,
  ],
  ['fr', /^(comment|qu est ce|c est quoi|pourquoi|où (est|trouver)|combien)(?= |$)/u],
  [
    'de',
    /^(wie (.+ )?(man|geht|gehen|kann|viele?|lange?|funktioniert)|was (ist|sind|bedeutet)|wo (ist|sind|finde)|warum|wieso|weshalb)(?= |$)/u,
  ],
  // Without its accent `como` also means `as`, so a verb must follow.
  [
    'es',
    /^(cómo|qué es|que es|(por qué|por que)|dónde|cuánto|como (se|puedo|hacer|[^ ]+(ar|er|ir)(se)?))(?= |$)/u,
  ],
  [
    'pt',
    /^(o que é|o que e|por que|onde (fica|está)|quanto|como (se|posso|fazer|[^ ]+(ar|er|ir|or)))(?= |$)/u,
  ],
  [
    'it',
    /^(cos è|cos e|che cos è|che cosa|perché|perche|dove (è|sono)|come (si|posso|fare|[^ ]+(are|ere|ire|arre|urre)))(?= |$)/u,
  ],
  ['nl', /^(hoe|wat (is|zijn)|waarom|waar (is|zijn))(?= |$)/u],
  ['sv', /^(hur|vad är|varför|var är)(?= |$)/u],
  ['ru', /^(как|что такое|почему|где|сколько)(?= |$)/u],
  ['ar', /^(كيف|كيفية|ما هو|ما هي|لماذا|أين|كم)(?= |$)/u],
  ['ja', /とは|[りいきしみちえけせてべめびぎ]方|方法|って何|なぜ/u],
  ['ko', /하는 ?법|방법|이란|왜 /u],
  ['zh', /怎么|怎麼|如何|什么是|什麼是|是什么|是什麼|为什么|為什麼/u],
  ['tr', / (nasil|nedir|neden)(?= |$)/u],
]);

/**
 * Whether a term asks for an explanation (`how to`, `what is`), in the language or in English, which people search in
 * everywhere. For a language without an entry only English counts.
 * @param lang BCP 47
 */
export function isQuestion(keyword: string, lang: string): boolean {
  const text = foldWithoutPunctuation(keyword);
  return [questions.get('en'), questions.get(languageOf(lang))].some(
    (question) => question?.test(text) === true,
  );
}
