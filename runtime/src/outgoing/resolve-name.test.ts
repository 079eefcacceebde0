import { Resolver } from 'node:dns/promises';
import { resolvePublicName } from './resolve-name.ts';

const never = new AbortController().signal;

function failWith(code: string): Promise<never> {
  return Promise.reject(Object.assign(new Error(code), { code }));
}

test('both kinds of addresses count, and one kind is enough', async () => {
  const ipv4 = jest.spyOn(Resolver.prototype, 'resolve4').mockResolvedValue(['8.8.8.8', '8.8.4.4']);
  const ipv6 = jest.spyOn(Resolver.prototype, 'resolve6').mockResolvedValue(['2606:4700::1']);
  await expect(resolvePublicName('a.example.com', never)).resolves.toEqual([
    '8.8.8.8',
    '8.8.4.4',
    '2606:4700::1',
  ]);
  ipv4.mockImplementation(() => failWith('ENODATA'));
  await expect(resolvePublicName('a.example.com', never)).resolves.toEqual(['2606:4700::1']);
  ipv6.mockImplementation(() => failWith('ESERVFAIL'));
  await expect(resolvePublicName('a.example.com', never)).rejects.toMatchObject({ code: 'ENODATA' });
});

test('a look-up that is given up ends', async () => {
  let cancel = () => {};
  const wait = () =>
    new Promise<never>((_, reject) => {
      const before = cancel;
      cancel = () => {
        before();
        reject(Object.assign(new Error('canceled'), { code: 'ECANCELLED' }));
      };
    });
  jest.spyOn(Resolver.prototype, 'resolve4').mockImplementation(wait);
  jest.spyOn(Resolver.prototype, 'resolve6').mockImplementation(wait);
  jest.spyOn(Resolver.prototype, 'cancel').mockImplementation(() => cancel());
  const gone = new AbortController();
  const resolving = resolvePublicName('a.example.com', gone.signal);
  gone.abort();
  await expect(resolving).rejects.toMatchObject({ code: 'ECANCELLED' });
});
