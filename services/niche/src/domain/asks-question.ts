import { spellText } from '@shelfwise/facts/text/normal-text';

/** How a term begins that asks for an explanation, as `spellText` writes it. */
const beginnings: ReadonlyMap<string, readonly string[]> = new Map([
  ['en', ['how to', 'how do', 'how does', 'how can', 'how much', 'how many', 'what is', 'what are', 'why']],
  ['fr', ['comment', 'qu est ce', 'c est quoi', 'pourquoi']],
  ['de', ['wie man', 'wie geht', 'wie kann', 'wie macht', 'wie viel', 'was ist', 'was sind', 'warum']],
  ['es', ['cómo', 'como', 'qué es', 'que es', 'por qué', 'por que']],
  ['pt', ['como', 'o que é', 'o que e', 'por que']],
  ['it', ['come', 'cos è', 'cos e', 'che cos è', 'che cosa', 'perché', 'perche']],
  ['nl', ['hoe', 'wat is', 'wat zijn', 'waarom']],
  ['sv', ['hur', 'vad är', 'varför']],
  ['ru', ['как', 'что такое', 'почему']],
  ['ar', ['كيف', 'كيفية', 'ما هو', 'ما هي', 'لماذا']],
]);

/** The same where the question stands at the end, or anywhere in a text without spaces. */
const parts: ReadonlyMap<string, readonly string[]> = new Map([
  ['ja', ['とは', 'やり方', '使い方', '方法']],
  ['ko', ['하는 법', '하는법', '방법', '이란']],
  ['zh', ['怎么', '怎麼', '如何', '什么是', '什麼是', '是什么', '是什麼']],
  ['tr', [' nasil', ' nedir']],
]);

/**
 * Whether a term asks for an explanation (`how to`, `what is`), in the language or in English, which people everywhere
 * search in too. A language without a list has the English one alone.
 * @param lang BCP 47
 */
export function asksQuestion(keyword: string, lang: string): boolean {
  const { language } = new Intl.Locale(lang);
  const text = spellText(keyword);
  const starts = [...(beginnings.get('en') ?? []), ...(beginnings.get(language) ?? [])];
  if (starts.some((start) => `${text} `.startsWith(`${start} `))) return true;
  return (parts.get(language) ?? []).some((part) => text.includes(part));
}
