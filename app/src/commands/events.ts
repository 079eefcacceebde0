import { eventsProgram } from './events-program.ts';
import { runInProcess } from './run-in-process.ts';

// npm run events -- dead-letters list
await runInProcess(eventsProgram);
