import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const scripts = new URL('../../deploy/without-docker/kubernetes/', import.meta.url).pathname;

/** Where deploy/without-docker/kubernetes builds its parts. */
const clusterCache =
  process.env.SHELFWISE_CLUSTER_CACHE ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'shelfwise-cluster');

/** A cluster that runs already. */
export type GivenCluster = {
  kubeconfig: string;
  /** The address of this machine as pods see it. */
  host: string;
  /** Gives the cluster an image of this machine's Docker, whose name is added: `kind load docker-image`. '': it has the images. */
  load: string;
};

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

type Output = { code: number; stdout: string; stderr: string };

/**
 * Uses a given cluster, with the kubectl, helm and grpcurl of the path; without one starts a Kubernetes of one node with its state
 * in a folder (deploy/without-docker/kubernetes), and builds what is missing before.
 * @param builtImages a folder of archives that image.sh has made, which are not built again; '': there is none
 */
export async function startCluster(dir: string, given: GivenCluster | null, builtImages: string) {
  const kubeconfig = given?.kubeconfig ?? join(dir, 'kubeconfig');
  const path = given ? process.env.PATH : `${join(clusterCache, 'bin')}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, KUBECONFIG: kubeconfig, PATH: path };
  const script = (name: string, ...words: string[]) =>
    execFileSync('bash', [join(scripts, name), ...words], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const forwards = new Map<string, Promise<{ address: string; child: ChildProcess }>>();

  async function stop(): Promise<void> {
    for (const forward of forwards.values()) (await forward).child.kill();
    if (given === null) script('cluster.sh', 'down', dir, '--purge');
  }

  if (given === null)
    try {
      script('cluster.sh', 'up', dir);
    } catch (error) {
      await stop();
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
  const kubectl = (...words: string[]) => run('kubectl', words);

  /** Pods of a given cluster have no route from here. */
  async function forwardPort(namespace: string, pod: string, port: number) {
    const child = spawn('kubectl', ['-n', namespace, 'port-forward', pod, `:${port}`], { env });
    const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    const [, own] = /127\.0\.0\.1:(\d+)/.exec(String(line)) ?? [];
    if (own === undefined) throw new Error(`port ${port} of ${pod} cannot be reached: ${line}`);
    return { address: `127.0.0.1:${own}`, child };
  }

  return {
    /** This machine as pods see it: what they call, and the address on which servers for them listen. */
    host: given
      ? { name: given.host, address: given.host }
      : { name: 'host.internal', address: '10.200.0.1' },
    kubeconfig,
    attempt,
    run,
    kubectl,
    helm: (...words: string[]) => run('helm', words),
    apply: (manifest: object) => run('kubectl', ['apply', '-f', '-'], JSON.stringify(manifest)),

    /** Where this machine reaches a port of a pod, `host:port`. */
    async reachPod(namespace: string, pod: string, port: number): Promise<string> {
      if (given === null)
        return `${await kubectl('-n', namespace, 'get', 'pod', pod, '-o', 'jsonpath={.status.podIP}')}:${port}`;
      const key = `${pod}:${port}`;
      const forward = forwards.get(key) ?? forwardPort(namespace, pod, port);
      forwards.set(key, forward);
      return (await forward).address;
    },

    /** Where this machine reaches all copies behind a Service. A given cluster needs nodes that can be reached. */
    async reachService(namespace: string, service: string, port: number): Promise<string> {
      const read = (...words: string[]) => kubectl('-n', namespace, 'get', ...words);
      if (given === null) return `${await read('svc', service, '-o', 'jsonpath={.spec.clusterIP}')}:${port}`;
      const { spec } = JSON.parse(await read('svc', service, '-o', 'json'));
      const name = `${service}-node`;
      const node = {
        type: 'NodePort',
        selector: spec.selector,
        ports: [{ port, targetPort: spec.ports[0].targetPort }],
      };
      await run(
        'kubectl',
        ['apply', '-f', '-'],
        JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace }, spec: node }),
      );
      const address = await kubectl(
        'get',
        'nodes',
        '-o',
        'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}',
      );
      return `${address}:${await read('svc', name, '-o', 'jsonpath={.spec.ports[0].nodePort}')}`;
    },

    /** Builds the image of a workspace and gives it to the cluster. Returns the bytes that it adds to its base, where they are known. */
    async loadImage(workspace: string): Promise<number | null> {
      const name = workspace.replace(/.*\//, '');
      if (given !== null) {
        if (given.load === '') return null;
        const image = `local/shelfwise-${name}:1`;
        await run('docker', [
          'build',
          '-q',
          '-f',
          'deploy/Dockerfile',
          '--build-arg',
          `WORKSPACE=${workspace}`,
          '-t',
          image,
          '.',
        ]);
        const [program = '', ...words] = given.load.split(' ');
        await run(program, [...words, image]);
        return null;
      }
      const built = join(builtImages, `${name}.tar`);
      const isBuilt = builtImages !== '' && existsSync(built);
      const file = isBuilt ? built : join(dir, 'images', `${name}.tar`);
      if (!isBuilt) script('image.sh', workspace, file);
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
