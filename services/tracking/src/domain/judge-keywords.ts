import { countCharacters, keywordLength, normalizeKeyword } from '@shelfwise/facts/keyword';

/** A keyword of a request in its normal form, and what keeps it from being tracked. */
export type JudgedKeyword = { keyword: string; problem: string | null };

/** Normalises the keywords of one request and names what is wrong with each, in the order sent. */
export function judgeKeywords(sent: readonly string[]): JudgedKeyword[] {
  const seen = new Set<string>();
  return sent.map((raw) => {
    const keyword = normalizeKeyword(raw);
    const problem = seen.has(keyword)
      ? 'It is in this call twice: only the first one counts.'
      : formProblem(keyword);
    seen.add(keyword);
    return { keyword, problem };
  });
}

/** Control characters and halves of surrogate pairs: no store can be searched for them. */
const unsearchable = /[\p{Cc}\p{Cs}]/u;
/** Anything that leaves a mark: a keyword of joiners and zero-width blanks alone does not. */
const visible = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;

function formProblem(keyword: string): string | null {
  const { min, max } = keywordLength;
  const length = countCharacters(keyword);
  if (length < min || length > max)
    return `A keyword has ${min} to ${max} characters; this one has ${length} in its normal form.`;
  if (unsearchable.test(keyword)) return 'It holds control characters: send plain text.';
  if (!visible.test(keyword)) return 'It holds no visible character: send plain text.';
  return null;
}
