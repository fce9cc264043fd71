import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuthOptions } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { within } from '../../support/until.js';

describe('An event stream and the token that opened it', () => {
  let issuer: TestIssuer;
  const running: RunningApp[] = [];

  beforeAll(async () => {
    issuer = await TestIssuer.start();
  });

  afterAll(async () => {
    await Promise.all(running.map((app) => app.close()));
    await issuer.stop();
  });

  async function startDesk(options: Partial<AuthOptions>): Promise<RunningApp> {
    const auth: AuthOptions = {
      resourceUri: 'https://desk.example.com/mcp',
      authorizationServers: [issuer.url],
      jwt: {},
      ...options,
    };
    const app = await bootServer({ options: { auth, capabilities: { tools: true } } });
    running.push(app);
    return app;
  }

  async function shortToken(): Promise<{ authorization: string }> {
    const token = await issuer.token({ sub: 'ada', exp: Math.floor(Date.now() / 1000) + 3 });
    return { authorization: `Bearer ${token}` };
  }

  it('end together where that is asked for, and a new token takes the stream up again (AUTH-05)', async () => {
    const desk = await startDesk({ endStreamsWithToken: true });
    const session = await initialize(desk.url, { headers: await shortToken() });
    const stream = await session.openStream();
    await within(stream.ended, 'the end of the stream', 10_000);
    const token = await issuer.token({ sub: 'ada' });
    const { status } = await session.request('ping', undefined, { authorization: `Bearer ${token}` });
    expect(status).toBe(200);
  });

  it('end together on the stateless wire, with the result of the subscription (AUTH-05)', async () => {
    const desk = await startDesk({ endStreamsWithToken: true });
    const client = perRequest(desk.url, { headers: await shortToken() });
    const stream = await client.listen({ toolsListChanged: true });
    await within(stream.ended, 'the end of the stream', 10_000);
    expect(stream.events.at(-1)?.data).toContain('"result"');
  });

  it('end by themselves otherwise (AUTH-05)', async () => {
    const [desk, other] = [await startDesk({}), await startDesk({ endStreamsWithToken: true })];
    const headers = await shortToken();
    const session = await initialize(desk.url, { headers });
    const stream = await session.openStream();
    // Another stream of the same token, at a server that ends them, tells when the token has ended.
    const ending = await (await initialize(other.url, { headers })).openStream();
    await within(ending.ended, 'the end of the token', 10_000);
    expect(stream.isEnded).toBe(false);
  });
});
