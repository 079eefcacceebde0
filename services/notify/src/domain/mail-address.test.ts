import { mailboxOf, readMailAddress } from './mail-address.ts';

test.each(['ann@example.com', 'a.b+aso@mail.example.co.uk', "o'neill@xn--bcher-kva.example"])(
  '%s is an address',
  (address) => {
    expect(readMailAddress(`mailto:${address}`)?.address).toBe(address);
  },
);

test('its domain is in lower case', () => {
  expect(readMailAddress('MAILTO:Ann@Example.COM')).toEqual({
    address: 'Ann@Example.COM',
    domain: 'example.com',
  });
});

test.each([
  'ann@example.com',
  'https://example.com',
  'mailto:',
  'mailto:ann',
  'mailto:@example.com',
  'mailto:ann@localhost',
  'mailto:ann@[127.0.0.1]',
  'mailto:ann@127.0.0.1',
  'mailto:ann@example.com,bob@example.com',
  'mailto:ann@example.com;bob@example.com',
  'mailto:ann@example.com bob@example.com',
  'mailto:ann@example.com?bcc=bob@example.com',
  'mailto:ann@example.com\r\nBcc: bob@example.com',
  'mailto:ann@example.com\n',
  'mailto:ann\r@example.com',
  'mailto:"ann"@example.com',
  'mailto:Ann <ann@example.com>',
  'mailto:ann%0a@example.com',
  'mailto:.ann@example.com',
  'mailto:ann..b@example.com',
  'mailto:ann@-example.com',
  'mailto:ann@exa_mple.com',
  'mailto:änn@example.com',
  `mailto:${'a'.repeat(65)}@example.com`,
  `mailto:ann@${'a.'.repeat(130)}com`,
])('%j is none', (url) => {
  expect(readMailAddress(url)).toBeNull();
});

test('other spellings of an address are no other mailbox', () => {
  for (const address of ['Ann.B@Example.com', 'annb+x@example.com', 'a.n.n.b+y+z@EXAMPLE.com'])
    expect(mailboxOf(address)).toBe('annb@example.com');
  expect(mailboxOf('bob@example.com')).not.toBe(mailboxOf('bob@example.org'));
});
