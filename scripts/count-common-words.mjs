#!/usr/bin/env node
// Prints the words that are found in more than 12 % of the app descriptions of a file, per language: the table in
// facts/src/text/common-word-lists.ts. Singular and plural are one word, printed in its most frequent spelling. Stop words
// are left out. A language with fewer than 200 descriptions is left out, too: see the counts on stderr.
//   node scripts/count-common-words.mjs FILE     FILE: JSON lines, each with a "description"
import { readFileSync } from 'node:fs';
import { stopWordLists } from '@shelfwise/facts/text/stop-word-lists';
import { stopWordsOf } from '@shelfwise/facts/text/stop-words';
import { createWordForms, foldForComparison } from '@shelfwise/facts/text/word-form';
import { wordsOf } from '@shelfwise/facts/text/words';

const commonShare = 0.12;
const minDescriptions = 200;
/** A text is in the language whose stop words are at least this share of its words, and more than those of any other. */
const minStopShare = 0.15;
const longestLine = 100;

const stopWords = new Map(Object.keys(stopWordLists).map((lang) => [lang, stopWordsOf(lang)]));

/** Chinese and Japanese share words, but only Japanese has kana. */
function languageOf(words, text) {
  if (/[\u3040-\u30ff]/u.test(text)) return 'ja';
  const shares = [...stopWords]
    .filter(([lang]) => lang !== 'ja')
    .map(([lang, stops]) => [lang, words.filter((word) => stops.has(word)).length / words.length])
    .sort(([, a], [, b]) => b - a);
  const [lang, share] = shares[0];
  return share >= minStopShare ? lang : null;
}

/** Per language: the number of texts, and per form of a word how many texts have each of its spellings. */
function count(descriptions) {
  const languages = new Map();
  for (const text of descriptions) {
    const lang = languageOf(wordsOf(text, 'en'), text);
    if (lang === null) continue;
    const counted = languages.get(lang) ?? { texts: 0, forms: new Map(), formOf: createWordForms(lang) };
    languages.set(lang, counted);
    counted.texts++;
    const forms = new Map();
    for (const word of new Set(wordsOf(text, lang))) {
      const form = counted.formOf(foldForComparison(word));
      if (!stopWords.get(lang).has(word) && /\p{L}/u.test(word))
        forms.set(form, [...(forms.get(form) ?? []), word]);
    }
    for (const [form, spellings] of forms) {
      const known = counted.forms.get(form) ?? { texts: 0, spellings: new Map() };
      counted.forms.set(form, known);
      known.texts++;
      for (const word of spellings) known.spellings.set(word, (known.spellings.get(word) ?? 0) + 1);
    }
  }
  return languages;
}

function commonWords({ texts, forms }) {
  return [...forms.values()]
    .filter((form) => form.texts > commonShare * texts)
    .map(({ spellings }) => [...spellings].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0][0])
    .sort();
}

function wrap(words) {
  const lines = [''];
  for (const word of words) {
    if (lines.at(-1).length + word.length >= longestLine) lines.push('');
    lines.push(`${lines.pop()} ${word}`.trim());
  }
  return lines.join('\n');
}

const [file] = process.argv.slice(2);
if (!file) throw new Error('usage: node scripts/count-common-words.mjs FILE');
const descriptions = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line).description ?? '')
  .filter((text) => text.trim() !== '');
for (const [lang, counted] of count(descriptions)) {
  const isEnough = counted.texts >= minDescriptions;
  console.error(`${lang}: ${counted.texts} descriptions${isEnough ? '' : ', too few'}`);
  if (isEnough) console.log(`  ${lang}: \`\n${wrap(commonWords(counted))}\n\`,`);
}
