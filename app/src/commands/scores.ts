import { runInProcess } from './run-in-process.ts';
import { scoresProgram } from './scores-program.ts';

// npm run scores -- explain --store ITUNES --country US --keyword "photo editor" [--json]
await runInProcess(scoresProgram);
