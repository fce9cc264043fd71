import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { authorize, bootDesk, RESOURCE } from '../../support/applications/protected-desk.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { json, Party } from '../../support/authorization/party.js';
import { perRequest } from '../../support/clients/json-rpc.js';

type Row = readonly [what: string, claims: { readonly [name: string]: unknown }];

/** What an issuer writes for what it leaves out. */
const ABSENT: readonly Row[] = [null, ''].flatMap((nothing) => {
  const name = JSON.stringify(nothing);
  const of = (...claims: readonly string[]): Row => [
    `${claims.join(' and ')} ${name}`,
    Object.fromEntries(claims.map((claim) => [claim, nothing])),
  ];
  return [
    of('cnf'),
    of('act', 'may_act'),
    of('nbf', 'iat', 'jti'),
    of('sub'),
    of('client_id', 'azp'),
    of('nonce', 'at_hash', 'c_hash', 's_hash', 'events'),
    of('token_use', 'typ'),
    of('scopes', 'scp', 'permissions'),
    [`audiences ${name} beside ours`, { aud: [nothing, RESOURCE, nothing] }],
  ] satisfies Row[];
});

/** Claims that have to be there, or are there. */
const REFUSED: readonly Row[] = [null, ''].flatMap((nothing) => {
  const name = JSON.stringify(nothing);
  return [
    [`"aud" ${name}`, { aud: nothing }],
    [`audiences ${name} alone`, { aud: [nothing] }],
    [`audiences ${name} beside others`, { aud: [nothing, 'urn:other'] }],
    [`"scope" ${name}`, { scope: nothing }],
  ] satisfies Row[];
});

const BOUND: readonly Row[] = [
  ['a key', { cnf: { jkt: 'thumbprint' } }],
  ['no key that is known', { cnf: {} }],
  ['"cnf" as false', { cnf: false }],
];

describe.each(ADAPTERS)('A token, to a server on %s,', (adapter) => {
  let issuer: TestIssuer;
  let party: Party;
  let byKeys: RunningApp;
  let byQuestion: RunningApp;

  beforeAll(async () => {
    issuer = await TestIssuer.start();
    const [key] = issuer.keys;
    issuer.keys = [];
    // As writers of JSON give it that leave nothing out.
    const members = [
      'use',
      'key_ops',
      'alg',
      'x5u',
      'x5c',
      'x5t',
      'n',
      'e',
      'd',
      'p',
      'q',
      'dp',
      'dq',
      'qi',
      'k',
      'oth',
    ];
    const absent = Object.fromEntries(members.map((member, index) => [member, index % 2 === 0 ? null : '']));
    issuer.otherKeys = [{ ...key?.jwk, ...absent }];
    signer = key;
    Object.assign(issuer.metadata, {
      introspection_endpoint: null,
      registration_endpoint: '',
      token_endpoint: '/relative',
      scopes_supported: null,
    });
    const auth = { resourceUri: RESOURCE, authorizationServers: [issuer.url], requiredScopes: ['desk:read'] };
    byKeys = await bootDesk(adapter, { auth: { ...auth, jwt: { cacheTtlMs: 0, scopeClaims: ['scp'] } } });
    party = await Party.start();
    const introspection = {
      endpoint: `${party.origin}/introspect`,
      clientId: 'desk',
      clientSecret: 'secret',
    };
    byQuestion = await bootDesk(adapter, { auth: { ...auth, introspection } });
  });

  let signer: TestIssuer['keys'][number] | undefined;

  afterAll(async () => {
    for (const desk of [byKeys, byQuestion]) await desk.close();
    await party.stop();
    await issuer.stop();
  });

  async function bringSigned(claims: Row[1]): Promise<number> {
    const header = { typ: undefined };
    const token = await issuer.token(
      { scope: 'desk:read', ...claims },
      { header, ...(signer && { key: signer }) },
    );
    return (await perRequest(byKeys.url, { headers: authorize(token) }).request('tools/list')).status;
  }

  let opaque = 0;

  async function bringOpaque(said: Row[1], code = 200): Promise<number> {
    const good = { active: true, iss: issuer.url, sub: 'ada', aud: RESOURCE, scope: 'desk:read' };
    party.at('/introspect', json({ ...good, ...said }, code));
    const headers = authorize(`opaque-${++opaque}`);
    return (await perRequest(byQuestion.url, { headers }).request('tools/list')).status;
  }

  it.each(ABSENT)('signed with %s, says nothing of it (PEER-02) (AUTH-04)', async (_, claims) => {
    expect(await bringSigned(claims)).toBe(200);
  });

  it.each(ABSENT)('of which it is said that it has %s, is taken (PEER-02) (AUTH-13)', async (_, said) => {
    expect(await bringOpaque(said)).toBe(200);
  });

  it.each([null, ''])(
    'of which its issuer, type and end are said to be %j, is taken (PEER-02) (AUTH-13)',
    async (nothing) => {
      expect(await bringOpaque({ iss: nothing, token_type: nothing, exp: nothing, username: nothing })).toBe(
        200,
      );
    },
  );

  it.each(REFUSED)('with %s, lacks what it needs (PEER-02) (AUTH-07) (AUTH-08)', async (_, claims) => {
    const expected = 'scope' in claims ? 403 : 401;
    expect(await bringSigned(claims)).toBe(expected);
    expect(await bringOpaque(claims)).toBe(expected);
  });

  it.each([null, ''])(
    'signed with an end or an issuer that is %j, is refused (PEER-02) (AUTH-05) (AUTH-06)',
    async (nothing) => {
      expect(await bringSigned({ exp: nothing })).toBe(401);
      expect(await bringSigned({ iss: nothing })).toBe(401);
    },
  );

  it.each(BOUND)('bound to %s, is refused (AUTH-04) (PEER-02)', async (_, claims) => {
    expect(await bringSigned(claims)).toBe(401);
    expect(await bringOpaque(claims)).toBe(401);
  });

  it('tells callers apart who are not named, as where "sub" is missing (PEER-02) (HTTP-03)', async () => {
    const nameless = await Promise.all([bringSigned({ sub: '' }), bringSigned({ sub: null })]);
    expect(nameless).toEqual([200, 200]);
  });

  it('may be told of with any status of success (PEER-02) (AUTH-13)', async () => {
    expect(await bringOpaque({}, 201)).toBe(200);
  });

  it.each([
    ['an error', { error: 'invalid_client', active: true }],
    ['null', { active: null }],
    ['an empty text', { active: '' }],
  ])('of which only %s is told, cannot be checked (PEER-02) (AUTH-13)', async (_, said) => {
    expect(await bringOpaque(said)).toBe(503);
    party.at('/introspect', json({ active: false }));
  });
});
