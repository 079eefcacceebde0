export type Cleanup = ReturnType<typeof createCleanup>;

/** Collects cleanup steps, which run in reverse order. */
export function createCleanup() {
  const steps: (() => unknown)[] = [];
  return {
    add: (step: () => unknown) => void steps.push(step),
    /** Returns the exit codes: the numbers and nulls that steps have returned. */
    async run(): Promise<(number | null)[]> {
      const codes: (number | null)[] = [];
      for (const step of steps.splice(0).reverse()) {
        const result = await step();
        if (typeof result === 'number' || result === null) codes.push(result);
      }
      return codes;
    },
  };
}
