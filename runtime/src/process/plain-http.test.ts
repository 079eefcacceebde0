import { refusePlainHttp } from './plain-http.ts';
import { StartError } from './start-error.ts';

const refuse =
  (url: string, isInsecureAllowed = false) =>
  () =>
    refusePlainHttp({ setting: 'SERVER_URL', url, allowedBy: 'SERVER_INSECURE', isInsecureAllowed });

test.each(['http://127.0.0.1:8090', 'http://localhost', 'http://[::1]:1', 'https://server.example'])(
  '%s is allowed',
  (url) => {
    expect(refuse(url)).not.toThrow();
  },
);

test.each(['http://server.example', 'http://0.0.0.0:8090', 'http://10.0.0.1:8090', 'http://[::]:1'])(
  '%s is refused, unless the network is trusted',
  (url) => {
    expect(refuse(url)).toThrow(StartError);
    expect(refuse(url)).toThrow(/SERVER_URL .* Use https, or set SERVER_INSECURE=true/);
    expect(refuse(url, true)).not.toThrow();
  },
);
