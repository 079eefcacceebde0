/**
 * Loaded by every process of a start: shifts the clock of the process on port FAULTS_CLOCK_PORT by as many ms as the
 * file FAULTS_CLOCK_FILE says when the process starts. The monotonic clock stays as it is. JavaScript, because the
 * processes are compiled programs.
 */
import { readFileSync } from 'node:fs';

const { PORT, FAULTS_CLOCK_PORT, FAULTS_CLOCK_FILE = '' } = process.env;
if (PORT !== undefined && PORT === FAULTS_CLOCK_PORT) shift(readShift());

function readShift() {
  try {
    return Number(readFileSync(FAULTS_CLOCK_FILE, 'utf8'));
  } catch {
    return 0;
  }
}

/** @param {number} ms */
function shift(ms) {
  const Real = Date;
  const now = () => Real.now() + ms;
  globalThis.Date = new Proxy(Real, {
    construct: (target, given) => (given.length === 0 ? new target(now()) : Reflect.construct(target, given)),
    apply: () => new Real(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}
