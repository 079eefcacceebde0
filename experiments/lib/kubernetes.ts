import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const scripts = new URL('../../deploy/without-docker/kubernetes/', import.meta.url).pathname;

/** Where deploy/without-docker/kubernetes builds its parts. */
export const clusterCache =
  process.env.SHELFWISE_CLUSTER_CACHE ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'shelfwise-cluster');

/** This machine, as pods see it. */
export const hostAddress = '10.200.0.1';

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

type Output = { code: number; stdout: string; stderr: string };

/** Starts a Kubernetes of one node with its state in a folder (deploy/without-docker/kubernetes), and builds what is missing before. */
export async function startCluster(dir: string) {
  const env = {
    ...process.env,
    KUBECONFIG: join(dir, 'kubeconfig'),
    PATH: `${join(clusterCache, 'bin')}${delimiter}${process.env.PATH}`,
  };
  const script = (name: string, ...words: string[]) =>
    execFileSync('bash', [join(scripts, name), ...words], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const stop = () => script('cluster.sh', 'down', dir, '--purge');
  try {
    script('cluster.sh', 'up', dir);
  } catch (error) {
    stop();
    throw error;
  }

  /** Runs kubectl, helm or another program with the cluster's settings, whatever its exit code. */
  async function attempt(program: string, words: readonly string[], input = ''): Promise<Output> {
    const child = spawn(program, words, { env });
    child.stdin.end(input);
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number]>,
    ]);
    return { code, stdout, stderr };
  }
  /** @throws Error with the output when the exit code is not 0 */
  async function run(program: string, words: readonly string[], input = ''): Promise<string> {
    const { code, stdout, stderr } = await attempt(program, words, input);
    if (code !== 0) throw new Error(`${program} ${words.join(' ')}: ${code}\n${stdout}${stderr}`);
    return stdout;
  }
  return {
    attempt,
    run,
    kubectl: (...words: string[]) => run('kubectl', words),
    helm: (...words: string[]) => run('helm', words),
    apply: (manifest: object) => run('kubectl', ['apply', '-f', '-'], JSON.stringify(manifest)),
    /** Builds the image of a workspace and gives it to the cluster. Returns the bytes that it adds to its base. */
    async loadImage(workspace: string): Promise<number> {
      const file = join(dir, 'images', `${workspace.replace(/.*\//, '')}.tar`);
      script('image.sh', workspace, file);
      script('cluster.sh', 'load', dir, file);
      return bytesOverBase(file);
    },
    stop,
  };
}

/** The layers of an archive in the format of docker save, without that of its base, which is the first one. */
async function bytesOverBase(file: string): Promise<number> {
  const list = await promisify(execFile)('tar', ['-tvf', file]);
  const manifest = await promisify(execFile)('tar', ['-xOf', file, 'manifest.json']);
  const [{ Layers: layers }] = JSON.parse(manifest.stdout) as [{ Layers: string[] }];
  const sizes = new Map(
    list.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/))
      .map((columns) => [columns[5] ?? '', Number(columns[2])]),
  );
  return layers.slice(1).reduce((sum, layer) => sum + (sizes.get(layer) ?? 0), 0);
}
