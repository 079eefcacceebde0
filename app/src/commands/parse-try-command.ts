import { parseOptions } from '@shelfwise/runtime/process/parse-options';

export const tryUsage = `Usage: npm run try -- [--url http://localhost:8080] [--app-id ID] [--no-mcp] [--json]

Does the main job against a running Shelfwise, as a client of its API: tracks an app and three keywords, waits for ranks, scores
and the audit, reads a history and a top chart, and calls the assistant server. The account that it creates for that is deleted
at the end. Reads the stores a few times if Shelfwise reads the real ones. The exit code is 1 if a step failed.

  --url      where the API is
  --app-id   the App Store id of the app (default: the first of the top chart)
  --no-mcp   without the assistant server, for a gateway that has none
  --json     print one JSON document at the end
  --help     print this help`;

export type ParsedTryCommand =
  | { kind: 'help' }
  | { kind: 'usage-error'; message: string }
  | { kind: 'command'; url: string; appId: string | null; hasMcp: boolean; isJson: boolean };

export function parseTryCommand(args: string[]): ParsedTryCommand {
  try {
    const { values } = parseOptions({
      args,
      options: {
        url: { type: 'string', default: 'http://localhost:8080' },
        'app-id': { type: 'string' },
        'no-mcp': { type: 'boolean', default: false },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    if (values.help) return { kind: 'help' };
    const url = URL.canParse(values.url) ? new URL(values.url) : null;
    if (url === null || !/^https?:$/.test(url.protocol))
      return { kind: 'usage-error', message: '--url must be an address with http or https.' };
    const appId = values['app-id'] ?? null;
    if (appId !== null && !/^\d{1,15}$/.test(appId))
      return { kind: 'usage-error', message: '--app-id must be digits, such as 281796108.' };
    return {
      kind: 'command',
      url: url.origin,
      appId,
      hasMcp: !values['no-mcp'],
      isJson: values.json ?? false,
    };
  } catch (error) {
    return { kind: 'usage-error', message: (error as Error).message };
  }
}
