import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, type INestApplication } from '@nestjs/common';
import { HttpAdapterHost, type AbstractHttpAdapter } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import {
  Claims,
  McpAuthenticator,
  McpAuthGuard,
  RequireScope,
  Tool,
  type JwtOptions,
  type TokenValidator,
} from 'nestjs-mcp';
import type { LoadConnection } from '../../../cli/bench/wire/load-connection.js';
import { connect } from '../../bench/session.js';
import { createRequest } from '../../bench/wire.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import {
  authorize,
  bootDesk,
  CALLERS,
  PUBLISHED,
  RESOURCE,
} from '../../support/applications/protected-desk.js';
import { until } from '../../support/until.js';
import { WhoamiTool } from '../../support/applications/whoami-tool.js';

@Injectable()
class WriterTool {
  @Tool({ description: 'Tells who calls and may write' })
  @RequireScope('desk:write')
  writer(@Claims('sub') subject: string): string {
    return subject;
  }
}

/** Takes a key in the place of a token. */
class KeyGuard extends McpAuthGuard {
  protected override findToken(request: Parameters<McpAuthGuard['findToken']>[0]): string | undefined {
    return String(request.headers['x-desk-key']);
  }
}

/** Does not let one of the callers pass. */
class PickyGuard extends McpAuthGuard {
  protected override admit(...[guarded, authentication]: Parameters<McpAuthGuard['admit']>): boolean {
    if (authentication?.claims.sub === 'eve') throw this.authenticator.challenges.invalidToken();
    return super.admit(guarded, authentication);
  }
}

/** Has the application change headers before the guard sees them: on Fastify these are not Node's any more. */
function replaceHeaders(app: INestApplication, getHeaders: () => object): void {
  const adapter: AbstractHttpAdapter = app.get(HttpAdapterHost).httpAdapter;
  if (adapter instanceof FastifyAdapter) {
    adapter.getInstance().addHook('onRequest', async (request: FastifyRequest) => {
      request.headers = { ...request.headers, ...getHeaders() };
    });
    return;
  }
  app.use((request: IncomingMessage, _response: unknown, next: () => void) => {
    Object.assign(request.headers, getHeaders());
    next();
  });
}

describe.each(ADAPTERS)('Requests over one connection on %s', (adapter) => {
  let issuer: TestIssuer;
  let desk: RunningApp;
  let connection: LoadConnection | undefined;

  beforeEach(async () => {
    issuer = await TestIssuer.start();
  });

  afterEach(async () => {
    connection?.destroy();
    connection = undefined;
    await desk.close();
    await issuer.stop();
  });

  async function boot(jwt: JwtOptions = {}): Promise<void> {
    const auth = { resourceUri: RESOURCE, authorizationServers: [issuer.url], jwt, bearer: CALLERS.bob };
    desk = await bootDesk(adapter, { auth, providers: [WhoamiTool, WriterTool] });
  }

  const port = () => Number(new URL(desk.url).port);

  /** Calls a tool with these headers as they are, and gives the status and the text of the answer. */
  async function send(headers: string, name = 'whoami'): Promise<readonly [number, string | undefined]> {
    const message = { method: 'tools/call', params: { name, arguments: {} } };
    const { bytes } = createRequest({ port: port(), wire: 'perRequest' }, message).next();
    const [line = '', ...rest] = Buffer.from(bytes).toString().split('\r\n');
    connection ??= await connect({ port: port() });
    const { status, body } = await connection.exchange(Buffer.from([line, headers, ...rest].join('\r\n')));
    const { result } = JSON.parse(body.toString()) as { result?: { content: [{ text: string }] } };
    return [status, result?.content[0].text];
  }

  const call = (token: string, name?: string) => send(`Authorization: Bearer ${token}`, name);

  it('are each from whom their token is of, however callers take turns (AUTH-01) (AUTH-11)', async () => {
    await boot();
    const [ada, eve] = [await issuer.token(), await issuer.token({ sub: 'eve' })];
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await call(ada)).toEqual([200, 'ada']);
      expect(await call(ada)).toEqual([200, 'ada']);
      expect(await call(eve)).toEqual([200, 'eve']);
      expect(await call(CALLERS.bob.token)).toEqual([200, 'bob']);
    }
  });

  it('are refused where they differ from what is known by one character (AUTH-11) (AUTH-14)', async () => {
    await boot();
    const token = await issuer.token();
    for (let count = 0; count < 3; count += 1) expect(await call(token)).toEqual([200, 'ada']);
    const change = (place: number) =>
      `${token.slice(0, place)}${token[place] === 'e' ? 'f' : 'e'}${token.slice(place + 1)}`;
    const changed = [0, token.indexOf('.') + 3, token.length - 4].map(change);
    for (const forged of [...changed, token.slice(0, -1), `${token}x`, `${token} ${token}`]) {
      expect((await call(forged))[0]).toBe(401);
      expect(await call(token)).toEqual([200, 'ada']);
    }
  });

  it('are refused without a token, and with two, also where one is known (AUTH-01) (AUTH-14)', async () => {
    await boot();
    const header = `Authorization: Bearer ${await issuer.token()}`;
    for (let count = 0; count < 3; count += 1) expect(await send(header)).toEqual([200, 'ada']);
    expect((await send('X-Nothing: here'))[0]).toBe(401);
    expect((await send(`${header}\r\n${header}`))[0]).toBe(401);
    expect(await send(header)).toEqual([200, 'ada']);
  });

  it('lack the scopes that their token lacks (AUTH-08)', async () => {
    await boot();
    const [reader, writer] = [await issuer.token(), await issuer.token({ scope: 'desk:write' })];
    for (let count = 0; count < 3; count += 1) {
      expect(await call(writer, 'writer')).toEqual([200, 'ada']);
      expect((await call(reader, 'writer'))[0]).toBe(403);
    }
  });

  it('lack the scopes that every token must have, also from a caller who is known (AUTH-08)', async () => {
    const auth = { ...PUBLISHED, bearer: Object.values(CALLERS), requiredScopes: ['desk:write'] };
    desk = await bootDesk(adapter, { auth, providers: [WhoamiTool] });
    for (let count = 0; count < 3; count += 1) expect(await call(CALLERS.ada.token)).toEqual([200, 'ada']);
    for (let count = 0; count < 3; count += 1) expect((await call(CALLERS.bob.token))[0]).toBe(403);
  });

  it('are from whom the application says when it has changed their headers (AUTH-01)', async () => {
    let replaced: string | undefined;
    const auth = { ...PUBLISHED, bearer: Object.values(CALLERS) };
    const configure = (app: INestApplication) =>
      replaceHeaders(app, () => (replaced === undefined ? {} : authorize(replaced)));
    desk = await bootDesk(adapter, { auth, providers: [WhoamiTool], configure });
    for (let count = 0; count < 3; count += 1) expect(await call(CALLERS.ada.token)).toEqual([200, 'ada']);
    replaced = CALLERS.bob.token;
    for (let count = 0; count < 3; count += 1) expect(await call(CALLERS.ada.token)).toEqual([200, 'bob']);
    replaced = 'of-nobody';
    expect((await call(CALLERS.ada.token))[0]).toBe(401);
  });

  it('are looked at anew once the cache was cleared (AUTH-11)', async () => {
    await boot({ jwks: { cooldownMs: 1, maxAgeMs: 1 } });
    const token = await issuer.token();
    for (let count = 0; count < 3; count += 1) expect(await call(token)).toEqual([200, 'ada']);
    await issuer.rotate();
    expect(await call(token)).toEqual([200, 'ada']);
    desk.app.get(McpAuthenticator, { strict: false }).clearCache();
    expect((await call(token))[0]).toBe(401);
  });

  it('are looked at anew after the time for which tokens are kept (AUTH-11)', async () => {
    await boot({ cacheTtlMs: 1500, jwks: { cooldownMs: 1, maxAgeMs: 1 } });
    const token = await issuer.token();
    for (let count = 0; count < 3; count += 1) expect(await call(token)).toEqual([200, 'ada']);
    await issuer.rotate();
    await until(async () => (await call(token))[0] === 401, 'the token to be looked at anew');
  });

  it('are refused as soon as their token has ended (AUTH-05) (AUTH-11)', async () => {
    await boot({ clockToleranceSeconds: 0 });
    const exp = Math.floor(Date.now() / 1000) + 4;
    const token = await issuer.token({ exp });
    for (let count = 0; count < 3; count += 1) expect(await call(token)).toEqual([200, 'ada']);
    await until(async () => (await call(token))[0] === 401, 'the token to end', 10_000);
    expect(Date.now()).toBeGreaterThanOrEqual(exp * 1000);
  });

  it('are checked each time where tokens are not kept (AUTH-11)', async () => {
    await boot({ cacheTtlMs: 0, jwks: { cooldownMs: 1, maxAgeMs: 1 } });
    const token = await issuer.token();
    for (let count = 0; count < 3; count += 1) expect(await call(token)).toEqual([200, 'ada']);
    await issuer.rotate();
    await until(async () => (await call(token))[0] === 401, 'the key to be gone');
  });

  it("are asked of the application's own validator each time (AUTH-11) (AUTH-13)", async () => {
    const owners = new Map([['key-of-ada', { sub: 'ada' }]]);
    const validator: TokenValidator = { validate: (token) => owners.get(token) };
    desk = await bootDesk(adapter, { auth: { validator }, providers: [WhoamiTool] });
    for (let count = 0; count < 4; count += 1) expect(await call('key-of-ada')).toEqual([200, 'ada']);
    owners.clear();
    expect((await call('key-of-ada'))[0]).toBe(401);
  });

  it('are asked of what stands in the place of the authenticator each time (AUTH-16)', async () => {
    await boot();
    const token = await issuer.token();
    for (let count = 0; count < 3; count += 1) expect(await call(token)).toEqual([200, 'ada']);
    const authenticator = desk.app.get(McpAuthenticator, { strict: false });
    const authenticate = jest.spyOn(authenticator, 'authenticate');
    authenticate.mockRejectedValue(authenticator.challenges.invalidToken());
    for (let count = 0; count < 3; count += 1) expect((await call(token))[0]).toBe(401);
    authenticate.mockRestore();
    expect(await call(token)).toEqual([200, 'ada']);
  });

  it('are let pass or not by a class that extends the guard each time (AUTH-16)', async () => {
    const auth = { ...PUBLISHED, bearer: Object.values(CALLERS) };
    desk = await bootDesk(adapter, { auth, options: { authGuard: PickyGuard }, providers: [WhoamiTool] });
    for (let count = 0; count < 4; count += 1) {
      expect(await call(CALLERS.ada.token)).toEqual([200, 'ada']);
      expect((await call(CALLERS.eve.token))[0]).toBe(401);
    }
  });

  it('are told apart by what a class that extends the guard looks at (AUTH-16)', async () => {
    const auth = { ...PUBLISHED, bearer: Object.values(CALLERS) };
    desk = await bootDesk(adapter, { auth, options: { authGuard: KeyGuard }, providers: [WhoamiTool] });
    const header = 'Authorization: Bearer of-a-gateway';
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await send(`${header}\r\nX-Desk-Key: ${CALLERS.ada.token}`)).toEqual([200, 'ada']);
      expect(await send(`${header}\r\nX-Desk-Key: ${CALLERS.bob.token}`)).toEqual([200, 'bob']);
    }
  });
});
