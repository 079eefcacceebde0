/**
 * Words and their forms in English, as docs/scores.md describes them.
 * @param tables `stopWords` and `commonWords`: the lists of words, separated by blanks. They are facts, not computations.
 */
export function createWords({ stopWords, commonWords }) {
  const segmenter = new Intl.Segmenter('en-US', { granularity: 'word' });
  const isStopWord = new Set(stopWords.trim().split(/\s+/));
  const commonForms = new Set(commonWords.trim().split(/\s+/).map(formOf));

  /** In lower case, in order, with repeats. */
  function wordsIn(text) {
    const plain = text
      .replace(/[™℠]/g, ' ')
      .normalize('NFKC')
      .replace(/(?<=\p{Ll})\.(?=\p{Lu})/gu, '. ')
      .toLowerCase()
      .replace(/[‘’ʼ]/g, "'");
    const segments = [...segmenter.segment(plain)].filter(({ isWordLike }) => isWordLike);
    return segments.flatMap(({ segment }) => segment.split(/[:·_;،]/)).filter((word) => word !== '');
  }

  const contentOf = (keyword) =>
    wordsIn(keyword)
      .filter((word) => !isStopWord.has(word))
      .map(formOf);

  return {
    wordsIn,
    formOf,
    /** The words of a term that are no stop words. */
    contentWordsOf: (keyword) => wordsIn(keyword).filter((word) => !isStopWord.has(word)),
    contentOf,
    /**
     * How much a description says about a term: .5 if each content word is there twice or among the first 60 words, .3 if each is
     * there once, else 0. Common words alone say nothing.
     */
    createSaid(description) {
      const times = new Map();
      for (const [at, word] of wordsIn(description.slice(0, 4000)).entries())
        times.set(formOf(word), (times.get(formOf(word)) ?? 0) + (at < 60 ? 2 : 1));
      return (keyword) => {
        const content = contentOf(keyword);
        if (content.every((form) => commonForms.has(form))) return 0;
        return [0, 0.3, 0.5][Math.min(2, ...content.map((form) => times.get(form) ?? 0))];
      };
    },
  };
}

/** What the spellings of a word or term have in common: without accents, punctuation and the endings of plurals. */
function formOf(text) {
  const folded = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return folded.split(' ').map(stem).join(' ') || text;
}

function stem(word) {
  const isPlural = /^\p{L}{3,}s$/u.test(word) && !/(?:ss|us|is)$/.test(word) && word !== 'news';
  const singular = isPlural ? word.slice(0, -1) : word;
  return singular.replace(/ie$/, 'y').replace(/(ch|sh|x|ss)e$/, '$1');
}
