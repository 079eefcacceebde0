import { migrateProgram } from './migrate-program.ts';
import { runInProcess } from './run-in-process.ts';

// npm run migrate -- [--status] [--json]
await runInProcess(migrateProgram);
