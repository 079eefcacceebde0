import type { ProbedTerms } from './term-probe.ts';

/** What to say of a draft of which not every word and phrase is known. */
export function notesOnPending({ weighed, pending }: Pick<ProbedTerms, 'weighed' | 'pending'>): string[] {
  if (pending === 0) return [];
  const left = pending === 1 ? 'it' : 'them';
  return [
    `${pending} of ${weighed + pending} words and phrases could not be read from the store in time: the scores leave ${left} out. Run it again in a minute.`,
  ];
}
