import { bundleProgram } from '../../scripts/bundle-program.mjs';

await bundleProgram({ workspace: 'cli', entry: 'src/main.ts', name: 'shelfwise' });
