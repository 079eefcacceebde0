import { sep } from 'node:path';
import Sequencer from '@jest/test-sequencer';

const startsSystems = ({ path }) => path.includes(`${sep}app${sep}test${sep}`);

/**
 * The order of files (`testSequencer` of jest). Those that start the whole system take up to a minute: the last one to begin
 * would run alone. jest orders by the times of the run before, which a clean checkout does not have, else by size.
 */
export default class SystemsFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(startsSystems), ...sorted.filter((test) => !startsSystems(test))];
  }
}
