import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Injectable, UseGuards } from '@nestjs/common';
import { Claims, McpAuthGuard, Public } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { authorize, bootDesk, CALLERS, METADATA } from '../../support/applications/protected-desk.js';
import { buildInitialize, initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { openHttp, sendBytes, sendHttp } from '../../support/clients/raw-http.js';
import { AUTH, DeskHandlers, HelpHandlers, ReportsExtension } from './help-desk.app.js';

const { token } = CALLERS.ada;
const STREAM = { accept: 'text/event-stream' };
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const DESCRIPTION = 'Send the token in one Authorization header, as Bearer <token>';
const CHALLENGE = `Bearer resource_metadata="${METADATA}", scope="desk:write desk:read", error="invalid_token", error_description="${DESCRIPTION}"`;

/** A route of the application, for everybody. */
@Injectable()
@Controller('greeting')
@UseGuards(McpAuthGuard)
class GreetingController {
  @Get()
  @Public()
  greet(@Claims('sub') subject?: string): object {
    return { greeted: subject ?? 'anybody' };
  }
}

/** What is no token of this server. */
const CREDENTIALS: readonly (readonly [string, string])[] = [
  ['a password', 'Basic YWRhOmFkYQ=='],
  ['a token by DPoP', `DPoP ${token}`],
  ['a token by DPoP in lower case', `dpop ${token}`],
  ['a digest', 'Digest username="ada", realm="desk"'],
  ['a token of a scheme that nobody knows', `Token ${token}`],
  ['a scheme that begins like ours', `BearerX ${token}`],
  ['a ticket', 'Negotiate YII='],
  ['a token without a scheme', token],
  ['a scheme without a token', 'Bearer'],
  ['a scheme with a space behind', 'Bearer '],
  ['an empty header', ''],
  ['a quoted token', `Bearer "${token}"`],
  ['two tokens', `Bearer ${token} ${token}`],
  ['two credentials in one header', `Bearer ${token}, Basic YTpi`],
];

/** The ways in which a request reaches a server, each for what needs no token. */
const WAYS_IN: readonly (readonly [
  string,
  (
    desk: RunningApp,
    headers: OutgoingHttpHeaders,
    query: string,
  ) => Promise<{ status: number; headers: object }>,
])[] = [
  ['a call without a session', callPublic],
  ['a handshake', ({ url }, headers, query) => post(`${url}${query}`, buildInitialize(), headers)],
  [
    'a call in a session',
    async ({ url }, headers, query) => {
      const session = await initialize(url);
      const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'hours' } };
      return post(`${url}${query}`, call, { ...session.headers, ...headers });
    },
  ],
  [
    'a notification in a session',
    async ({ url }, headers, query) => {
      const session = await initialize(url);
      const note = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };
      return post(`${url}${query}`, note, { ...session.headers, ...headers });
    },
  ],
  [
    'the stream of a session',
    async ({ url }, headers, query) => {
      const session = await initialize(url);
      return open(`${url}${query}`, { ...STREAM, ...session.headers, ...headers });
    },
  ],
  [
    'the end of a session',
    async ({ url }, headers, query) => {
      const session = await initialize(url);
      return sendHttp(`${url}${query}`, { method: 'DELETE', headers: { ...session.headers, ...headers } });
    },
  ],
  [
    'a stream of HTTP+SSE',
    ({ origin }, headers, query) => open(`${origin}/sse${query}`, { ...STREAM, ...headers }),
  ],
  [
    'a message of HTTP+SSE',
    async ({ origin }, headers, query) => {
      const stream = await openHttp(`${origin}/sse`, { headers: STREAM });
      const [chunk] = (await once(stream, 'data')) as [Buffer];
      const path = /data: (\S+)/.exec(chunk.toString())?.[1] ?? '';
      const answer = post(`${origin}${path}${query.replace('?', '&')}`, PING, headers);
      return answer.finally(() => stream.destroy());
    },
  ],
  [
    'a route of the application',
    ({ origin }, headers, query) => sendHttp(`${origin}/greeting${query}`, { headers }),
  ],
];

function callPublic({ url }: RunningApp, headers: OutgoingHttpHeaders, query: string) {
  return perRequest(`${url}${query}`, { headers }).request('tools/call', { name: 'hours' });
}

async function open(url: string, headers: OutgoingHttpHeaders) {
  const response = await openHttp(url, { headers });
  response.destroy();
  return { status: response.statusCode ?? 0, headers: response.headers };
}

const TAKEN = [200, 202, 204];

describe.each(ADAPTERS)('Credentials that a server with public handlers on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, {
      auth: AUTH,
      options: { sse: true },
      providers: [HelpHandlers, DeskHandlers, ReportsExtension],
      controllers: [GreetingController],
    });
  });

  afterAll(() => desk.close());

  describe.each(WAYS_IN)('gets with %s', (_, send) => {
    it.each(CREDENTIALS)(
      'are refused and not ignored: %s (AUTH-02) (AUTH-14)',
      async (_name, authorization) => {
        const { status, headers } = await send(desk, { authorization }, '');
        expect([status, (headers as OutgoingHttpHeaders)['www-authenticate']]).toEqual([401, CHALLENGE]);
      },
    );

    it.each([`?access_token=${token}`, '?access_token=', `?a=b&access%5Ftoken=${token}`])(
      'are refused in the query: %s (AUTH-02) (AUTH-14)',
      async (query) => {
        const { status, headers } = await send(desk, {}, query);
        expect([status, (headers as OutgoingHttpHeaders)['www-authenticate']]).toEqual([401, CHALLENGE]);
      },
    );

    it('are not missed where none are sent, nor in a query of another name (STEP-06)', async () => {
      expect(TAKEN).toContain((await send(desk, {}, '')).status);
      expect(TAKEN).toContain((await send(desk, {}, '?token=x&my_access_token=y')).status);
    });

    it('are taken in each case of their scheme (AUTH-02)', async () => {
      expect(TAKEN).toContain((await send(desk, { authorization: `bEaReR ${token}` }, '')).status);
    });
  });

  it('come twice are refused, in any order (AUTH-02)', async () => {
    const body = JSON.stringify(buildInitialize());
    const send = (...lines: readonly string[]) => {
      const head = [
        'POST /mcp HTTP/1.1',
        'Host: 127.0.0.1',
        'Connection: close',
        'Content-Type: application/json',
        'Accept: application/json, text/event-stream',
        `Content-Length: ${body.length}`,
        ...lines,
      ];
      return sendBytes(desk.port, `${head.join('\r\n')}\r\n\r\n${body}`);
    };
    const [ours, foreign] = [`Authorization: Bearer ${token}`, 'authorization: Basic YTpi'] as const;
    for (const lines of [
      [ours, ours],
      [ours, foreign],
      [foreign, ours],
      [foreign, foreign],
    ]) {
      expect(await send(...lines)).toMatch(/^HTTP\/1\.1 401 [^]*error="invalid_token"/);
    }
    expect(await send(ours)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('say in the answer what to do, and nothing of what was sent (AUTH-02) (AUTH-15)', async () => {
    const answer = await post(desk.url, buildInitialize(), { authorization: `DPoP ${token}` });
    expect(answer.json).toMatchObject({ error: { message: `Unauthorized: ${DESCRIPTION}` } });
    expect(answer.text).not.toContain(token);
  });

  it('open what they allow, where they are good (AUTH-01)', async () => {
    const answer = await callPublic(desk, authorize(token), '');
    expect(answer.result).toMatchObject({ content: [{ text: '9 to 17 for ada' }] });
  });
});
