import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LoginScene } from '../../support/authorization/login-scene.js';

let scene: LoginScene;

beforeEach(async () => {
  scene = await LoginScene.start();
});
afterEach(() => scene.stop());

const call = (options: Parameters<LoginScene['createFetch']>[0]) =>
  scene.createFetch(options)(scene.server.url);

describe('The request for a login (RFC 6749 §4.1.1)', () => {
  it('says what the client is told to say besides (CLI-09)', async () => {
    const authorizationParameters = { audience: 'https://api.example.com', login_hint: 'ada&state=x' };
    expect((await call({ authorizationParameters })).status).toBe(200);
    expect(Object.fromEntries(scene.visitor.opened[0]?.searchParams ?? [])).toMatchObject(
      authorizationParameters,
    );
    expect(scene.visitor.opened[0]?.searchParams.getAll('state')).toHaveLength(1);
  });

  it('keeps a wish for a page beside the one for consent (CLI-11)', async () => {
    const options = { scopes: ['desk:read', 'offline_access'] };
    await call({ ...options, authorizationParameters: { prompt: 'login' } });
    expect(scene.visitor.opened[0]?.searchParams.get('prompt')).toBe('login consent');
  });

  it.each([
    'state',
    'scope',
    'resource',
    'redirect_uri',
    'client_id',
    'code_challenge',
    'request_uri',
    'response_mode',
  ])('says by itself what is "%s" (CLI-09)', (name) => {
    expect(() => scene.createSource({ authorizationParameters: { [name]: 'x' } })).toThrow(
      `The "authorizationParameters" must not contain "${name}": it is set by the login itself`,
    );
  });
});

describe('A login whose browser is on another machine', () => {
  /** Goes where the browser is sent, except back to this machine. */
  async function follow(address: string): Promise<string> {
    let url = new URL(address);
    const cookies = new Map<string, string>();
    for (let steps = 0; steps < 12; steps += 1) {
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const { headers } = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const line of headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      url = new URL(headers.get('location') ?? '', url);
      if (url.origin !== scene.login.issuer) return url.href;
    }
    throw new Error('The browser comes back to nowhere');
  }

  let shown = '';
  const options = {
    openBrowser: async () => Promise.reject(new Error('no browser')),
    present: (url: string) => {
      shown = url;
    },
  };

  it('ends with the address that is read (CLI-09)', async () => {
    const readAnswer = () => follow(shown);
    expect((await call({ ...options, readAnswer })).status).toBe(200);
  });

  it('asks again for what is no answer to it (CLI-09)', async () => {
    const given = ['', 'hello', 'http://127.0.0.1:1/callback?code=x&state=y', 'code=x'];
    const readAnswer = async () => given.shift() ?? follow(shown);
    expect((await call({ ...options, readAnswer })).status).toBe(200);
    expect(given).toEqual([]);
  });

  it.each([
    ['state', 'another', 'state_mismatch'],
    ['iss', 'https://evil.example', 'issuer_mismatch'],
  ])('takes none with another "%s" (CLI-09)', async (name, value, code) => {
    const readAnswer = async () => {
      const answer = new URL(await follow(shown));
      answer.searchParams.set(name, value);
      return answer.href;
    };
    await expect(call({ ...options, readAnswer })).rejects.toMatchObject({ code });
    expect(scene.login.at('token')).toEqual([]);
  });

  it('withdraws its question when the browser comes back by itself (CLI-09)', async () => {
    let isWithdrawn = false;
    const openBrowser = async (url: string) => {
      shown = url;
    };
    const readAnswer = ({ signal }: { readonly signal?: AbortSignal | undefined }) =>
      new Promise<undefined>((resolve) => {
        signal?.addEventListener('abort', () => {
          isWithdrawn = true;
          resolve(undefined);
        });
        void scene.visitor.open(shown);
      });
    expect((await call({ openBrowser, readAnswer })).status).toBe(200);
    expect(isWithdrawn).toBe(true);
  });

  it('waits for the browser where nobody says anything (CLI-09)', async () => {
    const readAnswer = async () => void setImmediate(() => void scene.visitor.open(shown));
    expect((await call({ ...options, readAnswer })).status).toBe(200);
  });
});
