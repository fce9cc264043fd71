import type { OutgoingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CorsOptions } from '../../../../../../lib/server/settings/http-options.js';
import { buildServerSettings } from '../../../../../../lib/server/settings/server-settings.js';
import {
  CrossOrigin,
  exposeHeaders,
} from '../../../../../../lib/server/transport/http/edge/origin-policy.js';
import { sendHttp, type RawResponse } from '../../../../../support/clients/raw-http.js';
import { TestServer } from '../../../../support/http-server.js';
import { SERVER_INFO } from '../../../../support/settings.js';

const APP = 'https://app.example';
const PREFLIGHT = { origin: APP, 'access-control-request-method': 'POST' };

function create(cors: true | CorsOptions): CrossOrigin {
  const { cors: options } = buildServerSettings({ serverInfo: SERVER_INFO, cors });
  if (options === undefined) throw new Error('CORS is off');
  return new CrossOrigin(options);
}

describe('CrossOrigin (Fetch Standard §3.2)', () => {
  let server: TestServer;

  beforeEach(async () => {
    server = await TestServer.start();
  });

  afterEach(() => server.stop());

  /** Asks a server that answers preflights, and everything else with nothing. */
  function ask(cors: true | CorsOptions, method: string, headers: OutgoingHttpHeaders): Promise<RawResponse> {
    const crossOrigin = create(cors);
    server.handle((request, response) => {
      crossOrigin.allow(request.headers.origin, response);
      if (crossOrigin.isPreflight(request))
        crossOrigin.answerPreflight(request, response, 'POST, GET, DELETE');
      else response.writeHead(405).end();
    });
    return sendHttp(server.url, { method, headers });
  }

  it.each<[string, true | CorsOptions, string, string | undefined]>([
    ['any origin, where any may', true, 'https://anywhere.example', '*'],
    [
      'any origin, where any is listed among others',
      { origins: [APP, '*'] },
      'https://anywhere.example',
      '*',
    ],
    ['a listed origin, by its name', { origins: ['https://other.example', APP] }, APP, APP],
    ['no other origin', { origins: [APP] }, 'https://other.example', undefined],
    ['no loopback origin that is not listed', { origins: [APP] }, 'http://localhost:3000', undefined],
  ])('lets %s read an answer (HTTP-11)', async (_who, cors, origin, allowed) => {
    const { headers } = await ask(cors, 'POST', { origin });
    expect(headers['access-control-allow-origin']).toBe(allowed);
    expect(headers['access-control-expose-headers']).toBe(
      allowed && 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate',
    );
  });

  it('says that an answer depends on the origin, where it does (HTTP-11)', async () => {
    for (const headers of [{}, { origin: APP }, { origin: 'https://other.example' }]) {
      expect((await ask({ origins: [APP] }, 'POST', headers)).headers['vary']).toBe('Origin');
      expect((await ask(true, 'POST', headers)).headers['vary']).toBeUndefined();
    }
  });

  it('sends no credentials along (HTTP-11)', async () => {
    const { headers } = await ask(true, 'OPTIONS', PREFLIGHT);
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('answers a preflight: methods, the headers of MCP requests, and for how long (HTTP-11)', async () => {
    const answer = await ask({ origins: [APP], maxAgeSeconds: 7 }, 'OPTIONS', PREFLIGHT);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': APP,
      'access-control-allow-methods': 'POST, GET, DELETE',
      'access-control-max-age': '7',
    });
    const allowed = String(answer.headers['access-control-allow-headers']).toLowerCase().split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'accept',
        'mcp-session-id',
        'mcp-protocol-version',
        'mcp-method',
        'mcp-name',
        'last-event-id',
      ]),
    );
  });

  it.each([
    ['Mcp-Param-Region, mcp-param-x_1', ['Mcp-Param-Region', 'mcp-param-x_1']],
    ['X-Other, Mcp-Param-Region', ['Mcp-Param-Region']],
    ['Mcp-Param-, Mcp-Parameter-A, Mcp-Param-a b, Mcp-Param-a\\r', []],
    [`Mcp-Param-${'x'.repeat(65)}`, []],
    ['', []],
  ])('allows of the headers %j those that repeat parameters (HTTP-11)', async (asked, allowed) => {
    const plain = await ask(true, 'OPTIONS', PREFLIGHT);
    const { headers } = await ask(true, 'OPTIONS', { ...PREFLIGHT, 'access-control-request-headers': asked });
    const all = [plain.headers['access-control-allow-headers'], ...allowed].join(', ');
    expect(headers['access-control-allow-headers']).toBe(all);
  });

  it('allows a bounded number of those (SAFE-01)', async () => {
    const asked = Array.from({ length: 500 }, (_, index) => `Mcp-Param-${index}`).join(',');
    const { headers } = await ask(true, 'OPTIONS', { ...PREFLIGHT, 'access-control-request-headers': asked });
    expect(String(headers['access-control-allow-headers']).match(/Mcp-Param-/g)).toHaveLength(64);
  });

  it.each<[string, string, OutgoingHttpHeaders]>([
    ['an OPTIONS without an origin', 'OPTIONS', { 'access-control-request-method': 'POST' }],
    ['an OPTIONS that asks for no method', 'OPTIONS', { origin: APP }],
    ['a POST', 'POST', PREFLIGHT],
  ])('takes for no preflight of its own: %s (HTTP-11)', async (_what, method, headers) => {
    expect((await ask({ origins: [APP] }, method, headers)).status).toBe(405);
  });

  it('answers a preflight of another origin without a permission (HTTP-11)', async () => {
    const { status, headers } = await ask({ origins: [APP] }, 'OPTIONS', {
      ...PREFLIGHT,
      origin: 'https://other.example',
    });
    expect([status, headers['access-control-allow-origin']]).toEqual([204, undefined]);
  });
});

describe('exposeHeaders', () => {
  it.each<[string, OutgoingHttpHeaders, string | undefined]>([
    [
      "completes an answer of the application's own CORS",
      { 'access-control-allow-origin': '*' },
      'Mcp-Session-Id',
    ],
    [
      'leaves alone what the application exposes itself',
      { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'X-Own' },
      'X-Own',
    ],
    ['adds nothing where there is no CORS', {}, undefined],
  ])('%s (HTTP-11)', async (_what, own, exposed) => {
    const server = await TestServer.start();
    server.handle((_, response) => {
      for (const [name, value] of Object.entries(own)) response.setHeader(name, value ?? '');
      exposeHeaders(response);
      response.end();
    });
    const { headers } = await sendHttp(server.url);
    await server.stop();
    expect(headers['access-control-expose-headers']?.split(', ')[0]).toBe(exposed);
  });
});
