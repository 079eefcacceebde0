import { ConfigError, readConfig } from '@shelfwise/runtime/process/config';
import { storeFetchConfig } from './config.ts';

const read = (settings: Record<string, string>) =>
  readConfig(storeFetchConfig, { STORE_SOURCE: 'live', MONGODB_URI: 'mongodb://db', ...settings });

test('the default budgets are the known limit of App Store search and cautious guesses for the others', () => {
  expect(read({})).toMatchObject({
    STORE_ITUNES_PER_MINUTE: 20,
    STORE_ITUNES_HINTS_PER_MINUTE: 60,
    STORE_ITUNES_PAGES_PER_MINUTE: 60,
    STORE_PLAY_PER_MINUTE: 60,
    STORE_ITUNES_HINTS_URL: 'https://search.itunes.apple.com',
    STORE_APPS_URL: 'https://apps.apple.com',
    STORE_PLAY_URL: 'https://play.google.com',
    STORE_PROXIES: [],
  });
  expect(read({ STORE_PLAY_PER_MINUTE: '6000' })).toMatchObject({ STORE_PLAY_PER_MINUTE: 6000 });
});

test.each(['0', '6001', '1.5', 'many'])('a budget of %s calls a minute is refused', (value) => {
  expect(() => read({ STORE_ITUNES_PER_MINUTE: value })).toThrow(
    'STORE_ITUNES_PER_MINUTE: must be a whole number from 1 to 6000',
  );
});

test('two spellings of a proxy, or two passwords of one user, count as one address', () => {
  const { STORE_PROXIES } = read({
    STORE_PROXIES:
      'http://A.example:80,http://a.example/ http://me:one@b.example http://me:two@b.example http://you:one@b.example',
  });
  expect(STORE_PROXIES.map(({ href }) => href)).toEqual([
    'http://a.example/',
    'http://me:one@b.example/',
    'http://you:one@b.example/',
  ]);
});

test('proxies are separated by commas or spaces, and duplicates are ignored', () => {
  const { STORE_PROXIES } = read({
    STORE_PROXIES: 'http://a.example:3128, https://me:s3cret@b.example\n http://a.example:3128,',
  });
  expect(STORE_PROXIES.map(({ href }) => href)).toEqual([
    'http://a.example:3128/',
    'https://me:s3cret@b.example/',
  ]);
});

test.each([
  'b.example:3128:me:s3cret',
  'socks5://me:s3cret@b.example',
  'http://me:s3cret@',
  'http://me:s3cret%@b.example',
  'http://me:s3cret@b.example/path',
])('an invalid proxy is refused, and the message does not repeat it: %s', (value) => {
  const refused = () => read({ STORE_PROXIES: `http://a.example,${value}` });
  expect(refused).toThrow(ConfigError);
  expect(refused).toThrow(/^(?!.*s3cret).*STORE_PROXIES: must be http or https addresses of proxies/s);
});
