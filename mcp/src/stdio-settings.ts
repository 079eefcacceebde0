type Host = {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  exit(code: number): never;
};

const usage = `shelfwise-mcp: the Model Context Protocol server of Shelfwise, over standard input and output.
An assistant starts it; it calls the Shelfwise API with your key.

Settings (environment):
  SHELFWISE_API_KEY    your key, sw_live_… (npm start prints one)
  SHELFWISE_BASE_URL   the address of the API (default http://localhost:8080)`;

/** Reads the settings. Without a key the process ends with 1 and one line that says what to do. */
export function readStdioSettings(host: Host): { key: string; baseUrl: string } {
  const option = host.argv[2];
  if (option === '--help' || option === '-h') {
    console.error(usage);
    return host.exit(0);
  }
  const refuse = (problem: string) => {
    console.error(`shelfwise-mcp: ${problem}`);
    return host.exit(1);
  };
  if (option !== undefined) return refuse(`there is no option ${option}; see --help`);
  const key = host.env.SHELFWISE_API_KEY?.trim() ?? '';
  if (key === '')
    return refuse(
      'SHELFWISE_API_KEY is missing: set it to your API key (sw_live_…) in the settings of the client.',
    );
  // A header could not carry it.
  if (!/^[\x21-\x7e]+$/.test(key)) return refuse('SHELFWISE_API_KEY has a character that no key has.');
  const address = host.env.SHELFWISE_BASE_URL?.trim() || 'http://localhost:8080';
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    return refuse('SHELFWISE_BASE_URL must be an address such as http://localhost:8080.');
  return { key, baseUrl: `${url.origin}${url.pathname}`.replace(/\/+$/, '') };
}
