// The worker's entry when the sources run without a build. `--import tsx` registers tsx in the main thread only.
import { register } from 'tsx/esm/api';

register();
await import('../src/worker.ts');
