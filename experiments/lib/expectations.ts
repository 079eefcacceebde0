/** Prints the result of each expectation and counts the failures. */
export function createExpectations() {
  let failed = 0;
  return {
    expectThat(isTrue: boolean, expectation: string): void {
      if (!isTrue) failed++;
      console.log(`  ${isTrue ? 'ok  ' : 'FAIL'} ${expectation}`);
    },
    /** Prints the summary. Returns the exit code: 0 without failures. */
    conclude(): number {
      console.log(failed === 0 ? 'all expectations met' : `${failed} expectations failed`);
      return failed === 0 ? 0 : 1;
    },
  };
}
