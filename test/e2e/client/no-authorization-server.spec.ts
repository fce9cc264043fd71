import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ClientCredentialsTokenSource,
  createAuthorizedFetch,
  discoverMcpAuth,
  MemoryCredentialStore,
  NoAuthorizationServerError,
  OAuthTokenSource,
  type TokenSource,
} from 'nestjs-mcp/client';
import { Landscape, PATHS } from '../../support/authorization/landscape.js';
import { json, status } from '../../support/authorization/party.js';

const CLIENT = { clientId: 'night-job', clientSecret: 'secret-of-the-job' };
const ISSUER = 'https://login.example.com';

let land: Landscape;

beforeEach(async () => {
  land = await Landscape.start();
  land.server.at('/mcp', status(401, { 'www-authenticate': 'Bearer' }));
});
afterEach(() => land.stop());

function createLogin(options: { readonly issuer?: string } = {}): TokenSource {
  const present = () => undefined;
  const store = new MemoryCredentialStore();
  return new OAuthTokenSource({ serverUrl: land.serverUrl, store, present, ...options });
}

function createProgram(options: { readonly issuer?: string } = {}): TokenSource {
  return new ClientCredentialsTokenSource({ serverUrl: land.serverUrl, ...CLIENT, ...options });
}

function call(tokenSource: TokenSource): Promise<unknown> {
  const send = createAuthorizedFetch({ serverUrl: land.serverUrl, tokenSource });
  return send(land.serverUrl, { method: 'POST', body: '{}' }).catch((error: unknown) => error);
}

describe('A server with metadata that names no authorization server (RFC 9728 §2)', () => {
  it.each([[undefined], [null], [[]]])('has nowhere to log in: %j (CLI-02)', async (issuers) => {
    land.server.at(PATHS.pathForm, json(land.resourceMetadata({ authorization_servers: issuers })));
    const found = discoverMcpAuth(land.serverUrl);
    await expect(found).rejects.toBeInstanceOf(NoAuthorizationServerError);
    await expect(found).rejects.toThrow(/does not name an authorization server\. Use a fixed token/);
    expect(land.asked).toEqual([`server ${PATHS.pathForm}`]);
  });

  it.each([ISSUER, [7]])('is told from one that names what is none: %j (CLI-02)', async (issuers) => {
    land.server.at(PATHS.pathForm, json(land.resourceMetadata({ authorization_servers: issuers })));
    await expect(discoverMcpAuth(land.serverUrl)).rejects.toMatchObject({ name: 'DiscoveryFailedError' });
  });
});

describe('A server without any metadata, where nobody gives tokens (MCP 2025-03-26)', () => {
  it.each<[string, () => TokenSource]>([
    ['a login', createLogin],
    ['a login at an issuer', () => createLogin({ issuer: ISSUER })],
    ['a program', createProgram],
    ['a program of an issuer', () => createProgram({ issuer: ISSUER })],
  ])('says so to %s (CLI-02) (CLI-06)', async (_who, create) => {
    const error = await call(create());
    expect(error).toBeInstanceOf(NoAuthorizationServerError);
    expect(String(error)).toContain('Use a fixed token ("StaticTokenSource")');
    expect(String(error)).not.toContain('secret-of-the-job');
    // The ladder is the same as ever.
    expect(land.asked.slice(1, 4)).toEqual(
      [PATHS.pathForm, PATHS.rootForm, PATHS.atOrigin].map((path) => `server ${path}`),
    );
  });

  it('is told from one whose metadata at its origin is of another issuer than the one that is configured (CLI-06)', async () => {
    land.server.at(PATHS.atOrigin, json(land.metadataAtOrigin()));
    expect(await call(createProgram({ issuer: ISSUER }))).toMatchObject({ code: 'issuer_mismatch' });
    expect(await call(createLogin({ issuer: ISSUER }))).toMatchObject({ code: 'issuer_mismatch' });
  });

  it('is told from one that is there and takes no registrations (CLI-06)', async () => {
    land.server.at('/register', status(403));
    expect(await call(createLogin())).toMatchObject({ code: 'registration_unavailable', status: 403 });
  });
});

describe('A server whose metadata was away for a while', () => {
  let accepted: string;

  beforeEach(() => {
    accepted = 'nothing yet';
    land.server.at('/mcp', (response, seen) => {
      const isAccepted = seen.headers.authorization === `Bearer ${accepted}`;
      const reply = isAccepted ? json({}) : status(401, { 'www-authenticate': 'Bearer' });
      reply(response, seen);
    });
  });

  /** Has the server name who gives its tokens. */
  const name = () => {
    land.server.at(PATHS.pathForm, json(land.resourceMetadata()));
    land.issuer.at(PATHS.candidates[0], json(land.serverMetadata()));
    land.issuer.at('/tenant/tokens', json({ access_token: 'named', token_type: 'Bearer' }));
    accepted = 'named';
  };

  it('has a program get its token of whom it names then (CLI-02) (CLI-06)', async () => {
    const program = createProgram();
    expect(await call(program)).toBeInstanceOf(NoAuthorizationServerError);
    name();
    expect(await call(program)).toMatchObject({ status: 200 });
  });

  it('gets nobody else shown the secret of a program that had a token of it meanwhile (CLI-06)', async () => {
    accepted = 'assumed';
    land.server.at('/token', json({ access_token: 'assumed', token_type: 'Bearer' }));
    const program = createProgram();
    expect(await call(program)).toMatchObject({ status: 200 });
    name();
    expect(await call(program)).toMatchObject({ code: 'issuer_mismatch', expected: land.server.origin });
    expect(land.issuer.paths).toEqual([]);
  });
});
