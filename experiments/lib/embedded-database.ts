/** The embedded database as a process of its own, which experiments kill and freeze. Argument: its data folder. */
import { startEngine } from '@shelfwise/embedded/start-engine';

const engine = await startEngine({ dataDir: process.argv[2] as string });
process.once('SIGTERM', () => void engine.stop().then(() => process.exit(0)));
process.send?.(engine.mongodbUri);
