import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { FastMCP } from 'fastmcp';

import {
  ANNOUNCE_TOOL,
  buildToolDescriptions,
  searchArguments,
  searchTickets,
  SERVER_INFO,
} from './fixtures.js';
import { readSettings, reportPort } from './serve.js';

const settings = readSettings();
const ignore = (): void => undefined;

const server = new FastMCP({
  name: SERVER_INFO.name,
  version: '1.0.0',
  ping: { enabled: false },
  roots: { enabled: false },
  health: { enabled: false },
  logger: { debug: ignore, error: ignore, info: ignore, log: ignore, warn: ignore },
});
for (const { name, description } of buildToolDescriptions(settings.tools)) {
  server.addTool({
    name,
    description,
    parameters: searchArguments,
    execute: async (toolArguments) => searchTickets(toolArguments),
  });
}
if (settings.announces) server.addTool({ ...ANNOUNCE_TOOL, execute: announce });

// It does not say which port it was given, so it is told one that was free a moment ago.
const port = await findFreePort();
await server.start({
  transportType: 'httpStream',
  httpStream: {
    port,
    host: '127.0.0.1',
    enableJsonResponse: true,
    stateless: settings.variant === 'stateless',
  },
});
reportPort(port);

/** It has no call of its own that announces without a change, so the application goes through its sessions. */
async function announce(): Promise<string> {
  await Promise.all(server.sessions.map((session) => session.server.sendToolListChanged()));
  return 'announced';
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return free;
}
