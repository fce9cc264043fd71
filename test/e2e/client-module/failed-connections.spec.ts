import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { McpClientOptions } from 'nestjs-mcp/client-module';
import { findFreePort } from '../../conformance/find-free-port.js';
import { SELF_SIGNED } from '../../support/self-signed.js';
import { bootCustomer, type Customer } from './shop.app.js';

const ONCE = { reconnect: false } as const;

let customer: Customer | undefined;
let server: Server | undefined;

const fail = async (options: McpClientOptions): Promise<Error> => {
  customer = await bootCustomer(options);
  return customer.client.listTools().then(
    () => new Error('it was listed'),
    (error: unknown) => error as Error,
  );
};

const listen = async (one: Server): Promise<number> => {
  server = one;
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  return (one.address() as AddressInfo).port;
};

const serve = async (listener: RequestListener) =>
  `http://127.0.0.1:${await listen(createServer(listener))}/mcp`;

/** Fails as `fetch` of Node does, with a code of the system. */
const failing =
  (code: string): typeof fetch =>
  () => {
    const cause = Object.assign(new Error(`getaddrinfo ${code} desk.example.com`), { code });
    return Promise.reject(new TypeError('fetch failed', { cause }));
  };

describe('An injected client that cannot connect', () => {
  afterEach(async () => {
    await customer?.app.close();
    await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
    server = undefined;
  });

  it('names the refused connection, its URL and itself (CLI-18)', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/mcp`;
    const error = await fail({ url, ...ONCE });
    expect(error).toMatchObject({ code: 'client_unavailable', client: 'shop' });
    expect(error.message).toContain(`The client "shop" could not connect to ${url} within `);
    expect(error.message).toContain('ECONNREFUSED, nothing is listening there: start the server');
  });

  it.each([
    ['ENOTFOUND', 'DNS cannot resolve the host'],
    ['EAI_AGAIN', 'DNS does not respond'],
    ['EHOSTUNREACH', 'there is no route to it'],
    ['UND_ERR_CONNECT_TIMEOUT', 'firewalls'],
    ['ECONNRESET', 'check the server log'],
    ['CERT_HAS_EXPIRED', 'renew it'],
    ['EWHATEVER', 'see "cause"'],
  ])('says what %s means (CLI-18)', async (code, meaning) => {
    const error = await fail({ url: 'https://desk.example.com/mcp', fetch: failing(code), ...ONCE });
    expect(error.message).toContain('to https://desk.example.com/mcp within');
    expect(error.message).toContain(code);
    expect(error.message).toContain(meaning);
  });

  it('names a certificate that it does not trust, with the fix (CLI-18)', async () => {
    const port = await listen(createSecureServer(SELF_SIGNED, (_, response) => void response.end()));
    const error = await fail({ url: `https://127.0.0.1:${port}/mcp`, ...ONCE });
    expect(error.message).toMatch(/DEPTH_ZERO_SELF_SIGNED_CERT.*NODE_EXTRA_CA_CERTS/);
  });

  it('names the status of a server that is busy (CLI-18)', async () => {
    const url = await serve((_, response) => void response.writeHead(503).end());
    const error = await fail({ url, ...ONCE });
    expect(error.message).toContain('the server responds with status 503');
  });

  it('says that no response has arrived yet, while the first attempt waits (CLI-18)', async () => {
    const url = await serve(() => undefined);
    const error = await fail({ url, reconnect: { waitMs: 300 } });
    expect(error.message).toContain('within 300 ms: no response has arrived yet');
    await customer?.client.close();
    (server as { closeAllConnections?: () => void } | undefined)?.closeAllConnections?.();
  });

  it('names the program of a server that ends at once (CLI-18)', async () => {
    const error = await fail({ command: process.execPath, args: ['-e', ''], ...ONCE });
    expect(error.message).toContain(`to ${process.execPath} within`);
    expect(error.message).toContain('CONNECTION_CLOSED, the connection was closed');
  });

  it('shows no credentials of the URL (CLI-18)', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/mcp?api_key=secret-of-mine`;
    expect((await fail({ url, ...ONCE })).message).not.toContain('secret-of-mine');
  });
});
