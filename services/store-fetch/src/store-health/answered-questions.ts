import type { Attempt, Endpoint } from './endpoints.ts';
import type { Question } from './question.ts';

/** A question that a store has answered (`isAnswered`), and how to ask it again. */
export type AnsweredQuestion = { question: Question; attempt: (attempt: Attempt) => Promise<unknown> };

/** Enough for the open times of a breaker: a probe that fails is not repeated for a minute. */
const maxPerCaller = 3;
const maxPerEndpoint = 12;

/**
 * The questions that each endpoint has answered most recently: probes for its breakers. Each caller has few of them, so that no
 * caller can choose all probes. Last comes the endpoint's `known` question, which its store can answer as far as is known.
 */
export function createAnsweredQuestions(known: ReadonlyMap<Endpoint, AnsweredQuestion> = new Map()) {
  const latest = new Map<Endpoint, readonly AnsweredQuestion[]>();
  const listAnswered = (endpoint: Endpoint) => latest.get(endpoint) ?? [];

  function list(endpoint: Endpoint): readonly AnsweredQuestion[] {
    const answered = listAnswered(endpoint);
    const last = known.get(endpoint);
    return !last || answered.some((each) => isSame(each, last)) ? answered : [...answered, last];
  }

  return {
    add(endpoint: Endpoint, { question, attempt }: AnsweredQuestion): void {
      const added = { question: { ...question, isAnswered: true }, attempt };
      const others = listAnswered(endpoint).filter((each) => !isSame(each, added));
      latest.set(endpoint, limitEachCaller([added, ...others]).slice(0, maxPerEndpoint));
    },

    /** The store has failed to answer it now: the others are better probes. */
    demote(endpoint: Endpoint, { key }: Question): void {
      const questions = listAnswered(endpoint);
      const isFailed = ({ question }: AnsweredQuestion) => question.key === key;
      if (!questions.some(isFailed)) return;
      latest.set(endpoint, [...questions.filter((each) => !isFailed(each)), ...questions.filter(isFailed)]);
    },

    has: (endpoint: Endpoint, { key }: Question): boolean =>
      list(endpoint).some(({ question }) => question.key === key),

    /** The best probe first. */
    list,
  };
}

function isSame(a: AnsweredQuestion, b: AnsweredQuestion): boolean {
  return a.question.key === b.question.key;
}

/** Keeps the first questions of each caller. One that several callers share counts for the first of them. */
function limitEachCaller(questions: readonly AnsweredQuestion[]): AnsweredQuestion[] {
  const counts = new Map<string | undefined, number>();
  return questions.filter(({ question }) => {
    const caller = question.callers?.[0];
    const count = (counts.get(caller) ?? 0) + 1;
    counts.set(caller, count);
    return count <= maxPerCaller;
  });
}
