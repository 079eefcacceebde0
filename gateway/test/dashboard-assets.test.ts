import { createHash } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Assets, assetOf } from '@shelfwise/dashboard/server/assets';
import { dayMs } from '@shelfwise/runtime/day';
import { recordCommands } from '../../testing/record-commands.ts';
import { useDatabase } from '../../testing/use-database.ts';
import { createSharedAssets } from '../src/dashboard/shared-assets.ts';
import { gatewaySchema } from '../src/schema.ts';
import { type BootedGateway, bootGateway } from './harness/boot-gateway.ts';
import { pageHead } from './harness/page-head.ts';
import { createRecordingLogger } from './harness/recording-logger.ts';

const { take } = useDatabase(gatewaySchema);

/** A build whose content and names have this part. */
function buildOf(part: string): Assets {
  const head = pageHead(part.padEnd(8, 'A'));
  const files = Object.entries(head.scripts).map(([name, file]) => {
    const body = Buffer.from(`/* ${part}, ${name} \u00e4 */ `.repeat(500));
    return [file, assetOf(file, body)] as const;
  });
  return { head, files: new Map(files) };
}
/** Of a version whose style was a file. */
function buildWithStyleOf(part: string): Assets {
  const { head, files } = buildOf(part);
  const style = `main-${part.padEnd(8, 'A')}.css`;
  return { head, files: new Map([...files, [style, assetOf(style, Buffer.from(`.${part}{}`))]]) };
}
const [older, newer] = [buildWithStyleOf('OLD'), buildOf('NEW')];

describe('two gateways of two builds on one database', () => {
  let gateways: [BootedGateway, BootedGateway];
  beforeAll(async () => {
    const boot = (assets: Assets, connection = {}) => {
      const dashboard = { publicUrl: undefined, assets };
      return bootGateway({ isDatabaseEmbedded: false, trustProxy: 1, dashboard, ...connection });
    };
    const one = await boot(older);
    gateways = [one, await boot(newer, { connection: one.connection })];
  });
  afterAll(async () => {
    for (const gateway of gateways.toReversed()) await gateway.stop();
  });

  /** The file as a gateway sends it. */
  async function ask(index: number, path: string, headers: Record<string, string> = {}) {
    const sent = request(`${gateways[index]?.url}/dashboard/${path}`, { headers }).end();
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      sent.once('response', resolve).once('error', reject),
    );
    return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
  }
  const plain = (body: Buffer) => body;

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['identity', plain],
  ])('each serves the files of both, for a year, in the form %s', async (coding, decode) => {
    for (const [name, { body, type }] of [...older.files, ...newer.files])
      for (const index of [0, 1]) {
        const answer = await ask(index, `assets/${name}`, { 'accept-encoding': coding });
        expect([name, index, answer.status]).toEqual([name, index, 200]);
        expect(answer.headers).toMatchObject({
          'content-type': type,
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
          etag: expect.any(String),
        });
        const isCompressed = answer.headers['content-encoding'] === coding;
        expect(isCompressed).toBe(coding !== 'identity' && name.endsWith('.js'));
        expect((isCompressed ? decode : plain)(answer.body)).toEqual(body);
      }
  });

  test('the files that a page of one names are at the other', async () => {
    for (const [index, other] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const { body } = await ask(index, 'sign-in');
      const paths = [...String(body).matchAll(/"\/dashboard\/(assets\/[^"]+)"/g)].map(
        ([, path = '']) => path,
      );
      // What all scripts share, and the script of the page. With the HTML these are all requests before the first picture.
      expect(paths).toHaveLength(2);
      for (const path of paths) expect((await ask(other, path)).status).toBe(200);
    }
  });

  test('a page has the style of its build, the only one that its headers allow', async () => {
    for (const [index, { head }] of [older, newer].entries()) {
      const { headers, body } = await ask(index, 'sign-in');
      const [, style = ''] = /<style>([^<]*)<\/style>/.exec(String(body)) ?? [];
      expect(style).toBe(head.style);
      const hash = createHash('sha256').update(style).digest('base64');
      expect(headers['content-security-policy']).toContain(`; style-src 'sha256-${hash}'; `);
    }
  });

  test('other names are 404, and so is what no build has', async () => {
    for (const name of ['main-OLDAAAAA.html', 'x', '..%2fmain-OLDAAAAA.js', 'main-XXXXXXXX.js'])
      expect([name, (await ask(1, `assets/${name}`)).status]).toEqual([name, 404]);
  });

  test('an address asks for 120 unknown files a minute, and still gets those that its gateway has', async () => {
    const statuses = [];
    const from = { 'x-forwarded-for': '10.8.0.1' };
    for (let call = 0; call < 121; call++)
      statuses.push((await ask(0, 'assets/main-XXXXXXXX.js', from)).status);
    expect([statuses.at(-2), statuses.at(-1)]).toEqual([404, 429]);
    expect((await ask(0, `assets/${older.head.scripts.main}`, from)).status).toBe(200);
  });
});

describe('the files in the database', () => {
  const { signal } = new AbortController();
  const start = new Date('2026-06-15T12:00:00Z');
  let now = start;
  let elapsedMs = 0;
  beforeEach(() => {
    now = start;
    elapsedMs = 0;
  });

  async function createPart() {
    const { connection } = await take();
    const { logger, lines } = createRecordingLogger();
    const part = (own: Assets | null) =>
      createSharedAssets({ connection, own, logger, now: () => now, monotonicMs: () => elapsedMs });
    const names = async () =>
      (await connection.collection('dashboard_assets').find().toArray()).map(({ _id }) => String(_id)).sort();
    return { connection, part, names, lines, commands: recordCommands(connection) };
  }
  const namesOf = (...builds: Assets[]) => builds.flatMap(({ files }) => [...files.keys()]).sort();
  const later = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };

  test('go after 30 days without a gateway of their build; those of a running one stay', async () => {
    const { part, names } = await createPart();
    const running = part(newer);
    await part(older).share();
    await running.share();
    later(30 * dayMs - 1);
    await running.sweep(signal);
    expect(await names()).toEqual(namesOf(older, newer));
    later(1);
    await running.sweep(signal);
    expect(await names()).toEqual(namesOf(newer));
    // Each start keeps them for another 30 days.
    await part(older).share();
    later(29 * dayMs);
    await part(older).share();
    later(2 * dayMs);
    await part(null).sweep(signal);
    expect(await names()).toEqual(namesOf(older));
  });

  test('are those of the last twenty builds', async () => {
    const { part, names } = await createPart();
    const builds = Array.from({ length: 22 }, (_, n) => buildOf(String(n + 10)));
    for (const build of builds) {
      await part(build).share();
      later(1000);
    }
    expect(await names()).toEqual(namesOf(...builds.slice(2)));
    // The first one is started again.
    await part(builds[0] as Assets).share();
    expect(await names()).toEqual(namesOf(builds[0] as Assets, ...builds.slice(3)));
  });

  test('many strangers with many names cause one look-up a second', async () => {
    const { part, commands } = await createPart();
    await part(older).share();
    commands.length = 0;
    const shared = part(newer);
    const guess = async () => {
      const names = Array.from({ length: 300 }, (_, n) => `main-${String(n).padStart(8, 'X')}.js`);
      return Promise.all(names.map((name) => shared.find(name)));
    };
    for (const found of [await guess(), await guess()])
      expect(found.every((asset) => asset === null)).toBe(true);
    expect(commands).toEqual(['find dashboard_assets']);
    elapsedMs += 1000;
    await guess();
    expect(commands).toHaveLength(2);

    // A file that is there is read once, however many ask for it, and then in the memory.
    const { main } = older.head.scripts;
    const found = await Promise.all(Array.from({ length: 50 }, () => shared.find(main)));
    expect(found.map((asset) => asset?.body.toString())).toEqual(
      Array(50).fill(older.files.get(main)?.body.toString()),
    );
    expect(commands).toHaveLength(3);
    expect(shared.recall(main)).toBe(found[0]);
  });

  test('a name that the bundle does not make is never looked up', async () => {
    const { part, commands } = await createPart();
    for (const name of [
      'main-oldaaaaa.js',
      'main-OLDAAAAA.html',
      'main-OLDAAAAA.js.map',
      'x',
      '../main',
      '$ne',
    ])
      expect([name, await part(newer).find(name)]).toEqual([name, null]);
    expect(commands).toEqual([]);
  });

  test('that could not be stored stop no start, and are stored with the next sweep', async () => {
    const { connection, part, names, lines } = await createPart();
    jest.spyOn(connection.model('DashboardAsset'), 'updateOne').mockImplementationOnce(() => {
      throw new Error('no room');
    });
    const shared = part(newer);
    await shared.share();
    expect([await names(), lines.length]).toEqual([[], 1]);
    expect(lines[0]).toContain('no room');
    expect(shared.recall(newer.head.scripts.main)).toBe(newer.files.get(newer.head.scripts.main));
    await shared.sweep(signal);
    expect([await names(), lines.length]).toEqual([namesOf(newer), 1]);
  });

  test('a file that has gone is forgotten', async () => {
    const { part } = await createPart();
    await part(older).share();
    const shared = part(newer);
    expect(await shared.find(older.head.scripts.shared)).not.toBeNull();
    later(31 * dayMs);
    await shared.sweep(signal);
    elapsedMs += 1000;
    expect(await shared.find(older.head.scripts.main)).toBeNull();
    expect(shared.recall(older.head.scripts.shared)).toBeNull();
  });

  test('a build that another one starts meanwhile is found within a second', async () => {
    const { part } = await createPart();
    const shared = part(older);
    expect(await shared.find(newer.head.scripts.main)).toBeNull();
    await part(newer).share();
    elapsedMs += 1000;
    expect(await shared.find(newer.head.scripts.main)).toMatchObject({
      type: 'text/javascript; charset=utf-8',
    });
  });
});
