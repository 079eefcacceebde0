import { runAlone } from './run-alone.ts';

await runAlone(process);
