// The thread of the embedded database, from its source: for a build that is older than the sources.
import { register } from 'tsx/esm/api';

register();
await import('../../embedded/src/worker.ts');
