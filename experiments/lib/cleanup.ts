export type Cleanup = ReturnType<typeof createCleanup>;

/** Collects cleanup steps, which run in reverse order. */
export function createCleanup() {
  const steps: (() => unknown)[] = [];
  return {
    add: (step: () => unknown) => void steps.push(step),
    /**
     * Runs every step, also after one has failed. Returns the exit codes: the numbers and nulls that steps have returned.
     * @throws the error of a step, or an AggregateError of several
     */
    async run(): Promise<(number | null)[]> {
      const codes: (number | null)[] = [];
      const errors: unknown[] = [];
      for (const step of steps.splice(0).reverse()) {
        try {
          const result = await step();
          if (typeof result === 'number' || result === null) codes.push(result);
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join('\n'));
      if (errors.length > 0) throw errors[0];
      return codes;
    },
  };
}
