import { calibrateProgram } from './calibrate-program.ts';
import { runInProcess } from './run-in-process.ts';

// npm run calibrate -- --terms FILE.csv [--score traffic] [--out FOLDER] [--fresh] [--json]
await runInProcess(calibrateProgram);
