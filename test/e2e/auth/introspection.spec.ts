import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { RequireScope, Tool, type McpContext } from 'nestjs-mcp';
import { AuthorizationServer, INTROSPECTOR } from '../../support/authorization/authorization-server.js';
import { ADAPTERS, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import type { Answer } from '../../support/clients/call.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import {
  authorize,
  bootDesk,
  METADATA,
  RESOURCE,
  textOf,
} from '../../support/applications/protected-desk.js';
import { until } from '../../support/until.js';

const MAIL = 'https://mail.example.com/mcp';

@Injectable()
class CallerTools {
  @Tool()
  whoami(_input: unknown, { auth }: McpContext): string {
    return JSON.stringify(auth.claims);
  }

  @Tool()
  @RequireScope('desk:write')
  close(): string {
    return 'closed';
  }
}

let server: AuthorizationServer;

beforeAll(async () => {
  server = await AuthorizationServer.start({ resources: [RESOURCE, MAIL] });
});

afterAll(() => server.stop());

function boot(adapter: AdapterName, introspection: object = {}): Promise<RunningApp> {
  return bootDesk(adapter, {
    auth: {
      resourceUri: RESOURCE,
      authorizationServers: [server.issuer],
      introspection: { ...INTROSPECTOR, ...introspection },
    },
    providers: [CallerTools],
  });
}

function call({ url }: RunningApp, name: string, token: string): Promise<Answer> {
  return perRequest(url, { headers: authorize(token) })
    .start('tools/call', { name, arguments: {} })
    .answer();
}

describe.each(ADAPTERS)('A server that asks about opaque tokens on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await boot(adapter, { cacheTtlMs: 100 });
  });

  afterAll(() => desk.close());

  it('knows whom a token stands for, and what it allows (AUTH-13, AUTH-10)', async () => {
    const { status, result } = await call(desk, 'whoami', await server.issue(RESOURCE, 'desk:read'));
    expect(status).toBe(200);
    expect(JSON.parse(textOf(result ?? {}))).toMatchObject({
      iss: server.issuer,
      aud: [RESOURCE],
      scopes: ['desk:read'],
      clientId: 'desk-job',
      expiresAt: expect.any(Number),
    });
  });

  it('asks for the scopes that a tool needs (AUTH-13, STEP-01)', async () => {
    const read = await call(desk, 'close', await server.issue(RESOURCE, 'desk:read'));
    expect(read.status).toBe(403);
    expect(read.headers['www-authenticate']).toContain('scope="desk:write"');
    const write = await call(desk, 'close', await server.issue(RESOURCE));
    expect(textOf(write.result ?? {})).toBe('closed');
  });

  it.each<[string, () => string | Promise<string>]>([
    ['that nobody issued', () => 'a-token-that-nobody-issued'],
    ['for another resource', () => server.issue(MAIL)],
  ])('refuses a token %s (AUTH-13, AUTH-14)', async (_, issue) => {
    const { status, headers, response } = await call(desk, 'whoami', await issue());
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
    expect(headers['www-authenticate']).toContain(METADATA);
    expect(JSON.stringify(response)).not.toContain('audience');
  });

  it('refuses a revoked token once its answer is no longer kept (AUTH-13)', async () => {
    const token = await server.issue(RESOURCE);
    expect((await call(desk, 'whoami', token)).status).toBe(200);
    await server.revoke(token);
    const status = await until(async () => {
      const answer = await call(desk, 'whoami', token);
      return answer.status !== 200 && answer.status;
    }, 'a refusal');
    expect(status).toBe(401);
  });
});

describe('A server whose authorization server fails', () => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  it('answers 503 to tokens that it does not know, goes on with those that it knows, and recovers (AUTH-13)', async () => {
    desk = await boot('express');
    const [known, unknown] = [await server.issue(RESOURCE), await server.issue(RESOURCE)];
    expect((await call(desk, 'whoami', known)).status).toBe(200);

    await server.stop();
    const { status, headers } = await call(desk, 'whoami', unknown);
    expect(status).toBe(503);
    expect(headers['retry-after']).toBe('1');
    expect((await call(desk, 'whoami', known)).status).toBe(200);

    await server.resume();
    const { status: recovered } = await until(async () => {
      const answer = await call(desk, 'whoami', unknown);
      return answer.status !== 503 && answer;
    }, 'another answer');
    expect(recovered).toBe(200);
  });

  it('answers 503 where its own secret is refused: callers cannot help it (AUTH-13)', async () => {
    desk = await boot('express', { clientSecret: 'another secret' });
    const { status, headers } = await call(desk, 'whoami', await server.issue(RESOURCE));
    expect(status).toBe(503);
    expect(headers['www-authenticate']).toBeUndefined();
  });
});
