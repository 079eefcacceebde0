import { accountProgram } from './account-program.ts';
import { runInProcess } from './run-in-process.ts';

// npm run account -- create --email a@b.c --plan unlimited [--json]
await runInProcess(accountProgram);
