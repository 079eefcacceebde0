import { toPathAndQuery } from './request-target.ts';

test.each([
  ['/', '/'],
  ['/a?b=c', '/a?b=c'],
  ['//x', '//x'],
  ['//a:b@[::1/x#y', '//a:b@[::1/x'],
  ['/a\\b', '/a\\b'],
  ['/%zz', '/%zz'],
  ['/a#b?c', '/a'],
  ['http://host/a?b=c', '/a?b=c'],
  ['HTTPS://user:pw@host:1/a', '/a'],
  ['http://host', '/'],
  ['http://host?b=c', '/?b=c'],
])('the target %s means %s', (target, expected) => {
  expect(toPathAndQuery(target)).toBe(expected);
});

test.each([
  '*',
  '',
  'http://',
  'http:///a',
  'http://[/',
  'http://a:b:c/',
  'http://x:99999999/',
  'ftp://host/a',
  'host:443',
])('the target %j has no path', (target) => {
  expect(toPathAndQuery(target)).toBeNull();
});
