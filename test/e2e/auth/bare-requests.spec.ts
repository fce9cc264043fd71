import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';

const TOKEN = 'a-fixed-token-of-the-desk';
const METADATA = 'https://desk.example.com/.well-known/oauth-protected-resource/mcp';

describe.each(ADAPTERS)('a request with neither headers nor a body, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    const auth = {
      bearer: TOKEN,
      resourceUri: 'https://desk.example.com/mcp',
      authorizationServers: ['https://login.example.com'],
    };
    desk = await bootServer({ adapter, options: { auth } });
  });

  afterAll(() => desk.close());

  it.each(['POST', 'GET', 'DELETE'])('is asked for a token if its method is %s (AUTH-01)', async (method) => {
    const { status, headers } = await fetch(desk.url, { method });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${METADATA}"`);
  });

  it('has no message to read if it brings a token (CORE-01)', async () => {
    const answer = await fetch(desk.url, { method: 'POST', headers: { authorization: `Bearer ${TOKEN}` } });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: -32_700 } });
  });
});
