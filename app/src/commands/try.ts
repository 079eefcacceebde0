import { runInProcess } from './run-in-process.ts';
import { tryProgram } from './try-program.ts';

// npm run try -- [--url http://localhost:8080] [--app-id 281796108] [--json]
await runInProcess(tryProgram);
