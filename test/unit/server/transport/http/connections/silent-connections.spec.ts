import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { SilentConnections } from '../../../../../../lib/server/transport/http/connections/http-connections.js';
import { until, within } from '../../../../../support/until.js';

describe('SilentConnections', () => {
  let server: Server;
  let silent: SilentConnections;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    silent = new SilentConnections(server);
    await once(server, 'listening');
  });

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });

  /** Opens a connection, and gives both of its ends. */
  async function open(): Promise<{ readonly client: Socket; readonly peer: Socket }> {
    const accepted = once(server, 'connection');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
    sockets.push(client);
    const [peer] = (await accepted) as [Socket];
    return { client, peer };
  }

  it('end where nothing came for as long as it is waited (MOD-12)', async () => {
    const { client } = await open();
    const ended = once(client, 'close');
    silent.end(60_000);
    expect(client.destroyed).toBe(false);
    await until(() => {
      silent.end(20);
      return client.destroyed;
    }, 'the end of the connection');
    await within(ended, 'the end of the connection');
  });

  it('are none that carry a part of a request: it has a time-out of its own (MOD-12)', async () => {
    const { client, peer } = await open();
    client.write('POST /mcp HT');
    await until(() => peer.bytesRead > 0, 'a part of a request');
    silent.end(-1);
    expect(peer.destroyed).toBe(false);
  });
});
