import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ClientCredentialsTokenSource,
  createAuthorizedFetch,
  DpopKey,
  MemoryCredentialStore,
  OAuthTokenSource,
  type OAuthTokenSourceOptions,
} from 'nestjs-mcp/client';
import type { DpopOptions, GivenClaims } from 'nestjs-mcp';
import { RESOURCE } from '../../support/applications/protected-desk.js';
import { LoginServer } from '../../support/authorization/login-server.js';
import { MachineServer } from '../../support/authorization/machine-server.js';
import { buildInitialize } from '../../support/clients/json-rpc.js';
import { Visitor } from '../../support/clients/visitor.js';
import { bootCustomer, bootShop, WIRES, type Customer, type RunningShop } from './shop.app.js';

const CLIENT = { clientId: 'night-job', clientSecret: 'the-secret-of-a-job' };
const STRICT = { mode: 'required', nonce: true } as const;

describe('A server that takes bound tokens alone, with nonces (RFC 9449)', () => {
  const visitor = new Visitor();
  let login: LoginServer;
  let server: RunningShop;
  /** The headers of the requests that reached the server. */
  let sent: Headers[] = [];
  const customers: Customer[] = [];

  const send: typeof fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url === RESOURCE) sent.push(new Headers(init?.headers));
    return fetch(url.replace(new URL(RESOURCE).origin, server.origin), init);
  };

  async function start(dpop: DpopOptions['mode'] | DpopOptions = STRICT): Promise<void> {
    const validate = async (token: string): Promise<GivenClaims | undefined> => {
      const found = await login.find(token);
      return (
        found && { sub: 'ada', scopes: found.scopes, extra: found.jkt ? { cnf: { jkt: found.jkt } } : {} }
      );
    };
    const auth = {
      resourceUri: RESOURCE,
      authorizationServers: [login.issuer],
      validator: { validate },
      dpop,
    };
    server = await bootShop({ auth });
  }

  beforeEach(async () => {
    visitor.opened.length = 0;
    sent = [];
    login = await LoginServer.start({ resources: [RESOURCE] });
  });
  afterEach(async () => {
    for (const customer of customers.splice(0)) await customer.app.close();
    await server.close();
    await login.stop();
  });

  const createSource = (options: Partial<OAuthTokenSourceOptions> = {}) =>
    new OAuthTokenSource({
      serverUrl: RESOURCE,
      store: new MemoryCredentialStore(),
      openBrowser: visitor.open,
      fetch: send,
      allowPrivateAddresses: true,
      ...options,
    });

  it.each(WIRES)(
    'is called by an injected client that was told nothing of it (%j) (XTN-03) (PEER-06)',
    async (negotiation) => {
      await start();
      const customer = await bootCustomer({ url: RESOURCE, negotiation, auth: createSource(), fetch: send });
      customers.push(customer);
      for (let turn = 0; turn < 3; turn += 1) {
        expect(await customer.client.callTool('whoami')).toMatchObject({ content: [{ text: 'ada' }] });
      }
      expect(visitor.opened).toHaveLength(1);
      const bound = sent.filter((headers) => headers.get('authorization')?.startsWith('DPoP ') === true);
      expect(new Set(bound.map((headers) => headers.get('dpop'))).size).toBe(bound.length);
    },
  );

  it('knows the next process by the key that was kept (XTN-03) (CLI-14)', async () => {
    await start();
    const store = new MemoryCredentialStore();
    const call = async () => {
      const fetching = createAuthorizedFetch({
        serverUrl: RESOURCE,
        tokenSource: createSource({ store }),
        fetch: send,
      });
      return (await fetching(RESOURCE, buildRequest())).status;
    };
    expect([await call(), await call()]).toEqual([200, 200]);
    expect(visitor.opened).toHaveLength(1);
  });

  it('is called with a bearer token where it takes both and nobody asks for more (XTN-03)', async () => {
    await start('allowed');
    const call = async (options: Partial<OAuthTokenSourceOptions>) => {
      const fetching = createAuthorizedFetch({
        serverUrl: RESOURCE,
        tokenSource: createSource(options),
        fetch: send,
      });
      const { status } = await fetching(RESOURCE, buildRequest());
      return [status, sent.at(-1)?.get('authorization')?.split(' ')[0]];
    };
    expect(await call({})).toEqual([200, 'Bearer']);
    expect(await call({ dpop: true })).toEqual([200, 'DPoP']);
    expect(await call({ dpop: await DpopKey.generate({ algorithm: 'Ed25519' }) })).toEqual([200, 'DPoP']);
  });

  it('is tried again, once, where a proof does not do (XTN-03)', async () => {
    await start('allowed');
    const key = await DpopKey.generate();
    const tokenSource = createSource({ dpop: key });
    const fetching = createAuthorizedFetch({ serverUrl: RESOURCE, tokenSource, fetch: send });
    expect((await fetching(RESOURCE, buildRequest())).status).toBe(200);
    const proof = tokenSource.proof!;
    const build = proof.buildHeaders.bind(proof);
    sent = [];
    let isWrong = 1;
    proof.buildHeaders = (request) => build(isWrong-- > 0 ? { ...request, method: 'GET' } : request);
    expect((await fetching(RESOURCE, buildRequest())).status).toBe(200);
    expect(sent).toHaveLength(2);
    isWrong = 10;
    const refused = await fetching(RESOURCE, buildRequest());
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain('The htm in the proof does not match the request method');
    expect([sent.length, visitor.opened.length]).toEqual([4, 1]);
  });

  it('is called by a program whose authorization server binds its tokens (XTN-03) (CLI-15)', async () => {
    const client = { ...CLIENT, method: 'client_secret_basic' } as const;
    const machines = await MachineServer.start({ resource: RESOURCE, client, wantsNonces: true });
    const auth = { resourceUri: RESOURCE, authorizationServers: [machines.issuer], jwt: {}, dpop: STRICT };
    server = await bootShop({ auth });
    const source = new ClientCredentialsTokenSource({
      serverUrl: RESOURCE,
      ...CLIENT,
      fetch: send,
      allowPrivateAddresses: true,
    });
    const fetching = createAuthorizedFetch({ serverUrl: RESOURCE, tokenSource: source, fetch: send });
    for (let turn = 0; turn < 3; turn += 1)
      expect((await fetching(RESOURCE, buildRequest())).status).toBe(200);
    expect(machines.answers).toEqual(['400 use_dpop_nonce', '200 token']);
    await machines.stop();
  });
});

function buildRequest(): RequestInit {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return { method: 'POST', headers, body: JSON.stringify(buildInitialize()) };
}
