import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createAuthorizedFetch,
  MemoryCredentialStore,
  OAuthTokenSource,
  type OAuthTokenSourceOptions,
  type StoredRegistration,
} from 'nestjs-mcp/client';
import { json, Party, redirect, type SeenRequest } from '../../support/authorization/party.js';
import { Visitor } from '../../support/clients/visitor.js';

const CODE = 'the-code-of-the-honest-server';
const DOCUMENT = 'https://app.example.com/client.json';

/** An authorization server that knows every client, and where each may be sent back to, but for the port. */
class AuthorizationServer {
  readonly places = new Map<string, readonly string[]>();
  readonly metadata: Record<string, unknown>;

  private constructor(readonly party: Party) {
    const { origin } = party;
    this.metadata = {
      issuer: origin,
      authorization_endpoint: `${origin}/login`,
      token_endpoint: `${origin}/tokens`,
      registration_endpoint: `${origin}/clients`,
      code_challenge_methods_supported: ['S256'],
    };
    party.at('/.well-known/oauth-authorization-server', (...parts) => json(this.metadata)(...parts));
    party.at('/tokens', json({ access_token: this.token, token_type: 'Bearer' }));
    party.at('/clients', (response, seen) => {
      const { redirect_uris: uris } = JSON.parse(seen.body) as { redirect_uris: string[] };
      const clientId = `client-${this.places.size + 1}`;
      this.places.set(clientId, uris);
      json({ client_id: clientId, redirect_uris: uris }, 201)(response, seen);
    });
    party.at('/login', (...parts) => this.logIn(...parts));
  }

  static async start(): Promise<AuthorizationServer> {
    return new AuthorizationServer(await Party.start());
  }

  get token(): string {
    return `token-of-${this.party.port}`;
  }

  get tokenRequests(): readonly SeenRequest[] {
    return this.party.requests.filter(({ path }) => path === '/tokens');
  }

  /** Sends users back with a code, and does not say who it is unless the metadata says that it does. */
  logIn(...[response, seen]: Parameters<Parameters<Party['at']>[1]>): void {
    const asked = new URL(seen.path, this.party.origin).searchParams;
    const place = new URL(asked.get('redirect_uri') ?? '');
    const known = this.places.get(asked.get('client_id') ?? '') ?? [];
    if (!known.some((uri) => new URL(uri).pathname === place.pathname)) return json({}, 400)(response, seen);
    place.search = new URLSearchParams({ code: CODE, state: asked.get('state') ?? '' }).toString();
    if (this.metadata['authorization_response_iss_parameter_supported'] === true) {
      place.searchParams.set('iss', this.party.origin);
    }
    redirect(place.href)(response, seen);
  }
}

describe('A client of two authorization servers that do not name themselves (RFC 9700 §4.4.2)', () => {
  let server: Party;
  let honest: AuthorizationServer;
  let attacker: AuthorizationServer;
  let trusted: AuthorizationServer;
  let visitor: Visitor;
  let store: MemoryCredentialStore;

  beforeEach(async () => {
    server = await Party.start();
    [honest, attacker] = [await AuthorizationServer.start(), await AuthorizationServer.start()];
    [visitor, store] = [new Visitor(), new MemoryCredentialStore()];
    server.at('/mcp', (response, { headers }) => {
      const isAllowed = headers.authorization === `Bearer ${trusted.token}`;
      response.writeHead(isAllowed ? 200 : 401, { 'www-authenticate': 'Bearer' }).end();
    });
    trust(honest);
  });

  afterEach(() => Promise.all([server, honest.party, attacker.party].map((party) => party.stop())));

  const serverUrl = () => `${server.origin}/mcp`;

  /** Has the server take the tokens of another. */
  function trust(other: AuthorizationServer): void {
    trusted = other;
    const { party } = other;
    const place = '/.well-known/oauth-protected-resource/mcp';
    server.at(place, json({ resource: serverUrl(), authorization_servers: [party.origin] }));
  }

  const call = (options: Partial<OAuthTokenSourceOptions> = {}): Promise<Response> => {
    const tokenSource = new OAuthTokenSource({
      serverUrl: serverUrl(),
      openBrowser: visitor.open,
      store,
      loginTimeoutMs: 10_000,
      ...options,
    });
    return createAuthorizedFetch({ serverUrl: serverUrl(), tokenSource })(serverUrl());
  };

  const kept = ({ party }: AuthorizationServer) =>
    store.get({ serverUrl: serverUrl(), issuer: party.origin });

  /** Keeps what the client is to the honest server, and no tokens. */
  const keep = async (registration: StoredRegistration | undefined) =>
    registration && store.set({ serverUrl: serverUrl(), issuer: honest.party.origin }, { registration });

  const askedFor = (count: number) => visitor.opened.at(count)?.searchParams;

  it('comes back to another place from each (FAIR-06) (CLI-09)', async () => {
    expect((await call()).status).toBe(200);
    trust(attacker);
    expect((await call()).status).toBe(200);
    const places = [0, 1].map((count) => new URL(askedFor(count)?.get('redirect_uri') ?? '').pathname);
    expect(new Set(places).size).toBe(2);
    for (const place of places) expect(place).toMatch(/^\/callback\/[\w-]{22}$/);
  });

  it.each(['at the place of the honest server', 'at its own place'])(
    'gives no code of the one to the other, which has the user log in there: %s (CLI-09)',
    async (where) => {
      await call();
      const { registration } = (await kept(honest)) ?? {};
      const [honestPlace = ''] = honest.places.get(registration?.clientId ?? '') ?? [];
      attacker.party.at('/login', (response, seen) => {
        const asked = new URL(seen.path, attacker.party.origin).searchParams;
        const place = new URL(asked.get('redirect_uri') ?? '');
        if (where === 'at the place of the honest server') place.pathname = new URL(honestPlace).pathname;
        const url = new URL(String(honest.metadata['authorization_endpoint']));
        url.search = asked.toString();
        url.searchParams.set('client_id', registration?.clientId ?? '');
        url.searchParams.set('redirect_uri', place.href);
        redirect(url.href)(response, seen);
      });
      trust(attacker);
      const stop = new AbortController();
      const failing = call({
        signal: stop.signal,
        // The browser has been everywhere that it was sent to.
        openBrowser: (url) => visitor.open(url).then(() => stop.abort(new Error('the user gave up'))),
      });
      await expect(failing).rejects.toThrow('the user gave up');
      expect(visitor.pages.at(-1)?.status).toBe(where === 'at its own place' ? 400 : 404);
      expect(attacker.tokenRequests).toEqual([]);
    },
  );

  it('takes up what it registered for one place, where answers name their issuer (CLI-06) (CLI-09)', async () => {
    honest.metadata['authorization_response_iss_parameter_supported'] = true;
    const free = await Party.start();
    const metadata = { redirect_uris: [`http://127.0.0.1:${free.port}/callback`] };
    await free.stop();
    honest.places.set('old', metadata.redirect_uris);
    await keep({ clientId: 'old', origin: 'dynamic', metadata });
    expect((await call()).status).toBe(200);
    expect(askedFor(0)?.get('client_id')).toBe('old');
    expect([askedFor(0)?.get('redirect_uri')]).toEqual(metadata.redirect_uris);
  });

  it('registers again for a place of its own, once, where answers name nobody (CLI-06) (CLI-09)', async () => {
    await call({ redirectUri: 'http://127.0.0.1/callback' });
    const old = (await kept(honest))?.registration;
    expect(old?.metadata?.['redirect_uris']).toEqual([expect.stringMatching(/:\d+\/callback$/)]);
    await keep(old);
    await call();
    expect(askedFor(1)?.get('client_id')).not.toBe(old?.clientId);
    expect(askedFor(1)?.get('redirect_uri')).toMatch(/\/callback\/[\w-]{22}$/);
    const own = (await kept(honest))?.registration;
    await keep(own);
    await call();
    expect(askedFor(2)?.get('client_id')).toBe(own?.clientId);
    expect(askedFor(2)?.get('redirect_uri')).toBe(askedFor(1)?.get('redirect_uri'));
  });

  it.each([
    ['as it is configured', { clientId: 'desk' }],
    ['as the user is asked for it', { enableDcr: false, askForClientId: async () => ({ clientId: 'desk' }) }],
    ['as it is the URL of a document', { enableDcr: false, clientMetadataUrl: DOCUMENT }],
  ])(
    'uses no id that was given, %s, unless its issuer was named too (CLI-06) (CLI-09)',
    async (_case, options) => {
      honest.metadata['client_id_metadata_document_supported'] = true;
      for (const id of ['desk', DOCUMENT]) honest.places.set(id, ['http://127.0.0.1/callback']);
      await expect(call(options)).rejects.toMatchObject({
        code: 'registration_unavailable',
        problem: expect.stringContaining('set "issuer" to it'),
      });
      expect(visitor.opened).toEqual([]);
      expect((await call({ ...options, issuer: honest.party.origin })).status).toBe(200);
      expect(askedFor(0)?.get('redirect_uri')).toMatch(/\/callback$/);
      trust(attacker);
      await expect(
        call({ ...options, issuer: honest.party.origin, store: new MemoryCredentialStore() }),
      ).rejects.toMatchObject({ code: 'issuer_mismatch' });
      expect(attacker.party.paths.filter((path) => path.startsWith('/login'))).toEqual([]);
    },
  );

  it('registers itself where its document would do for others too (CLI-06) (CLI-09)', async () => {
    honest.metadata['client_id_metadata_document_supported'] = true;
    expect((await call({ clientMetadataUrl: DOCUMENT })).status).toBe(200);
    expect(askedFor(0)?.get('client_id')).toBe('client-1');
  });
});
