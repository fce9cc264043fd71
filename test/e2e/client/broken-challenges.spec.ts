import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthorizedFetch } from 'nestjs-mcp/client';
import { LoginScene } from '../../support/authorization/login-scene.js';
import { json, status } from '../../support/authorization/party.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource/mcp';
const OWN_PLACE = '/metadata/of-the-desk';

let scene: LoginScene;

beforeEach(async () => {
  scene = await LoginScene.start();
});
afterEach(() => scene.stop());

/** Has the server ask for a token by these headers. */
function ask(...headers: readonly string[]): void {
  const { server, login } = scene;
  server.party.at('/mcp', (response, seen) => {
    const token = seen.headers.authorization?.replace('Bearer ', '') ?? '';
    void login.findScopes(token).then((scopes) => {
      if (scopes !== undefined) return json({ ok: true })(response, seen);
      response.setHeader('www-authenticate', [...headers]);
      return status(401)(response, seen);
    });
  });
}

/** Has the metadata at one place alone. */
function publish(place: string): void {
  const { party, url } = scene.server;
  const metadata = json({ resource: url, authorization_servers: [scene.login.issuer] });
  for (const path of [WELL_KNOWN, OWN_PLACE]) party.at(path, path === place ? metadata : status(404));
}

async function call(): Promise<number> {
  const { url } = scene.server;
  const fetch = createAuthorizedFetch({ serverUrl: url, tokenSource: scene.createSource() });
  return (await fetch(url, { method: 'POST', body: '{}' })).status;
}

/** Ways to write the URL of the metadata that no standard has. */
const BROKEN: readonly (readonly [string, (url: string) => readonly string[]])[] = [
  ['no quotes', (url) => [`Bearer resource_metadata=${url}`]],
  ['single quotes', (url) => [`Bearer resource_metadata='${url}'`]],
  ['doubled quotes', (url) => [`Bearer resource_metadata=""${url}""`]],
  ['escaped quotes', (url) => [String.raw`Bearer resource_metadata=\"${url}\"`]],
  ['one quote', (url) => [`Bearer resource_metadata="${url}`]],
  ['semicolons', (url) => [`Bearer realm="desk"; resource_metadata="${url}"; scope="desk:read"`]],
  ['spaces alone', (url) => [`Bearer realm="desk" resource_metadata="${url}"`]],
  ['itself twice', (url) => [`Bearer resource_metadata="${url}", resource_metadata="${url}"`]],
  ['no scheme', (url) => [`resource_metadata="${url}"`]],
  ['a broken neighbor', (url) => [`Bearer realm=my desk, resource_metadata="${url}"`]],
  ['a broken scheme before it', (url) => [`Basic realm=a b, Bearer resource_metadata="${url}"`]],
  ['a broken header before it', (url) => ['Basic realm="x', `Bearer resource_metadata=${url}`]],
  ['several headers', (url) => ['Negotiate', 'Basic realm="x"', `Bearer resource_metadata="${url}"`]],
  ['only its path', () => [`Bearer resource_metadata="${OWN_PLACE}"`]],
  ['only its path, and no quotes', () => [`Bearer resource_metadata=${OWN_PLACE}`]],
];

describe('A challenge that names the metadata', () => {
  it.each(BROKEN)('with %s leads there (PEER-03) (CLI-02)', async (_, build) => {
    ask(...build(scene.server.party.origin + OWN_PLACE));
    publish(OWN_PLACE);
    expect(await call()).toBe(200);
  });

  it.each(BROKEN.filter(([what]) => what !== 'several headers'))(
    'with %s is as good as none if nothing is there (PEER-03) (CLI-02)',
    async (_, build) => {
      ask(...build(scene.server.party.origin + OWN_PLACE));
      publish(WELL_KNOWN);
      expect(await call()).toBe(200);
    },
  );

  it('and is as it must be never has another place asked (CLI-03) (PEER-03)', async () => {
    ask(`Bearer resource_metadata="${scene.server.party.origin}${OWN_PLACE}"`);
    publish(WELL_KNOWN);
    await expect(call()).rejects.toMatchObject({ code: 'discovery_failed', status: 404 });
    expect(scene.server.party.paths).not.toContain(WELL_KNOWN);
  });

  it.each([
    'Bearer',
    'Bearer resource_metadata=""',
    'Bearer resource_metadata=',
    'Bearer resource_metadata="undefined"',
    'Bearer resource_metadata="http://desk.example.com/x',
    'Bearer resource_metadata=file:///etc/passwd',
    '"',
    'Bearer resource_metadata="https://a.example", resource_metadata="https://b.example"',
    `Bearer realm="${'x'.repeat(12_000)}`,
  ])('and says nothing to go by has the well-known places asked: %# (PEER-03) (CLI-02)', async (header) => {
    ask(header);
    publish(WELL_KNOWN);
    expect(await call()).toBe(200);
  });

  it('leads nowhere by a broken hint to metadata of another resource (PEER-03) (CLI-05)', async () => {
    const { party } = scene.server;
    ask(`Bearer resource_metadata=${party.origin}${OWN_PLACE}`);
    publish(WELL_KNOWN);
    party.at(
      OWN_PLACE,
      json({ resource: 'https://elsewhere.example.com', authorization_servers: ['https://evil.example'] }),
    );
    expect(await call()).toBe(200);
    expect(scene.visitor.opened.map(({ origin }) => origin)).toEqual([scene.login.issuer]);
  });
});
