import { bundleProgram } from '../../scripts/bundle-program.mjs';

await bundleProgram({ workspace: 'mcp', entry: 'src/stdio.ts', name: 'shelfwise-mcp' });
