import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../../support/applications/boot.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { buildInitialize, initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { until } from '../../support/until.js';
import { FixtureProcess } from './fixture-process.js';

const INITIALIZE = buildInitialize();
const SCOPED = { name: 'test_scoped', arguments: {} };

function bear(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}

describe.each(ADAPTERS)('The protected conformance fixture, on %s', (adapter) => {
  let fixture: FixtureProcess;

  function start(environment: Record<string, string>): Promise<string> {
    fixture = new FixtureProcess({ ADAPTER: adapter, ...environment });
    return fixture.url();
  }

  /** Waits for a line that follows the ready line. */
  async function announced(name: string): Promise<string> {
    const line = new RegExp(`^${name} (\\S+)$`, 'm');
    const match = await until(() => line.exec(fixture.output), `the line "${name}"`);
    return match[1] ?? '';
  }

  afterEach(async () => {
    const code = await fixture.stop();
    if (code !== 0) throw new Error(`The fixture ended with ${code}`);
  });

  it('tells its token where none was given, and serves nobody without it (AUTH-03) (AUTH-14)', async () => {
    const url = await start({ AUTH: 'bearer' });
    const refused = await post(url, INITIALIZE);
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toBe('Bearer');
    const served = await post(url, INITIALIZE, bear(await announced('token')));
    expect(served.status).toBe(200);
  });

  it('takes the token that it was given, which has no scopes, and prints one line (AUTH-03) (STEP-02)', async () => {
    const url = await start({ AUTH: 'bearer', TOKEN: 'a-token-from-the-environment' });
    const headers = bear('a-token-from-the-environment');
    const session = await initialize(url, { headers });
    const { status, result } = await session.request('tools/call', SCOPED);
    expect(status).toBe(403);
    expect(result).toMatchObject({ isError: true });
    expect((await post(url, INITIALIZE, bear('fixture-token-0123456789'))).status).toBe(401);
    expect(fixture.output).toBe(`ready ${url}\n`);
  });

  it('takes the tokens of the draft scenario of scope challenges (XTN-04)', async () => {
    const url = await start({ AUTH: 'scopes' });
    const read = (token: string) =>
      perRequest(url, { headers: bear(token) }).request('resources/read', {
        uri: 'test://template/123/data',
      });
    const refused = await read('mcp-conformance-scope-low');
    expect(refused.status).toBe(403);
    expect(refused.headers['www-authenticate']).toContain(
      'scope="mcp:conformance:resources:read mcp:conformance:resources:template:123", resource_metadata="http://127.0.0.1:',
    );
    expect((await read('mcp-conformance-scope-full')).status).toBe(200);
    expect(fixture.output).toBe(`ready ${url}\n`);
  });

  it('has an issuer of its own where none was given (AUTH-04) (AUTH-14) (STEP-01)', async () => {
    const url = await start({ AUTH: 'jwt' });
    const refused = await post(url, INITIALIZE);
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toContain('resource_metadata="http://127.0.0.1:');
    const client = perRequest(url, { headers: bear(await announced('token')) });
    const { status, result } = await client.request('tools/call', SCOPED);
    expect(status).toBe(200);
    expect(result).not.toHaveProperty('isError');
    const keys = await fetch(`${await announced('issuer')}/keys`).then((response) => response.json());
    expect(keys).toMatchObject({ keys: [{ alg: 'ES256' }, { alg: 'RS256' }] });
    expect(fixture.output.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'ready',
      'issuer',
      'token',
      '',
    ]);
  });

  it('keeps the tool that requires a scope to itself where it is open (STEP-01)', async () => {
    const client = perRequest(await start({}));
    const { tools } = await client.start('tools/list').result();
    expect(tools).not.toContainEqual(expect.objectContaining({ name: SCOPED.name }));
  });

  describe('with an issuer from the environment', () => {
    const audience = 'https://fixture.example.com/mcp';
    let issuer: TestIssuer;

    beforeAll(async () => {
      issuer = await TestIssuer.start({ audience });
    });

    afterAll(() => issuer.stop());

    it('takes its tokens for the audience and scopes that were given (AUTH-06) (AUTH-07) (AUTH-08)', async () => {
      const url = await start({
        AUTH: 'jwt',
        ISSUER: issuer.url,
        JWKS_URL: issuer.jwksUrl,
        AUDIENCE: audience,
        REQUIRED_SCOPES: 'tools:read tools:write',
        CACHE_TTL_MS: '0',
      });
      const answer = async (claims: object) =>
        (await post(url, INITIALIZE, bear(await issuer.token({ ...claims })))).status;
      await expect(answer({ scope: 'tools:read tools:write' })).resolves.toBe(200);
      await expect(answer({ scope: 'tools:read' })).resolves.toBe(403);
      await expect(answer({ scope: 'tools:read tools:write', aud: url })).resolves.toBe(401);
      expect(fixture.output).toBe(`ready ${url}\n`);
    });

    it('starts while that cannot be reached (AUTH-12)', async () => {
      const gone = await TestIssuer.start({ audience });
      await gone.stop();
      const url = await start({ AUTH: 'jwt', ISSUER: gone.url, AUDIENCE: audience });
      const answer = await post(url, INITIALIZE, bear(await gone.token()));
      expect(answer.status).toBe(503);
      expect(answer.headers).toHaveProperty('retry-after');
    });
  });
});
