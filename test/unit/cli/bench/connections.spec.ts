import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { parseBenchOptions } from '../../../../cli/bench/bench-options.js';
import { ProbeConversation } from '../../../../cli/bench/probe-conversation.js';
import { LoadConnection } from '../../../../cli/bench/wire/load-connection.js';
import { openStream } from '../../../../cli/bench/wire/open-stream.js';
import { until } from '../../../support/until.js';
import type { Terminal } from '../../../../cli/command.interface.js';

const WIRE = { version: '2025-11-25', isHandshake: true };
const REFUSAL = 'has a local host name that resolves to another machine';
const LIST = { method: 'tools/list', params: {} };

/** Has sockets say that they lead to another machine, as those of a name in a file of hosts may. */
function leadElsewhere(): void {
  const { connect } = Socket.prototype;
  jest.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    Object.defineProperty(this, 'remoteAddress', { value: '192.0.2.7' });
    return (connect as (...all: unknown[]) => Socket).apply(this, args);
  });
}

describe('A connection of the bench', () => {
  const terminal: Terminal = { environment: {}, print: () => undefined, complain: () => undefined };
  let server: Server;
  let requests: IncomingMessage[];
  let connections: number;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;

  beforeEach(async () => {
    requests = [];
    connections = 0;
    answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
    };
    server = createServer((request, response) => {
      requests.push(request);
      answer(request, response);
    });
    server.on('connection', () => (connections += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    jest.restoreAllMocks();
    server.closeAllConnections();
    server.close();
  });

  const url = () => new URL(`http://localhost:${(server.address() as AddressInfo).port}/mcp`);
  const open = {
    load: async (isRemote: boolean) =>
      (await LoadConnection.open({ url: url(), isRemote, headers: {} })).destroy(),
    stream: async (isRemote: boolean) => {
      const target = { url: url(), isRemote, headers: {} };
      const heard = { onText: () => undefined, onEnd: () => undefined };
      const { signal } = new AbortController();
      const setup = { target, wire: WIRE, session: {}, subscribedUri: undefined, signal };
      (await openStream({ ...setup, ...heard }))();
    },
    profile: async (isRemote: boolean) => {
      const { server: options } = parseBenchOptions([url().href], {});
      await new ProbeConversation({ server: options, isRemote }, terminal).ask(WIRE, LIST);
    },
  };
  const KINDS = ['load', 'stream', 'profile'] as const;

  it.each(KINDS)('for the %s leads to this machine', async (kind) => {
    await open[kind](false);
    await until(() => connections > 0, 'a connection');
    expect(connections).toBe(1);
  });

  it.each(KINDS)('for the %s sends nothing to another machine', async (kind) => {
    leadElsewhere();
    await expect(open[kind](false)).rejects.toThrow(REFUSAL);
    expect(requests).toEqual([]);
  });

  it.each(KINDS)('for the %s leads there with "--remote"', async (kind) => {
    leadElsewhere();
    await open[kind](true);
    await until(() => connections > 0, 'a connection');
    expect(connections).toBe(1);
  });

  it('for the profile follows no redirect', async () => {
    answer = (_, response) => response.writeHead(307, { location: `${url().origin}/elsewhere` }).end();
    const { server: options } = parseBenchOptions([url().href, '--header', 'Authorization: Bearer mine'], {});
    const talk = new ProbeConversation({ server: options, isRemote: false }, terminal);
    expect((await talk.ask(WIRE, LIST)).status).toBe(307);
    expect(requests.map((request) => request.url)).toEqual(['/mcp']);
  });
});
