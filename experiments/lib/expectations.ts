/** Counts the promises that a script finds broken, and prints each one. */
export function createExpectations() {
  let failed = 0;
  return {
    expectThat(isTrue: boolean, promise: string): void {
      if (!isTrue) failed++;
      console.log(`  ${isTrue ? 'ok  ' : 'FAIL'} ${promise}`);
    },
    /** The last line, and the exit code: 0 when everything held. */
    conclude(): number {
      console.log(failed === 0 ? 'everything held' : `${failed} promises broken`);
      return failed === 0 ? 0 : 1;
    },
  };
}

export type Promises = ReturnType<typeof createExpectations>;
