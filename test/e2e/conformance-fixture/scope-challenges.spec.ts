import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FixtureModule } from '../../conformance/fixtures/fixture.module.js';
import { protectByScopes } from '../../conformance/protection.js';
import { bootApp, type RunningApp } from '../../support/applications/boot.js';
import { METADATA, RESOURCE, WAYS } from '../../support/applications/protected-desk.js';
import type { JsonObject } from '../../support/clients/message.js';

const LOW = 'mcp-conformance-scope-low';
const FULL = 'mcp-conformance-scope-full';

const PRIMITIVES: readonly (readonly [what: string, method: string, params: JsonObject, rest: string])[] = [
  ['a tool', 'tools/call', { name: 'test_simple_text' }, 'tools:call tools:test_simple_text'],
  ['a static resource', 'resources/read', { uri: 'test://static-text' }, 'resources:read resources:static'],
  [
    'a resource of a template',
    'resources/read',
    { uri: 'test://template/123/data' },
    'resources:read resources:template:123',
  ],
  ['a prompt', 'prompts/get', { name: 'test_simple_prompt' }, 'prompts:get prompts:test_simple_prompt'],
];

/** The rules of the draft scenario `sep-2350-server-scope-challenge`, which the published suite does not have yet. */
describe.each(WAYS)('The fixture of scope challenges $wire on $adapter', ({ adapter, connect }) => {
  let fixture: RunningApp;

  beforeAll(async () => {
    const { auth } = protectByScopes(RESOURCE);
    fixture = await bootApp({ adapter, imports: [FixtureModule.with({ auth, challengesScopes: true })] });
  });

  afterAll(() => fixture.close());

  it.each(PRIMITIVES)(
    'asks for both scopes of %s in one challenge, and takes the token that has them (XTN-04)',
    async (_what, method, params, rest) => {
      const refused = await (await connect(fixture.url, LOW))(method, params).answer();
      const scope = rest.replaceAll(/\S+/g, 'mcp:conformance:$&');
      expect(refused.status).toBe(403);
      expect(refused.headers['www-authenticate']).toContain(
        `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${METADATA}"`,
      );
      const allowed = await (await connect(fixture.url, FULL))(method, params).answer();
      expect([allowed.status, allowed.error]).toEqual([200, undefined]);
      expect(JSON.stringify(allowed.result)).toMatch(/text/);
    },
  );

  it('asks for the scope of another resource of the template, which no token has (XTN-04)', async () => {
    const { status, headers } = await (
      await connect(fixture.url, FULL)
    )('resources/read', {
      uri: 'test://template/124/data',
    }).answer();
    expect(status).toBe(403);
    expect(headers['www-authenticate']).toContain('mcp:conformance:resources:template:124');
  });
});
