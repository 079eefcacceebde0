#!/usr/bin/env node
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { version } from '@shelfwise/runtime/version';
import { createApiClient } from './api/api-client.ts';
import { createCallQueue } from './api/call-queue.ts';
import { systemClock } from './api/system-clock.ts';
import { createServer } from './create-server.ts';
import { readStdioSettings } from './stdio-settings.ts';

// Standard output carries the protocol and nothing else.
const settings = readStdioSettings(process);
const api = createApiClient({
  baseUrl: settings.baseUrl,
  key: settings.key,
  queue: createCallQueue(systemClock),
  userAgent: `shelfwise-mcp/${version}`,
  clock: systemClock,
});
serveStdio(() => createServer(api, version, systemClock), {
  onerror({ message }) {
    console.error(`shelfwise-mcp: ${message}`);
    // The SDK ends the process then, as if its client were gone.
    if (/exceeded maximum size/.test(message)) process.exitCode = 1;
  },
});
