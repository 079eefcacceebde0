/**
 * Loaded by every process of a start: shifts the clock of the process on port FAULTS_CLOCK_PORT by as many ms as the
 * file FAULTS_CLOCK_FILE says, soon after it says so, and without a restart. The monotonic clock stays as it is. JavaScript,
 * because the processes are compiled programs.
 */
import { readFileSync } from 'node:fs';

const readEveryMs = 100;
const { PORT, FAULTS_CLOCK_PORT, FAULTS_CLOCK_FILE = '' } = process.env;
if (PORT !== undefined && PORT === FAULTS_CLOCK_PORT) shiftBy(followFile());

function followFile() {
  let ms = 0;
  const read = () => {
    try {
      ms = Number(readFileSync(FAULTS_CLOCK_FILE, 'utf8'));
    } catch {
      // There is no file before the first shift.
    }
  };
  read();
  setInterval(read, readEveryMs).unref();
  return () => ms;
}

/** @param {() => number} readMs */
function shiftBy(readMs) {
  const Real = Date;
  const now = () => Real.now() + readMs();
  globalThis.Date = new Proxy(Real, {
    construct: (target, given) => (given.length === 0 ? new target(now()) : Reflect.construct(target, given)),
    apply: () => new Real(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}
