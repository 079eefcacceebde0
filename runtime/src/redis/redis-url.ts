type Node = { host: string; port: number };

/** Where Redis is, parsed from REDIS_URL. Holds the passwords: print only `describeRedis`. */
export type RedisAddress = {
  kind: 'single' | 'sentinel' | 'cluster';
  /** The server itself, the sentinels, or some nodes of the cluster. */
  nodes: readonly Node[];
  /** The name of the master that the sentinels watch; empty for the other kinds. */
  master: string;
  hasTls: boolean;
  username?: string;
  password?: string;
  sentinelUsername?: string;
  sentinelPassword?: string;
  /** Always 0 in a cluster. */
  db: number;
};

const pattern = /^(rediss?)(-sentinel|-cluster)?:\/\/(?:([^@/?]*)@)?([^@/?]+)(?:\/([^/?]*))?(?:\?([^?]*))?$/i;
const defaultPorts = { single: 6379, sentinel: 26_379, cluster: 6379 } as const;

/**
 * Null for a text that is not an address of Redis. User and password may be percent-encoded; a percent sign of their own
 * must be.
 */
export function parseRedisUrl(text: string): RedisAddress | null {
  const match = pattern.exec(text);
  if (!match) return null;
  const [, scheme, suffix = '', user, hosts = '', path = '', query] = match;
  if (!isDecodable(`${user} ${path}`)) return null;
  const kind = suffix === '' ? 'single' : suffix.toLowerCase() === '-cluster' ? 'cluster' : 'sentinel';
  const options = new URLSearchParams(query);
  const nodes = hosts.split(',').map((host) => parseNode(host, defaultPorts[kind]));
  const db = parseDb((kind === 'single' ? path : null) || options.get('db') || '0');
  const isComplete = nodes.every((node) => node !== null) && db !== null;
  if (!isComplete || !hasShapeOf(kind, { nodeCount: nodes.length, path, db })) return null;
  const address: RedisAddress = {
    kind,
    nodes,
    master: kind === 'sentinel' ? decodeURIComponent(path) : '',
    hasTls: scheme?.toLowerCase() === 'rediss',
    db,
  };
  const [username, ...password] = user?.split(':') ?? [];
  if (username) address.username = decodeURIComponent(username);
  if (password.length > 0) address.password = decodeURIComponent(password.join(':'));
  const sentinelUsername = options.get('sentinel_username');
  const sentinelPassword = options.get('sentinel_password');
  if (sentinelUsername) address.sentinelUsername = sentinelUsername;
  if (sentinelPassword) address.sentinelPassword = sentinelPassword;
  return address;
}

/** The address without user and password, for logs and status pages. */
export function describeRedis({ kind, nodes, master }: RedisAddress): string {
  const hosts = nodes.map(({ host, port }) => `${host}:${port}`).join(',');
  if (kind === 'single') return hosts;
  return kind === 'cluster' ? `cluster ${hosts}` : `master ${master} of the sentinels ${hosts}`;
}

function hasShapeOf(
  kind: RedisAddress['kind'],
  { nodeCount, path, db }: { nodeCount: number; path: string; db: number },
): boolean {
  if (kind === 'single') return nodeCount === 1;
  return kind === 'sentinel' ? path !== '' : path === '' && db === 0;
}

function parseNode(text: string, defaultPort: number): Node | null {
  const match = /^(\[[\da-f:.]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/i.exec(text);
  const port = Number(match?.[2] ?? defaultPort);
  if (!match?.[1] || port < 1 || port > 65_535) return null;
  return { host: match[1].replace(/^\[|\]$/g, ''), port };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function parseDb(text: string): number | null {
  return /^\d{1,4}$/.test(text) ? Number(text) : null;
}
