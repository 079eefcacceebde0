// Compiles the client with its declarations for a package. The build of the repository has no declarations.
import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const root = join(folder, '../..');
rmSync(join(folder, 'dist'), { recursive: true, force: true });
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.json'], {
  cwd: folder,
  stdio: 'inherit',
});
if (status === 0) copyFileSync(join(root, 'LICENSE'), join(folder, 'dist/LICENSE'));
process.exitCode = status ?? 1;
