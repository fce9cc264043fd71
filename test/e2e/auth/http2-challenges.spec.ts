import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Claims, RequireScope, Tool } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { Http2Client } from '../../support/clients/http2-client.js';
import { authorize, CALLERS, METADATA, PUBLISHED } from '../../support/applications/protected-desk.js';

@Injectable()
class ScopedTool {
  @Tool({ description: 'Closes a ticket' })
  @RequireScope('desk:write')
  close(@Claims('sub') subject: string): string {
    return `closed by ${subject}`;
  }
}

describe('A server that asks for tokens over HTTP/2', () => {
  let desk: RunningApp;
  let client: Http2Client;

  beforeAll(async () => {
    desk = await bootServer({
      adapter: new FastifyAdapter({ http2: true }),
      options: { auth: { ...PUBLISHED, bearer: Object.values(CALLERS) } },
      providers: [ScopedTool],
    });
    client = new Http2Client(desk.origin);
  });

  afterAll(async () => {
    client.close();
    await desk.close();
  });

  async function call(token?: string): Promise<{ status: unknown; challenge: unknown; text: string }> {
    const { status, headers, text } = await client.callTool('close', {
      accept: 'application/json',
      ...authorize(token),
    });
    return { status, challenge: headers['www-authenticate'], text };
  }

  it('refuses requests without a token, and with a bad one (AUTH-01, AUTH-14)', async () => {
    const challenge = `Bearer resource_metadata="${METADATA}", scope="desk:write"`;
    expect(await call()).toMatchObject({ status: 401, challenge });
    expect(await call('not-a-token')).toMatchObject({
      status: 401,
      challenge: `${challenge}, error="invalid_token"`,
    });
  });

  it('asks for scopes, and serves who has them (AUTH-10, STEP-02)', async () => {
    const { status, challenge, text } = await call(CALLERS.bob.token);
    expect([status, challenge]).toEqual([403, expect.stringContaining('scope="desk:write"')]);
    expect(text).toContain('insufficient_scope: desk:write');
    expect(await call(CALLERS.ada.token)).toMatchObject({
      status: 200,
      text: expect.stringContaining('closed by ada'),
    });
  });
});
