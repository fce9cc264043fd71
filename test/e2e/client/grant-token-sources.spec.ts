import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ClientCredentialsTokenSource,
  InsecureEndpointError,
  IssuerMismatchError,
  NoTokenYetError,
  RetryExhaustedError,
  TokenRequestRefusedError,
  type ClientCredentialsOptions,
} from 'nestjs-mcp/client';
import { GrantScene } from '../../support/authorization/grant-scene.js';
import { json, status, type Reply } from '../../support/authorization/party.js';
import { TokenParty } from '../../support/authorization/token-party.js';

const CLIENT = { clientId: 'night-job', clientSecret: 'the-secret-of-a-job' };

let scene: GrantScene;

beforeEach(async () => {
  scene = await GrantScene.start();
});
afterEach(() => scene.stop());

const createSource = (options: Partial<ClientCredentialsOptions> = {}) =>
  new ClientCredentialsTokenSource({ serverUrl: scene.server.url, ...CLIENT, ...options });

describe('A source that needs no person', () => {
  it('asks nobody before the server wants a token (CLI-01)', async () => {
    await expect(createSource().token()).rejects.toBeInstanceOf(NoTokenYetError);
    expect(scene.issuer.party.requests).toEqual([]);
  });

  it('gets what the challenge wants, for the resource of the metadata (CLI-08) (CLI-11) (CLI-15)', async () => {
    scene.server.scopesSupported = ['desk:everything'];
    await expect(scene.call(createSource())).resolves.toBe(200);
    expect(scene.issuer.forms).toEqual([
      { grant_type: 'client_credentials', scope: 'desk:read', resource: scene.server.url },
    ]);
    expect(scene.server.tokens).toEqual([undefined, 'token-1']);
  });

  it('asks for what the metadata names where the challenge names nothing (CLI-11)', async () => {
    scene.server.firstScope = undefined;
    scene.server.scopesSupported = ['desk:read', 'desk:list'];
    await scene.call(createSource());
    expect(scene.issuer.forms[0]).toHaveProperty('scope', 'desk:read desk:list');
  });

  it('asks for no scope where nobody names one (CLI-11)', async () => {
    scene.server.firstScope = undefined;
    scene.issuer.reply = () => json(scene.issuer.grant({ scope: 'desk:read' }));
    await scene.call(createSource());
    expect(scene.issuer.forms[0]).not.toHaveProperty('scope');
  });

  it('asks for its own scopes besides (CLI-11) (CLI-15)', async () => {
    await scene.call(createSource({ scopes: ['desk:audit'] }));
    expect(scene.issuer.forms[0]).toHaveProperty('scope', 'desk:audit desk:read');
  });

  it('steps up to all that was asked for before (CLI-11) (CLI-12)', async () => {
    const source = createSource();
    await scene.call(source);
    await expect(scene.call(source, '/write')).resolves.toBe(200);
    await expect(scene.call(source)).resolves.toBe(200);
    expect(scene.issuer.forms.map(({ scope }) => scope)).toEqual(['desk:read', 'desk:read desk:write']);
  });

  it('asks once more for what the token should allow and does not, and no more (CLI-12)', async () => {
    scene.issuer.reply = () => json(scene.issuer.grant({ scope: 'desk:read' }));
    const source = createSource();
    await expect(scene.call(source, '/write')).rejects.toBeInstanceOf(RetryExhaustedError);
    expect(scene.issuer.forms).toHaveLength(2);
    await expect(scene.call(source)).resolves.toBe(200);
    expect(scene.issuer.forms).toHaveLength(2);
    scene.issuer.reply = ({ form }) => json(scene.issuer.grant({ scope: form['scope'] }));
    await expect(scene.call(source, '/write')).resolves.toBe(200);
    expect(scene.issuer.forms).toHaveLength(3);
  });

  it('gets one token for all who ask at the same time (CLI-13) (CLI-15)', async () => {
    const source = createSource();
    const calls = Array.from({ length: 8 }, () => scene.call(source));
    await expect(Promise.all(calls)).resolves.toEqual(Array(8).fill(200));
    expect(scene.issuer.forms).toHaveLength(1);
  });

  it('gets what one wants beside what another waits for (CLI-11)', async () => {
    const source = createSource();
    const wants = [['desk:read'], ['desk:write'], ['desk:read']];
    const tokens = await Promise.all(wants.map((scopes) => source.tokenForScopes(scopes)));
    expect(tokens).toEqual(['token-1', 'token-2', 'token-1']);
    expect(scene.issuer.forms.map(({ scope }) => scope)).toEqual(['desk:read', 'desk:read desk:write']);
  });

  it('keeps a token until shortly before its end (CLI-14) (CLI-15)', async () => {
    const source = createSource();
    await scene.call(source);
    await scene.call(source);
    expect(scene.issuer.forms).toHaveLength(1);
    scene.issuer.revoke('token-1');
    scene.issuer.lifetimeSeconds = 0;
    await scene.call(source);
    await scene.call(source);
    expect(scene.server.tokens).toEqual([undefined, 'token-1', 'token-1', 'token-1', 'token-2', 'token-3']);
  });

  it.each<[string, Reply]>([
    ['is no longer where it was', status(410)],
    ['does not answer there', (response) => response.destroy()],
  ])('looks again for a token endpoint that %s (CLI-06) (CLI-15)', async (_what, reply) => {
    const source = createSource();
    scene.issuer.lifetimeSeconds = 0;
    await scene.call(source);
    const moved = json(scene.issuer.grant({ scope: 'desk:read' }));
    scene.issuer.party.at('/tokens', reply).at('/moved', moved);
    scene.issuer.metadata['token_endpoint'] = `${scene.issuer.issuer}/moved`;
    await expect(scene.call(source)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:token_request_refused|no_answer)$/),
    });
    await expect(scene.call(source)).resolves.toBe(200);
  });

  it('throws no other token away than the one that was refused (CLI-12)', async () => {
    const source = createSource();
    await scene.call(source);
    const { url: serverUrl } = scene.server;
    const late = { serverUrl, scopes: ['desk:read'], error: 'invalid_token', resourceMetadataUrl: undefined };
    await source.respond({ ...late, status: 401, refusedToken: 'an-older-token' });
    await expect(source.token()).resolves.toBe('token-1');
    await source.respond({ ...late, status: 401, refusedToken: 'token-1' });
    await expect(source.token()).resolves.toBe('token-2');
  });

  it('goes nowhere else with its secret when the server names another issuer (CLI-06)', async () => {
    const stranger = await TokenParty.start();
    const source = createSource();
    await scene.call(source);
    scene.issuer.revoke('token-1');
    scene.server.issuer = stranger.issuer;
    await expect(scene.call(source)).rejects.toBeInstanceOf(IssuerMismatchError);
    expect(stranger.asked).toEqual([]);
    await stranger.stop();
  });

  it('shows its secret to no issuer but the one that is configured (CLI-06)', async () => {
    const source = createSource({ issuer: 'https://login.example.com' });
    const refusal = await scene.call(source).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ expected: 'https://login.example.com', found: scene.issuer.issuer });
    expect(scene.issuer.party.requests).toEqual([]);
  });

  it('discovers nothing where it is told the token endpoint (CLI-15)', async () => {
    const { tokenEndpoint } = scene.issuer;
    await expect(scene.call(createSource({ tokenEndpoint }))).resolves.toBe(200);
    expect(scene.server.party.paths).toEqual(['/mcp', '/mcp']);
    expect(scene.issuer.party.paths).toEqual(['/tokens']);
    expect(scene.issuer.forms[0]).toHaveProperty('resource', scene.server.url);
  });

  it('refuses a token endpoint that others could read along with (CLI-10)', () => {
    const tokenEndpoint = 'http://login.example.com/tokens';
    expect(() => createSource({ tokenEndpoint })).toThrow(InsecureEndpointError);
  });

  it('says why it was refused, and tries again with the next call (CLI-15)', async () => {
    const source = createSource();
    const refusal = { error: 'invalid_client', error_description: `who is ${CLIENT.clientSecret}?` };
    scene.issuer.reply = () => json(refusal, 401);
    const error = await scene.call(source).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TokenRequestRefusedError);
    expect(error).toMatchObject({ status: 401, error: 'invalid_client' });
    expect(inspect(error, { depth: 9 })).not.toContain(CLIENT.clientSecret);
    expect(scene.issuer.forms).toHaveLength(1);
    scene.issuer.reply = () => json(scene.issuer.grant({ scope: 'desk:read' }));
    await expect(scene.call(source)).resolves.toBe(200);
  });

  it.each([
    ['no JSON', 'here you are'],
    ['no token', { token_type: 'Bearer' }],
    ['no type', { access_token: 'token-secret' }],
    ['another type', { access_token: 'token-secret', token_type: 'mac' }],
    ['a key that nobody has', { access_token: 'token-secret', token_type: 'DPoP' }],
    ['an assertion', { access_token: 'token-secret', token_type: 'N_A' }],
    ['a lifetime in words', { access_token: 'token-secret', token_type: 'Bearer', expires_in: 'long' }],
  ])('refuses an answer with %s, and shows nothing of it (CLI-15)', async (_what, answer) => {
    scene.issuer.reply = () => json(answer);
    const error = await scene.call(createSource()).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'token_request_refused', error: 'invalid_response' });
    expect(inspect(error, { depth: 9 })).not.toContain('token-secret');
  });

  it('shows neither secret nor token when it is written to a log (CLI-15)', async () => {
    const source = createSource();
    await scene.call(source);
    const shown = inspect(source, { depth: 9, showHidden: true }) + JSON.stringify(source);
    expect(shown).not.toMatch(/the-secret|token-1/);
  });
});
