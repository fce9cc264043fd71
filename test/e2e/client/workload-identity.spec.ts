import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WorkloadIdentityTokenSource, type AssertionRequest } from 'nestjs-mcp/client';
import { GrantScene } from '../../support/authorization/grant-scene.js';
import { json } from '../../support/authorization/party.js';

const ASSERTION = 'the.identity.of-a-workload';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

let scene: GrantScene;

beforeEach(async () => {
  scene = await GrantScene.start();
});
afterEach(() => scene.stop());

const createSource = (options: Partial<ConstructorParameters<typeof WorkloadIdentityTokenSource>[0]> = {}) =>
  new WorkloadIdentityTokenSource({ serverUrl: scene.server.url, assertion: ASSERTION, ...options });

describe('A workload (RFC 7523 §2.1)', () => {
  it('sends the assertion of its platform as it is, with its name (CLI-19)', async () => {
    await expect(scene.call(createSource({ clientId: 'night-job' }))).resolves.toBe(200);
    expect(scene.issuer.forms).toEqual([
      {
        grant_type: JWT_BEARER,
        assertion: ASSERTION,
        client_id: 'night-job',
        scope: 'desk:read',
        resource: scene.server.url,
      },
    ]);
    expect(scene.issuer.asked[0]?.headers.authorization).toBeUndefined();
  });

  it('needs no name where the assertion says enough (CLI-19)', async () => {
    await scene.call(createSource());
    expect(scene.issuer.forms[0]).not.toHaveProperty('client_id');
  });

  it.each([{ clientSecret: 'secret' }, { privateKey: {}, issuer: 'https://login.example.com' }])(
    'needs one beside what shows that it is its: %j (CLI-19)',
    (options) => {
      expect(() => createSource(options)).toThrow(/^The "clientId" is required with/);
    },
  );

  it('reads the assertion anew for each token, and knows what it is for (CLI-19)', async () => {
    const wanted: AssertionRequest[] = [];
    const assertion = async (request: AssertionRequest) => {
      wanted.push(request);
      return `${ASSERTION}-${wanted.length}\n`;
    };
    const source = createSource({ assertion });
    await scene.call(source);
    await scene.call(source, '/write');
    expect(scene.issuer.forms.map((form) => form['assertion'])).toEqual([`${ASSERTION}-1`, `${ASSERTION}-2`]);
    const facts = { audience: scene.issuer.issuer, resource: scene.server.url };
    expect(wanted).toEqual([
      { ...facts, scopes: ['desk:read'] },
      { ...facts, scopes: ['desk:read', 'desk:write'] },
    ]);
  });

  it.each(['invalid_grant', 'invalid_scope', 'unauthorized_client'])(
    'tries nothing else after "%s" (CLI-19)',
    async (name) => {
      scene.issuer.reply = () => json({ error: name }, 400);
      const caught = await scene.call(createSource()).catch((refusal: unknown) => refusal);
      expect(caught).toMatchObject({ code: 'token_request_refused', error: name, status: 400 });
      expect(inspect(caught, { depth: 9 })).not.toContain(ASSERTION);
      expect(scene.issuer.asked).toHaveLength(1);
    },
  );

  it('gives its platform the say where there is no assertion (CLI-19)', async () => {
    const assertion = () => Promise.reject(new Error('the volume is not mounted'));
    await expect(scene.call(createSource({ assertion }))).rejects.toThrow('the volume is not mounted');
    expect(scene.issuer.asked).toEqual([]);
  });
});
