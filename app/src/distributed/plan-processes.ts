import { toLocalHost } from '../start/local-host.ts';

/** The parts that run as processes of their own, each after those that it calls. */
export const partNames = [
  'store-fetch',
  'scoring',
  'niche',
  'chart',
  'notify',
  'tracking',
  'gateway',
  'mcp',
] as const;

export type PartName = (typeof partNames)[number];

/** How many processes of each part; an absent one has 1. */
export type Copies = Partial<Record<PartName, number>>;

export const maxCopies = 20;

/** Lower than the ports that systems choose for outgoing connections: such a connection could take a service's port. */
export const defaultServicePort = 15_051;
/** Copies of one service are this far apart. */
const portsPerCopy = 10;
/** How many ports the largest number of copies takes. */
export const servicePortCount = portsPerCopy * maxCopies;

const serviceNames = ['tracking', 'store-fetch', 'scoring', 'niche', 'chart', 'notify'] as const;
type ServiceName = (typeof serviceNames)[number];

/** The ports of the first copies follow each other in this order. */
const listeners = [...serviceNames, 'mcp'] as const;

const addressSettings = {
  tracking: 'TRACKING_ADDRESS',
  'store-fetch': 'STORE_FETCH_ADDRESS',
  scoring: 'SCORING_ADDRESS',
  niche: 'NICHE_ADDRESS',
  chart: 'CHART_ADDRESS',
  notify: 'NOTIFY_ADDRESS',
} as const;

type Environment = Readonly<Record<string, string>>;

export type PlannedProcess = {
  /** the part and the number of the copy: scoring-2 */
  name: string;
  part: PartName;
  /** the settings that differ from those of the terminal */
  settings: Environment;
};

/**
 * The processes of each part with their ports and the addresses of the services, all on this machine. The first copies
 * of the services and the assistant server listen on seven ports from `servicePort` on, copy k 10 (k - 1) above the first,
 * gateway k on PORT + k - 1. Gateway k and assistant server k call each other; with fewer of one kind, the first ones serve
 * several. With METRICS_PORT the processes have that port and the following ones, in the order of the list.
 */
export function planProcesses(
  copies: Copies,
  {
    secret,
    secretsKey,
    port,
    host,
    metricsPort,
    servicePort,
  }: {
    /** of the calls between services; the assistant server makes none and does not get it */
    secret: string;
    /** that notify encrypts secrets of accounts with, as text: no other process gets it */
    secretsKey: string;
    port: number;
    /** that gateways listen on; absent: all addresses */
    host?: string | undefined;
    metricsPort: number | null;
    servicePort: number;
  },
): PlannedProcess[] {
  const portsOf = (name: (typeof listeners)[number]) =>
    numbers(copies[name]).map((copy) => servicePort + listeners.indexOf(name) + portsPerCopy * (copy - 1));
  const addressesOf = (service: ServiceName) => portsOf(service).map((one) => `127.0.0.1:${one}`);
  const gatewayPorts = numbers(copies.gateway).map((copy) => port + copy - 1);
  const listens = (part: PartName, index: number): Environment => {
    if (part === 'gateway')
      return {
        PORT: String(gatewayPorts[index]),
        MCP_URL: `http://127.0.0.1:${partnerOf(index, portsOf('mcp'))}`,
      };
    if (part !== 'mcp') return { GRPC_ADDRESS: addressesOf(part)[index] ?? '' };
    return {
      MCP_ADDRESS: `127.0.0.1:${portsOf('mcp')[index]}`,
      SHELFWISE_BASE_URL: `http://${toLocalHost(host)}:${partnerOf(index, gatewayPorts)}`,
    };
  };
  const addresses = Object.fromEntries(
    serviceNames.map((service) => [addressSettings[service], addressesOf(service).join(',')]),
  );
  const processes = partNames.flatMap((part) =>
    numbers(copies[part]).map((copy) => ({
      name: `${part}-${copy}`,
      part,
      listens: listens(part, copy - 1),
    })),
  );
  // The address of a mail server holds a password.
  const noMail = { SMTP_URL: '', MAIL_FROM: '' };
  return processes.map(({ name, part, listens: own }, index) => ({
    name,
    part,
    settings: {
      ...addresses,
      ...own,
      // An empty setting counts as absent.
      GRPC_SECRET: part === 'mcp' ? '' : secret,
      SECRETS_KEY: part === 'notify' ? secretsKey : '',
      ...(part !== 'notify' && noMail),
      METRICS_PORT: metricsPort === null ? '' : String(metricsPort + index),
    },
  }));
}

function partnerOf<Item>(index: number, items: readonly Item[]): Item | undefined {
  return items[index % items.length];
}

function numbers(count = 1): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
