import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LoginScene } from '../../support/authorization/login-scene.js';
import { within } from '../../support/until.js';

let scene: LoginScene;

beforeEach(async () => {
  scene = await LoginScene.start();
});
afterEach(() => scene.stop());

/** The parameters of the last address that the user was sent to. */
function sent(): URLSearchParams {
  return scene.visitor.opened.at(-1)!.searchParams;
}

describe('A login (RFC 6749 §4.1)', () => {
  it('begins when the server asks for a token, and ends with the call answered (CLI-01) (CLI-09)', async () => {
    const source = scene.createSource();
    await expect(source.token()).rejects.toMatchObject({ code: 'no_token_yet' });
    const response = await scene.createFetch()(scene.server.url);
    expect(response.status).toBe(200);
    const [first, second] = scene.server.tokens;
    expect(first).toBeUndefined();
    await expect(response.json()).resolves.toEqual({ token: second });
  });

  it('proves by PKCE with S256 that the code is its own (CLI-07)', async () => {
    await scene.createFetch()(scene.server.url);
    const verifier = scene.login.at('token')[0]?.parameters['code_verifier'];
    const hash = createHash('sha256').update(String(verifier)).digest('base64url');
    expect(Object.fromEntries(sent())).toMatchObject({ code_challenge: hash, code_challenge_method: 'S256' });
  });

  it('says what the token is for, to the user and to the token endpoint (CLI-08)', async () => {
    await scene.createFetch()(scene.server.url);
    expect(sent().getAll('resource')).toEqual([scene.server.url]);
    expect(scene.login.at('token')[0]?.parameters['resource']).toBe(scene.server.url);
  });

  it('has a state and a verifier of its own, each time (CLI-09)', async () => {
    const call = scene.createFetch();
    await call(scene.server.url);
    await call(`${scene.server.url}/write`);
    const [one, other] = scene.visitor.opened.map(({ searchParams }) => searchParams);
    for (const name of ['state', 'code_challenge']) {
      expect(one?.get(name)).toMatch(/^[\w-]{43}$/);
      expect(other?.get(name)).not.toBe(one?.get(name));
    }
  });

  it('comes back to a free port of 127.0.0.1, which is closed then (CLI-09)', async () => {
    await scene.createFetch()(scene.server.url);
    const redirect = new URL(sent().get('redirect_uri')!);
    const pathname = expect.stringMatching(/^\/callback\/[\w-]{22}$/);
    expect(redirect).toMatchObject({ protocol: 'http:', hostname: '127.0.0.1', pathname });
    expect(scene.visitor.pages).toMatchObject([
      { status: 200, text: expect.stringContaining('close this window') },
    ]);
    await expect(fetch(redirect)).rejects.toThrow('fetch failed');
  });

  it('shows the address where no browser opens (CLI-09)', async () => {
    const shown: string[] = [];
    const call = scene.createFetch({
      openBrowser: () => Promise.reject(new Error('there is none')),
      present: (url) => {
        shown.push(url);
        void scene.visitor.open(url);
      },
    });
    expect((await call(scene.server.url)).status).toBe(200);
    expect(shown).toEqual([scene.visitor.opened[0]?.href]);
  });

  it('fails where the user says no, and is theirs to begin again (CLI-09)', async () => {
    const call = scene.createFetch();
    scene.login.decision = 'deny';
    await expect(call(scene.server.url)).rejects.toMatchObject({
      code: 'login_refused',
      error: 'access_denied',
      description: 'The user said no',
    });
    scene.login.decision = 'allow';
    expect((await call(scene.server.url)).status).toBe(200);
  });

  it('ends when nobody comes back (CLI-09)', async () => {
    const call = scene.createFetch({ openBrowser: async () => undefined, loginTimeoutMs: 50 });
    await expect(call(scene.server.url)).rejects.toMatchObject({ code: 'login_timed_out', timeoutMs: 50 });
  });

  it('ends when the client does not want it any more (CLI-09)', async () => {
    const over = new AbortController();
    const call = scene.createFetch({ openBrowser: async () => over.abort(), signal: over.signal });
    await expect(within(call(scene.server.url), 'the end')).rejects.toThrow('aborted');
  });

  it('ends while the client registers, when nobody wants it any more (CLI-09)', async () => {
    const over = new AbortController();
    const silent: typeof fetch = async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      if (!url.endsWith('/register')) return fetch(input, init);
      const waiting = new Promise<never>((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      });
      over.abort();
      return waiting;
    };
    const call = scene.createFetch({ fetch: silent, signal: over.signal });
    await expect(within(call(scene.server.url), 'the end')).rejects.toThrow('aborted');
    expect(scene.visitor.opened).toEqual([]);
  });

  it('is one for all calls that wait for it (CLI-14)', async () => {
    const source = scene.createFetch();
    const calls = Array.from({ length: 5 }, () => source(scene.server.url));
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(scene.visitor.opened).toHaveLength(1);
  });

  it('is one for all clients that share a store (CLI-14)', async () => {
    const clients = Array.from({ length: 3 }, () => scene.createFetch());
    await Promise.all(clients.map((call) => call(scene.server.url)));
    expect(scene.visitor.opened).toHaveLength(1);
    expect(scene.login.at('registration')).toHaveLength(1);
  });
});

describe('What a login asks for (MCP 2026-07-28 basic/authorization)', () => {
  const askedFor = () => sent().get('scope')?.split(' ');

  it('is what the challenge names (CLI-11)', async () => {
    scene.server.scopesSupported = ['desk:read', 'desk:write'];
    await scene.createFetch()(scene.server.url);
    expect(askedFor()).toEqual(['desk:read', 'offline_access']);
  });

  it('is what the metadata of the server names, where the challenge names nothing (CLI-11)', async () => {
    scene.server.firstScope = undefined;
    scene.server.scopesSupported = ['desk:write', 'desk:read'];
    await scene.createFetch()(scene.server.url);
    expect(askedFor()).toEqual(['desk:write', 'desk:read', 'offline_access']);
  });

  it('is nothing where nobody names anything (CLI-11)', async () => {
    scene.server.firstScope = undefined;
    await scene.createFetch()(scene.server.url);
    expect(sent().has('scope')).toBe(false);
  });

  it('is what is configured, too (CLI-11)', async () => {
    await scene.createFetch({ scopes: ['desk:write'] })(scene.server.url);
    expect(askedFor()).toEqual(['desk:write', 'desk:read', 'offline_access']);
  });

  it('is all that was asked for before as well, when a call needs more (CLI-11)', async () => {
    const call = scene.createFetch();
    await call(scene.server.url);
    expect((await call(`${scene.server.url}/write`)).status).toBe(200);
    expect(askedFor()).toEqual(['desk:read', 'desk:write', 'offline_access']);
    expect((await call(scene.server.url)).status).toBe(200);
    expect(scene.visitor.opened).toHaveLength(2);
  });

  it('is refresh tokens only of who lists the scope for them (CLI-11)', async () => {
    await scene.move({ scopes: ['desk:read', 'desk:write'] });
    await scene.createFetch({ scopes: ['offline_access'] })(scene.server.url);
    expect(askedFor()).toEqual(['desk:read']);
    expect(sent().has('prompt')).toBe(false);
  });
});
