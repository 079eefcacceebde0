import { backupProgram } from './backup-program.ts';
import { runInProcess } from './run-in-process.ts';

// npm run backup -- --to FOLDER [--json]
await runInProcess(backupProgram);
