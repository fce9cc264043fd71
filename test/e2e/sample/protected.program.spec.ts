import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DemoRun } from '../../support/programs/demo-run.js';
import { NodeProgram } from '../../support/programs/node-program.js';

const BUILD = fileURLToPath(new URL('../../../.build/sample/03-protected', import.meta.url));

/** What `oidc-provider` says of releases of Node older than 22, on which it works all the same. */
const OF_NODE_20 = /^oidc-provider WARNING: Unsupported runtime\..*\n/;

function complaints({ stderr }: NodeProgram): string {
  return stderr.replace(OF_NODE_20, '');
}

describe('npm run start:protected', () => {
  it('prints where it listens, what shows its challenge and who issues tokens, and ends cleanly (MOD-12)', async () => {
    const desk = new NodeProgram(`${BUILD}/main.js`, { PORT: '0' });
    await desk.prints('npm run demo:protected');
    const [, url = ''] = /serves MCP at (http:\/\/127\.0\.0\.1:\d+\/mcp)/.exec(desk.stdout) ?? [];
    expect(desk.stdout).toContain(`curl -si -H 'accept: text/event-stream' ${url}`);
    expect((await fetch(url, { headers: { accept: 'text/event-stream' } })).status).toBe(401);
    await fetch(url, { headers: { authorization: 'Bearer strange', accept: 'text/event-stream' } });
    await desk.prints('A token was refused: it is not a JWT');
    const [, issuer] = /authorization server is (http:\S+):/.exec(desk.stdout) ?? [];
    const metadata = await fetch(`${issuer}/.well-known/oauth-authorization-server`);
    expect(await metadata.json()).toMatchObject({ issuer });
    expect(await desk.stop()).toBe(0);
    expect(complaints(desk)).toBe('');
  });

  it('says that the port is not one', async () => {
    const wrong = new NodeProgram(`${BUILD}/main.js`, { PORT: '70000' });
    expect(await wrong.exitCode()).toBe(1);
    expect(wrong.stderr).toContain('cannot start on the ports "70000" and "3001"');
  });
});

describe('npm run start:authorization-server', () => {
  const FILE = `${BUILD}/authorization-server/main.js`;
  const RESOURCE = 'http://127.0.0.1:1/shop';

  it('gives tokens for a server of any URL and scopes, says by which settings it takes them, and ends cleanly', async () => {
    const environment = { AUTHORIZATION_PORT: '0', RESOURCE, SCOPES: 'shop:read  shop:write' };
    const server = new NodeProgram(FILE, environment);
    await server.prints('jwt: {}');
    const [, issuer = ''] = /authorizationServers: \['(http:[^']+)'\]/.exec(server.stdout) ?? [];
    const metadata: unknown = await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json();
    expect(await server.stop()).toBe(0);
    expect(server.stdout).toContain(`publicUrl: '${RESOURCE}'`);
    expect(metadata).toMatchObject({
      issuer,
      scopes_supported: expect.arrayContaining(['shop:read', 'shop:write', 'offline_access']),
    });
    expect(metadata).not.toMatchObject({ scopes_supported: expect.arrayContaining(['desk:read']) });
    expect(complaints(server)).toBe('');
  });

  it('says what cannot be the URL of a server', async () => {
    const wrong = new NodeProgram(FILE, { AUTHORIZATION_PORT: '0', RESOURCE: 'my server' });
    expect(await wrong.exitCode()).toBe(1);
    expect(wrong.stderr).toContain('cannot start on the port "0" for "my server"');
  });
});

describe('npm run demo:protected', () => {
  let demo: DemoRun;

  beforeAll(async () => {
    demo = await DemoRun.of(`${BUILD}/demo.js`);
  });

  function find(beginning: string): string {
    return demo.find((part) => part.startsWith(beginning));
  }

  it('exits with 0 and complains of nothing', () => {
    expect(complaints(demo.program)).toBe('');
    expect(demo.code).toBe(0);
  });

  it('follows the challenge to the metadata, registers, logs in and gets a token (AUTH-14, PRM-01)', () => {
    const connecting = find('Connecting');
    expect(connecting.match(/^ {2}(?:GET|POST) \d+/gm)?.map((line) => line.trim())).toEqual([
      'POST 401',
      'GET 200',
      'GET 200',
      'POST 201',
      'POST 200',
    ]);
    expect(connecting).toMatch(/Token for +desk:read\n/);
  });

  it('reads what is its own by the claims of the token (AUTH-10)', () => {
    expect(find('my_tickets')).toMatch(/T-1003 +opened by ada/);
  });

  it('is stepped up by the 403, and succeeds (STEP-02)', () => {
    const closing = find('close_ticket');
    expect(closing).toContain('POST 403');
    expect(closing).toContain('Bearer error="insufficient_scope", scope="desk:read desk:write"');
    expect(closing).toMatch(/Token for +desk:read desk:write\n/);
    expect(closing).toMatch(/T-1003 +closed by ada/);
    expect(find('open_ticket')).not.toContain('403');
  });

  it('proves with each request that it has the key of a bound token, which is worth nothing without (XTN-03)', () => {
    expect(find('A desk that takes bound tokens')).toMatch(
      /Sends +DPoP <token>.* for each of [2-9] requests/,
    );
    const refusals = find('Somebody else')
      .match(/^ {2}POST .*$/gm)
      ?.map((line) => line.trim());
    expect(refusals).toEqual([
      expect.stringMatching(
        /^POST 401 +DPoP .*error="invalid_token".*send it as DPoP <token>, with a proof"/,
      ),
      expect.stringMatching(/^POST 401 +DPoP .*error="invalid_dpop_proof".*The proof has already been used/),
    ]);
  });
});
