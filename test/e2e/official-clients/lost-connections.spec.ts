import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Server } from 'node:http';
import {
  Client as ClientV2,
  SSEClientTransport as SseV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { WireTools } from '../../support/applications/wire-tools.js';
import { until } from '../../support/until.js';
import { McpNotifier } from 'nestjs-mcp';

/** A client of either generation, connected. */
interface Connected {
  /** Calls a tool, and tells when the client could come back for the answer. */
  call(call: { name: string; arguments?: Record<string, unknown> }, onToken?: () => void): Promise<unknown>;
  close(): Promise<void>;
}

/** How both generations connect over both transports of HTTP. */
const VERSIONS = [
  {
    version: 'v1',
    connect: async (url: URL, isSse: boolean, onChange: () => void): Promise<Connected> => {
      const client = new ClientV1({ name: 'unlucky', version: '1.0.0' });
      client.setNotificationHandler(ToolListChangedNotificationSchema, onChange);
      await client.connect(isSse ? new SseV1(url) : new HttpV1(url));
      return {
        call: (call, onresumptiontoken) =>
          client.callTool(call, undefined, onresumptiontoken && { onresumptiontoken }),
        close: () => client.close(),
      };
    },
  },
  {
    version: 'v2',
    connect: async (url: URL, isSse: boolean, onChange: () => void): Promise<Connected> => {
      const client = new ClientV2(
        { name: 'unlucky', version: '1.0.0' },
        { versionNegotiation: { mode: 'legacy' } },
      );
      client.setNotificationHandler('notifications/tools/list_changed', onChange);
      await client.connect(isSse ? new SseV2(url) : new HttpV2(url));
      return {
        call: (call, onresumptiontoken) => client.callTool(call, onresumptiontoken && { onresumptiontoken }),
        close: () => client.close(),
      };
    },
  },
];

const CASES = ADAPTERS.flatMap((adapter) => VERSIONS.map((version) => ({ adapter, ...version })));
const ECHO = { name: 'echo', arguments: { text: 'hi' } };
const ANSWER = { content: [{ type: 'text', text: 'hi' }] };

describe.each(CASES)(
  'The official client $version that loses its connection, on $adapter',
  ({ adapter, connect }) => {
    let desk: RunningApp;
    let client: Connected | undefined;
    let changes: number;

    beforeEach(async () => {
      const streams = { beginAfterMs: 20, retryMs: 50 };
      desk = await bootServer({ adapter, options: { sse: true, streams }, providers: [WireTools] });
      changes = 0;
    });

    afterEach(async () => {
      await client?.close();
      await desk.close();
    });

    const start = async (path: '/mcp' | '/sse') =>
      (client = await connect(new URL(`${desk.origin}${path}`), path === '/sse', () => (changes += 1)));
    const gate = (name: string) => desk.app.get(WireTools).gates.at(name);
    const cut = () => (desk.app.getHttpServer() as Server).closeAllConnections();

    it('goes on over HTTP+SSE, and hears of changes (SSE-01, NOTE-03)', async () => {
      const connected = await start('/sse');
      expect(await connected.call(ECHO)).toMatchObject(ANSWER);
      const notifier = desk.app.get(McpNotifier);
      const [before] = notifier.sessions;
      cut();
      // It comes back by itself, and says so: nothing has to be asked.
      await until(() => notifier.sessions.some(({ id }) => id !== before?.id), 'the client to come back');
      notifier.toolsListChanged();
      await until(() => changes > 0, 'a notification');
      expect(await connected.call(ECHO)).toMatchObject(ANSWER);
      expect(notifier.sessions).toHaveLength(1);
    });

    it('gets the answer of a call that said nothing yet, over streamable HTTP (HTTP-04)', async () => {
      const connected = await start('/mcp');
      let isPrimed = false;
      const answer = connected.call({ name: 'ignore', arguments: { gate: 'long' } }, () => (isPrimed = true));
      await until(() => isPrimed, 'the event by which the client can come back');
      cut();
      gate('long').open();
      expect(await answer).toMatchObject({ content: [{ type: 'text', text: 'long' }] });
    });
  },
);
