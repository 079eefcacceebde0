/** Uses the embedded database as a main.ts would, and prints how many things there are. The argument is the data folder. */
import { addThing } from './add-thing.ts';

const [, , dataDir = ''] = process.argv;
console.log(await addThing(dataDir, new URL(import.meta.resolve('@shelfwise/embedded/worker'))));
