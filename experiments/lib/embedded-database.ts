/** The embedded database as a process of its own, which experiments kill and freeze. Argument: its data folder. */
import { startEngine } from '@shelfwise/embedded/start-engine';

const engine = await startEngine({ dataDir: process.argv[2] as string });
const stop = () => void engine.stop().then(() => process.exit(0));
process.once('SIGTERM', stop);
// Its parent has gone.
process.once('disconnect', stop);
process.send?.(engine.mongodbUri);
