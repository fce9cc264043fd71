import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import { App, Tool, type McpOptions } from 'nestjs-mcp';
import type { AdapterName, RunningApp } from '../../../support/applications/boot.js';
import { bootServer, type ServerParts } from '../../../support/applications/server.js';
import { initialize, perRequest } from '../../../support/clients/json-rpc.js';
import type { JsonObject } from '../../../support/clients/message.js';

/** Where the pages of these apps are. */
export const PAGES = fileURLToPath(new URL('./pages', import.meta.url));

export const APP_TYPE = 'text/html;profile=mcp-app';

/** What a client declares that shows apps. */
export const SHOWS_APPS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [APP_TYPE] } } };

/** A page that hosts show. */
export const CHART = '<!doctype html><title>Chart</title><p id="chart"></p>';

/** A board with an app in a file, one in a folder of a bundler, and one that a method makes. */
@Injectable()
export class BoardTools {
  @Tool({ description: 'Shows the board', ui: 'board.html' })
  show() {
    return { tickets: [{ id: 1, title: 'The printer is on fire' }] };
  }

  @Tool({ ui: { resource: 'board.html', visibility: ['app'], prefersBorder: true } })
  close() {
    return 'Ticket 1 is closed';
  }

  @Tool({ title: 'Open the panel', ui: 'panel' })
  panel(): void {
    // The app shows everything.
  }

  @Tool({ ui: 'chart' })
  draw(): void {
    // The app shows everything.
  }

  @App({
    title: 'Chart',
    csp: { connectDomains: ['https://api.example.com'] },
    permissions: ['clipboardWrite'],
    prefersBorder: false,
  })
  chart(): string {
    return CHART;
  }

  @Tool()
  plain(): string {
    return 'as ever';
  }
}

/** Starts a server whose pages are in {@link PAGES}. */
export function bootApps(
  adapter: AdapterName,
  { options, ...parts }: Omit<ServerParts, 'adapter'> = {},
): Promise<RunningApp> {
  const apps: McpOptions['apps'] = { directory: PAGES, ...options?.apps };
  return bootServer({ providers: [BoardTools], ...parts, adapter, options: { ...options, apps } });
}

/** Asks for something and gives the result. */
export type Ask = (method: string, params?: JsonObject) => Promise<JsonObject>;

/** The two kinds of revision in which tools can tell of their apps, with what their clients declare. */
export const WIRES = [
  {
    wire: '2026-07-28',
    connect: async (url: string, capabilities: JsonObject): Promise<Ask> => {
      const client = perRequest(url, { capabilities });
      return async (method, params) => client.start(method, params).result();
    },
  },
  ...['2025-06-18', '2025-11-25'].map((version) => ({
    wire: version,
    connect: async (url: string, capabilities: JsonObject): Promise<Ask> => {
      const session = await initialize(url, { version, capabilities });
      return async (method, params) => session.start(method, params).result();
    },
  })),
];

/** Gives an entry of a list by its name. */
export function find(result: JsonObject, list: string, name: string): JsonObject | undefined {
  return (result[list] as JsonObject[]).find((entry) => entry['name'] === name);
}

export function namesOf(result: JsonObject, list: string): unknown[] {
  return (result[list] as JsonObject[]).map(({ name }) => name);
}
