import type { Attempt, Endpoint } from './endpoints.ts';
import type { Question } from './question.ts';

/** A question that a store has answered (`isAnswered`), and how to ask it again. */
export type AnsweredQuestion = { question: Question; attempt: (attempt: Attempt) => Promise<unknown> };

/** More than one, because the latest may have failed since. */
const maxPerEndpoint = 3;

/** The questions that each endpoint has answered most recently: probes for its breakers. */
export function createAnsweredQuestions() {
  const latest = new Map<Endpoint, readonly AnsweredQuestion[]>();
  return {
    add(endpoint: Endpoint, answered: AnsweredQuestion): void {
      const others = (latest.get(endpoint) ?? []).filter(
        ({ question }) => question.key !== answered.question.key,
      );
      const question = { ...answered.question, isAnswered: true };
      latest.set(endpoint, [{ ...answered, question }, ...others].slice(0, maxPerEndpoint));
    },

    /** The latest first. */
    list: (endpoint: Endpoint): readonly AnsweredQuestion[] => latest.get(endpoint) ?? [],
  };
}
