/** Counts the promises that a script finds broken, and prints each one. */
export function createPromises() {
  let broken = 0;
  return {
    expectThat(isTrue: boolean, promise: string): void {
      if (!isTrue) broken++;
      console.log(`  ${isTrue ? 'ok  ' : 'FAIL'} ${promise}`);
    },
    /** The last line, and the exit code: 0 when everything held. */
    conclude(): number {
      console.log(broken === 0 ? 'everything held' : `${broken} promises broken`);
      return broken === 0 ? 0 : 1;
    },
  };
}

export type Promises = ReturnType<typeof createPromises>;
