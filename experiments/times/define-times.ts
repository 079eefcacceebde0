import { type Options, readOptions, type Values } from '../lib/options.ts';

/** A measurement of times: its name on the command line, what it answers, its options, and how it is made. */
type Definition<Own extends Options> = {
  name: string;
  question: string;
  options: Own;
  run(values: Values<Own>): Promise<void>;
};

/** `run` takes the words of the command line; `measure` the values. */
export function defineTimes<const Own extends Options>({ name, question, options, run }: Definition<Own>) {
  return {
    question,
    measure: run,
    run: (words: readonly string[]) => run(readOptions(`npm run times -- ${name}`, question, options, words)),
  };
}
