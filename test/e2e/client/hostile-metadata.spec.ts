import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { discoverMcpAuth, type DiscoverOptions, type McpAuthInfo } from 'nestjs-mcp/client';
import { NameService } from '../../support/authorization/name-service.js';
import { json, Party, redirect } from '../../support/authorization/party.js';

const SERVER = 'https://desk.example.com/mcp';
const ISSUER = 'https://login.example.com';
const METADATA = '/.well-known/oauth-protected-resource/mcp';
const SERVER_METADATA = '/.well-known/oauth-authorization-server';

let server: Party;
let issuer: Party;
let inside: Party;
let names: NameService;

beforeEach(async () => {
  [server, issuer, inside] = await Promise.all([Party.start(), Party.start(), Party.start()]);
  names = new NameService({ 'desk.example.com': server, 'login.example.com': issuer });
  publish({});
  describeIssuer({});
  inside.at('/*', json({ resource: SERVER, authorization_servers: [ISSUER] }));
});
afterEach(() => Promise.all([server.stop(), issuer.stop(), inside.stop()]));

function publish(changes: object): void {
  server.at(METADATA, json({ resource: SERVER, authorization_servers: [ISSUER], ...changes }));
}

function describeIssuer(changes: object): void {
  const metadata = {
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/login`,
    token_endpoint: `${ISSUER}/tokens`,
    code_challenge_methods_supported: ['S256'],
  };
  issuer.at(SERVER_METADATA, json({ ...metadata, ...changes }));
}

function discover(options: DiscoverOptions = {}): Promise<McpAuthInfo> {
  return discoverMcpAuth(SERVER, { fetch: names.fetch, ...options });
}

/** Addresses that a public server cannot reach and its client can. */
const CLOSER = [
  'https://10.0.0.5/metadata',
  'https://192.168.1.1/metadata',
  'https://169.254.169.254/latest/meta-data/iam',
  'https://[fd00:ec2::254]/metadata',
  'https://[::ffff:10.0.0.5]/metadata',
  'https://0xa000005/metadata',
  'https://metadata.google.internal/computeMetadata/v1',
  'http://localhost/metadata',
  'http://127.0.0.1/metadata',
  'https://127.1/metadata',
  'http://[::1]/metadata',
];

/** URLs that are nowhere safe. */
const INSECURE = [
  'http://login.example.com/metadata',
  'http://10.0.0.5/metadata',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:application/json,{}',
  'ftp://login.example.com/metadata',
];

/** Texts that are no whole URLs. */
const PARTS = ['/metadata', 'login.example.com', '//login.example.com:0/x'];

describe('A public server that leads its client into the network', () => {
  it('is what nobody here is: it leads to another public one (CLI-02)', async () => {
    await expect(discover()).resolves.toHaveProperty('authorizationServer.issuer', ISSUER);
    expect(names.asked).toEqual([`https://desk.example.com${METADATA}`, ISSUER + SERVER_METADATA]);
  });

  it.each(CLOSER)('by the header, to %s, is not followed (CLI-10)', async (url) => {
    const challenge = { resourceMetadataUrl: url };
    await expect(discover({ challenge })).rejects.toMatchObject({ code: 'private_address' });
    expect(names.asked).toEqual([]);
  });

  it.each(CLOSER)('by "authorization_servers", to %s, is not followed (CLI-10)', async (url) => {
    publish({ authorization_servers: [url] });
    await expect(discover()).rejects.toMatchObject({ code: 'private_address' });
    expect(issuer.requests).toEqual([]);
  });

  it.each(['authorization_endpoint', 'token_endpoint'])(
    'by "%s" is not believed (CLI-10)',
    async (member) => {
      describeIssuer({
        [member]: 'http://127.0.0.1:8080/admin',
        authorization_response_iss_parameter_supported: true,
      });
      await expect(discover()).rejects.toMatchObject({
        code: 'private_address',
        url: 'http://127.0.0.1:8080/admin',
      });
    },
  );

  it('by a redirect is not followed (CLI-03) (CLI-10)', async () => {
    server.at(METADATA, redirect(`${inside.origin}/metadata`));
    await expect(discover()).rejects.toMatchObject({ code: 'discovery_failed' });
    expect(inside.requests).toEqual([]);
  });

  it('is followed where that is allowed (CLI-10)', async () => {
    const challenge = { resourceMetadataUrl: `${inside.origin}/metadata` };
    const resolve: typeof fetch = (input, init) =>
      (input === challenge.resourceMetadataUrl ? fetch : names.fetch)(input, init);
    const options = { challenge, allowPrivateAddresses: true, fetch: resolve };
    await expect(discover(options)).resolves.toHaveProperty('prm.resource', SERVER);
    expect(inside.paths).toEqual(['/metadata']);
  });
});

describe('A server that leads its client to where others read along', () => {
  it.each(INSECURE)('by the header, to %j, is not followed (CLI-03) (CLI-10)', async (url) => {
    const challenge = { resourceMetadataUrl: url };
    await expect(discover({ challenge })).rejects.toMatchObject({ code: 'insecure_endpoint' });
    expect(names.asked).toEqual([]);
  });

  it.each([...INSECURE, ...PARTS, ''])(
    'by "authorization_servers", to %j, is not followed (CLI-10)',
    async (url) => {
      publish({ authorization_servers: [url, ISSUER] });
      await expect(discover()).rejects.toMatchObject({ code: 'insecure_endpoint' });
      expect(issuer.requests).toEqual([]);
    },
  );

  it.each([...INSECURE, ...PARTS])('by an endpoint, %j, is not believed (CLI-10)', async (url) => {
    describeIssuer({ token_endpoint: url });
    await expect(discover()).rejects.toMatchObject({ code: 'insecure_endpoint', role: 'token_endpoint' });
  });

  it.each([
    'introspection_endpoint',
    'jwks_uri',
    'registration_endpoint',
    'revocation_endpoint',
    'x_endpoint',
  ])('by "%s" of any form is not refused for what nobody uses (PEER-02)', async (member) => {
    for (const value of ['http://login.example.com/x', '/x', 'http://127.0.0.1/x', 7, [], null, '']) {
      describeIssuer({ [member]: value });
      await expect(discover()).resolves.toHaveProperty('authorizationServer.issuer', ISSUER);
    }
  });

  it('is not asked over "http" itself (CLI-10)', async () => {
    const found = discoverMcpAuth('http://desk.example.com/mcp', { fetch: names.fetch });
    await expect(found).rejects.toMatchObject({ code: 'insecure_endpoint' });
    expect(names.asked).toEqual([]);
  });
});

describe('An authorization server that borrows the login of another (RFC 9700 §4.4)', () => {
  const HONEST = 'https://honest.example.com';

  it('is not believed: codes of that one would go to it (CLI-04) (CLI-09)', async () => {
    describeIssuer({ authorization_endpoint: `${HONEST}/login` });
    await expect(discover()).rejects.toMatchObject({ code: 'discovery_failed' });
  });

  it('is not believed where codes would go to a third (CLI-04) (CLI-09)', async () => {
    describeIssuer({
      authorization_endpoint: `${HONEST}/login`,
      token_endpoint: 'https://thief.example.com/tokens',
    });
    await expect(discover()).rejects.toMatchObject({ code: 'discovery_failed' });
  });

  it.each([
    ['codes go where the login is', { token_endpoint: `${HONEST}/tokens` }],
    ['answers say whom they are from', { authorization_response_iss_parameter_supported: true }],
  ])('may be one of several hosts where %s (CLI-04) (CLI-09)', async (_, changes) => {
    describeIssuer({ authorization_endpoint: `${HONEST}/login`, ...changes });
    await expect(discover()).resolves.toHaveProperty('authorizationServer.issuer', ISSUER);
  });

  it('may have its token endpoint elsewhere where the login is its own (CLI-04)', async () => {
    describeIssuer({ token_endpoint: 'https://api.example.com/tokens' });
    await expect(discover()).resolves.toHaveProperty('authorizationServer.issuer', ISSUER);
  });
});

describe('Metadata that is not what it should be', () => {
  it.each([
    { authorization_servers: undefined },
    { authorization_servers: [] },
    { authorization_servers: ISSUER },
    { authorization_servers: [7] },
    { authorization_servers: [`${ISSUER}?x=1`] },
    { authorization_servers: [`${ISSUER}#x`] },
    { scopes_supported: 'desk:read' },
    { scopes_supported: [{}] },
  ])('of the server ends discovery: %j (CLI-03)', async (changes) => {
    publish(changes);
    await expect(discover()).rejects.toMatchObject({ code: 'discovery_failed' });
    expect(issuer.requests).toEqual([]);
  });

  it.each([
    { token_endpoint: 7 },
    { code_challenge_methods_supported: 'S256' },
    { scopes_supported: [null] },
    { client_id_metadata_document_supported: 'true' },
  ])('of the authorization server ends discovery: %j (CLI-03)', async (changes) => {
    describeIssuer(changes);
    await expect(discover()).rejects.toMatchObject({ code: 'discovery_failed' });
  });

  it('may have members that are null, which are absent, and scopes that are none, which are left out (CLI-11)', async () => {
    publish({ scopes_supported: ['desk:read', 'two words', ''] });
    describeIssuer({ registration_endpoint: null, scopes_supported: null });
    const { prm, authorizationServer } = await discover();
    expect(prm?.scopes_supported).toEqual(['desk:read']);
    expect(Object.keys(authorizationServer)).not.toEqual(
      expect.arrayContaining(['registration_endpoint', 'scopes_supported']),
    );
  });

  it('gives no object another nature (CLI-03)', async () => {
    const members = `"issuer":"${ISSUER}","token_endpoint":"${ISSUER}/tokens"`;
    issuer.at(
      SERVER_METADATA,
      json(`{${members},"__proto__":{"polluted":true},"constructor":{"prototype":{}}}`),
    );
    const { authorizationServer } = await discover();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(authorizationServer['polluted']).toBeUndefined();
  });
});
