import { networkInterfaces } from 'node:os';
import { checkAddresses, checkTarget, maxUrlLength, TargetError } from './target.ts';

const publicOnly = { allowPrivate: false, ownAddresses: ['198.41.0.4', '2606:4700::6810:1'] };
const privateToo = { allowPrivate: true };

test.each([
  ['https://hooks.example.com/a?b=c', 'https://hooks.example.com/a?b=c'],
  ['HTTPS://Hooks.Example.com:443', 'https://hooks.example.com/'],
  ['https://hooks.example.com:8443/', 'https://hooks.example.com:8443/'],
  ['https://hooks.example.com:1024/', 'https://hooks.example.com:1024/'],
  ['https://8.8.8.8/', 'https://8.8.8.8/'],
  ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
  ['https://bücher.example.com/straße', 'https://xn--bcher-kva.example.com/stra%C3%9Fe'],
  ['https://example.com/%0d%0aHost:%20x', 'https://example.com/%0d%0aHost:%20x'],
  ['https://example.com/a@b', 'https://example.com/a@b'],
])('%s may be called', (text, href) => {
  expect(checkTarget(text, publicOnly).href).toBe(href);
});

const toPrivate = 'leads to a private address';
const toRefused = 'leads to an address that is never called';
const privateName = 'has a host of a private network';
const wrongStart = 'must start with https:// and a host';
const hidden = 'contains a blank, a backslash or an invisible character';
const wrongPort = 'must use the usual port, or one from 1024 to 65535';
const userInfo = 'must not contain a user name or password';

/** Refused when they are saved and at each call, since both check the text. */
const hostileTargets: readonly (readonly [url: string, reason: string])[] = [
  // loopback in every spelling
  ['https://127.0.0.1/', toPrivate],
  ['https://127.1/', toPrivate],
  ['https://127.1:8443/', toPrivate],
  ['https://0x7f.1/', toPrivate],
  ['https://0x7f000001/', toPrivate],
  ['https://2130706433/', toPrivate],
  ['https://0177.0.0.1/', toPrivate],
  ['https://017700000001/', toPrivate],
  ['https://127.0.0.1./', toPrivate],
  ['https://127.255.255.254/', toPrivate],
  ['https://①②⑦.⓪.⓪.①/', toPrivate],
  ['https://127。0。0。1/', toPrivate],
  ['https://%31%32%37.0.0.1/', toPrivate],
  ['https://[::1]/', toPrivate],
  ['https://[0:0:0:0:0:0:0:1]/', toPrivate],
  // private networks
  ['https://10.0.0.1/', toPrivate],
  ['https://172.16.0.1/', toPrivate],
  ['https://172.31.255.255/', toPrivate],
  ['https://192.168.1.1/', toPrivate],
  ['https://100.64.0.1/', toPrivate],
  ['https://[fd12:3456:789a::1]/', toPrivate],
  ['https://[fc00::1]/', toPrivate],
  // what is reached by no one, or by everyone
  ['https://0.0.0.0/', toRefused],
  ['https://0/', toRefused],
  ['https://[::]/', toRefused],
  ['https://255.255.255.255/', toRefused],
  ['https://224.0.0.1/', toRefused],
  ['https://[ff02::1]/', toRefused],
  ['https://240.0.0.1/', toRefused],
  ['https://192.0.0.1/', toRefused],
  ['https://192.0.2.1/', toRefused],
  ['https://198.18.0.1/', toRefused],
  ['https://198.51.100.1/', toRefused],
  ['https://203.0.113.1/', toRefused],
  ['https://192.88.99.1/', toRefused],
  ['https://[2001:db8::1]/', toRefused],
  ['https://[3fff::1]/', toRefused],
  ['https://[100::1]/', toRefused],
  ['https://[4000::1]/', toRefused],
  // link-local, and where clouds answer with credentials
  ['https://169.254.169.254/', toRefused],
  ['https://169.254.169.254/latest/meta-data/iam/', toRefused],
  ['https://0xa9fea9fe/', toRefused],
  ['https://[fe80::1]/', toRefused],
  ['https://[fd00:ec2::254]/', toRefused],
  ['https://[fd00:0ec2:0:0:0:0:0:0254]/', toRefused],
  ['https://[fd20:ce::254]/', toRefused],
  ['https://100.100.100.200/', toRefused],
  ['https://168.63.129.16/', toRefused],
  ['https://192.0.0.192/', toRefused],
  ['https://metadata.internal/', privateName],
  // an IPv4 address within an IPv6 one
  ['https://[::ffff:10.0.0.1]/', toRefused],
  ['https://[::ffff:a00:1]/', toRefused],
  ['https://[::ffff:127.0.0.1]/', toRefused],
  ['https://[::ffff:169.254.169.254]/', toRefused],
  ['https://[::ffff:8.8.8.8]/', toRefused],
  ['https://[::127.0.0.1]/', toRefused],
  ['https://[::ffff:0:10.0.0.1]/', toRefused],
  ['https://[64:ff9b::10.0.0.1]/', toRefused],
  ['https://[64:ff9b:1::10.0.0.1]/', toRefused],
  ['https://[2002:a00:1::]/', toRefused],
  ['https://[2002:7f00:1::1]/', toRefused],
  ['https://[2001::a00:1]/', toRefused],
  ['https://[fec0::1]/', toRefused],
  // this machine
  ['https://198.41.0.4/', 'leads to this machine'],
  ['https://[2606:4700:0:0:0:0:6810:1]:27017/', 'leads to this machine'],
  // names that only a private network knows
  ['https://localhost/', privateName],
  ['https://localhost:8443/', privateName],
  ['https://a.localhost/', privateName],
  ['https://kafka:9092/', privateName],
  ['https://mongodb:27017/', privateName],
  ['https://redis:6379/', privateName],
  ['https://printer.local/', privateName],
  ['https://worker.shelfwise.svc.cluster.local:50051/', privateName],
  ['https://db.internal/', privateName],
  ['https://nas.home.arpa/', privateName],
  ['https://ⓛocalhost/', privateName],
  ['https://localhost./', 'has a host that ends with a dot'],
  ['https://hooks.example.com./', 'has a host that ends with a dot'],
  // other ports
  ['https://example.com:22/', wrongPort],
  ['https://example.com:25/', wrongPort],
  ['https://example.com:80/', wrongPort],
  ['https://example.com:0/', wrongPort],
  ['https://example.com:1023/', wrongPort],
  ['https://10.0.0.1:6379/', toPrivate],
  ['https://example.com:65536/', 'is not a valid URL'],
  ['https://example.com:-1/', 'is not a valid URL'],
  // other schemes
  ['http://example.com/', wrongStart],
  ['http://127.0.0.1:6379/', wrongStart],
  ['ftp://example.com/', wrongStart],
  ['file:///etc/passwd', wrongStart],
  ['gopher://example.com:6379/_PING', wrongStart],
  ['redis://example.com:6379', wrongStart],
  ['data:text/plain,a', wrongStart],
  ['javascript:alert(1)', wrongStart],
  ['kafka:9092', wrongStart],
  ['example.com', wrongStart],
  ['//example.com/', wrongStart],
  ['https:example.com', wrongStart],
  ['https:/example.com', wrongStart],
  ['https:///example.com', wrongStart],
  ['', wrongStart],
  // user names, which hide the host
  ['https://user@example.com/', userInfo],
  ['https://user:password@example.com/', userInfo],
  ['https://example.com@169.254.169.254/', userInfo],
  ['https://@example.com/', userInfo],
  ['https://:@example.com/', userInfo],
  // what the parser would drop or turn
  ['https://example.com/#a', 'must not contain a fragment (#)'],
  ['https://example.com#@10.0.0.1/', 'must not contain a fragment (#)'],
  ['https://example.com/#', 'must not contain a fragment (#)'],
  ['https://example.com\\@10.0.0.1/', hidden],
  ['https:\\\\example.com/', hidden],
  [' https://example.com/', hidden],
  ['https://example.com/ HTTP/1.1', hidden],
  ['https://example.com/\r\nHost: a', hidden],
  ['https://exam\tple.com/', hidden],
  ['https://exam\u00adple.com/', hidden],
  ['https://exam\u200bple.com/', hidden],
  ['https://example.com/\0', hidden],
  ['https://example.com/\u202egpj', hidden],
  // no hosts
  ['https://[::1/', 'is not a valid URL'],
  ['https://[::1%25eth0]/', 'is not a valid URL'],
  ['https://256.256.256.256/', 'is not a valid URL'],
  ['https://1.2.3.4.5/', 'is not a valid URL'],
  ['https://a..example.com/', 'has a host that is not a valid name'],
  ['https://.example.com/', 'has a host that is not a valid name'],
  [`https://${'a'.repeat(64)}.example.com/`, 'has a host that is not a valid name'],
  [`https://${'a.'.repeat(130)}com/`, 'has a host that is not a valid name'],
  // too long, as written or as normalized
  [`https://example.com/${'a'.repeat(maxUrlLength)}`, 'has more than 2000 characters'],
  [`https://example.com/${'ü'.repeat(700)}`, 'has more than 2000 characters'],
];

test.each(hostileTargets)('%j is refused: it %s', (text, reason) => {
  expect(() => checkTarget(text, publicOnly)).toThrow(new TargetError(`The URL ${reason}.`));
});

test('where private addresses are allowed, so are http, port 80 and names without a dot', () => {
  for (const text of [
    'http://receiver/',
    'http://receiver:8080/hook',
    'https://10.0.0.1/',
    'http://[::1]:3000/',
    'http://[fd12::1]/',
    'https://nas.local/',
  ])
    expect(checkTarget(text, privateToo).protocol).toMatch(/^https?:$/);
});

test.each([
  ['http://169.254.169.254/latest/meta-data/', toRefused],
  ['http://[fd00:ec2::254]/', toRefused],
  ['http://100.100.100.200/', toRefused],
  ['http://0.0.0.0:8080/', toRefused],
  ['http://[::ffff:127.0.0.1]/', toRefused],
  ['http://224.0.0.1/', toRefused],
  ['http://127.0.0.1:22/', wrongPort],
  ['http://user@127.0.0.1/', userInfo],
  ['ftp://127.0.0.1/', 'must start with https:// or http:// and a host'],
])('%s is refused even then: it %s', (text, reason) => {
  expect(() => checkTarget(text, privateToo)).toThrow(new TargetError(`The URL ${reason}.`));
});

test('one refused address of a name refuses all', () => {
  expect(() => checkAddresses(['8.8.8.8', '2606:4700:4700::1111'], publicOnly)).not.toThrow();
  expect(() => checkAddresses(['8.8.8.8', '10.0.0.1'], publicOnly)).toThrow(toPrivate);
  expect(() => checkAddresses(['8.8.8.8', '::1'], publicOnly)).toThrow(toPrivate);
  expect(() => checkAddresses(['2606:4700:4700::1111', '169.254.169.254'], publicOnly)).toThrow(toRefused);
  expect(() => checkAddresses(['8.8.8.8', '198.41.0.4'], publicOnly)).toThrow('leads to this machine');
  expect(() => checkAddresses([], publicOnly)).toThrow('has a host without an address');
  expect(() => checkAddresses(['kafka'], publicOnly)).toThrow(toRefused);
  expect(() => checkAddresses(['10.0.0.1', '169.254.169.254'], privateToo)).toThrow(toRefused);
});

test('the addresses of this machine are refused without being named', () => {
  const own = Object.values(networkInterfaces()).flatMap((entries = []) =>
    entries.map(({ address }) => address),
  );
  expect(own).not.toEqual([]);
  for (const address of own)
    expect(() => checkAddresses([address], { allowPrivate: false })).toThrow(TargetError);
});

test('the error contains nothing of the URL', () => {
  for (const text of [
    'https://user:hush-1@example.com/',
    'https://[hush-1',
    'ftp://hush-1/',
    'https://10.0.0.1/hush-1',
  ])
    try {
      checkTarget(text, publicOnly);
    } catch (error) {
      expect(String(error)).toMatch(/^TargetError: The URL /);
      expect((error as Error).stack).not.toContain('hush-1');
    }
  expect.assertions(8);
});
