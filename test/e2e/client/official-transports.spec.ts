import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Tool } from 'nestjs-mcp';
import { createAuthorizedFetch, StaticTokenSource } from 'nestjs-mcp/client';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootDesk, CALLERS } from '../../support/applications/protected-desk.js';

@Injectable()
class Ledger {
  @Tool({ description: 'Reads the ledger' })
  read(): string {
    return 'all is paid';
  }
}

/** What was sent, as `<method> <authorization>`. */
const sent: string[] = [];

const record: typeof fetch = (input, init) => {
  sent.push(`${init?.method ?? 'GET'} ${new Headers(init?.headers).get('authorization')}`);
  return fetch(input, init);
};

let desk: RunningApp;

beforeEach(async () => {
  sent.length = 0;
  desk = await bootDesk('express', { providers: [Ledger], options: { sse: true } });
});
afterEach(() => desk.close());

function authorize(token: string, serverUrl = desk.url): typeof fetch {
  return createAuthorizedFetch({
    serverUrl,
    tokenSource: new StaticTokenSource(token),
    fetch: record,
  });
}

const RESULT = { content: [{ type: 'text', text: 'all is paid' }] };

describe('The official transports with an authorized fetch', () => {
  it('carry the token with every call, notification, stream and the end: v1 (CLI-13) (CLI-18)', async () => {
    const transport = new TransportV1(new URL(desk.url), { fetch: authorize(CALLERS.ada.token) });
    const client = new ClientV1({ name: 'reader', version: '1.0.0' });
    await client.connect(transport);
    await expect(client.callTool({ name: 'read' })).resolves.toMatchObject(RESULT);
    await transport.terminateSession();
    await client.close();
    expect(new Set(sent)).toEqual(
      new Set(['POST', 'GET', 'DELETE'].map((method) => `${method} Bearer ${CALLERS.ada.token}`)),
    );
    // initialize, initialized, tools/call
    expect(sent.filter((one) => one.startsWith('POST'))).toHaveLength(3);
  });

  it.each(['legacy', { pin: '2026-07-28' }] as const)(
    'carry the token with every call: v2, %j (CLI-13) (CLI-18)',
    async (mode) => {
      const client = new Client({ name: 'reader', version: '2.0.0' }, { versionNegotiation: { mode } });
      const transport = new StreamableHTTPClientTransport(new URL(desk.url), {
        fetch: authorize(CALLERS.bob.token),
      });
      await client.connect(transport);
      await expect(client.callTool({ name: 'read', arguments: {} })).resolves.toMatchObject(RESULT);
      await client.close();
      expect(sent.filter((one) => !one.endsWith(` Bearer ${CALLERS.bob.token}`))).toEqual([]);
    },
  );

  it('carry the token with the stream and each message of HTTP+SSE (CLI-13) (CLI-18)', async () => {
    const url = `${desk.origin}/sse`;
    const transport = new SSEClientTransport(new URL(url), { fetch: authorize(CALLERS.ada.token, url) });
    const client = new ClientV1({ name: 'reader', version: '1.0.0' });
    await client.connect(transport);
    await expect(client.callTool({ name: 'read' })).resolves.toMatchObject(RESULT);
    await client.close();
    const bearer = `Bearer ${CALLERS.ada.token}`;
    expect(sent).toEqual([`GET ${bearer}`, ...Array<string>(3).fill(`POST ${bearer}`)]);
  });

  it('fail with a token that is no good, which is sent once (CLI-17) (CLI-18)', async () => {
    const client = new Client({ name: 'reader', version: '2.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL(desk.url), { fetch: authorize('no-good') });
    await expect(client.connect(transport)).rejects.toMatchObject({
      message: expect.stringMatching(/401|Unauthorized/),
    });
    expect(sent).toEqual(['POST Bearer no-good']);
  });
});
