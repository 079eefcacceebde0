import { runInProcess } from './run-in-process.ts';
import { snapshotProgram } from './snapshot-program.ts';

// npm run snapshot -- [--all] [--day YYYY-MM-DD] [--json]
await runInProcess(snapshotProgram);
