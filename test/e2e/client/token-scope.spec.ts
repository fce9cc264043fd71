import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthorizedFetch, StaticTokenSource } from 'nestjs-mcp/client';
import { json, Party } from '../../support/authorization/party.js';

const TOKEN = 'the-token-of-the-desk';

let server: Party;
let stranger: Party;

beforeEach(async () => {
  [server, stranger] = await Promise.all([Party.start(), Party.start()]);
  for (const party of [server, stranger]) party.at('/*', json({ ok: true }));
});
afterEach(() => Promise.all([server.stop(), stranger.stop()]));

function authorize(path: string, alsoAt: readonly string[] = []): typeof fetch {
  return createAuthorizedFetch({
    serverUrl: server.origin + path,
    tokenSource: new StaticTokenSource(TOKEN),
    alsoAt,
  });
}

const tokensOf = ({ requests }: Party) => requests.map(({ headers }) => headers.authorization);

describe('Where a token goes', () => {
  it.each([
    ['/mcp', '/mcp'],
    ['/mcp', '/mcp?session=1'],
    ['/mcp', '/mcp/'],
    ['/mcp/', '/mcp'],
    ['/mcp', '/mcp/desk'],
    ['/mcp', '/other/../mcp'],
    ['/', '/anything'],
    ['', '/'],
  ])('is, for a server at %j, its %j (CLI-13)', async (path, called) => {
    await authorize(path)(server.origin + called);
    expect(tokensOf(server)).toEqual([`Bearer ${TOKEN}`]);
  });

  it.each(['/', '/mc', '/mcp2', '/mcp%2fdesk', '/MCP', '/other/mcp', '/mcp/../other', '/mcp/%2e%2e/other'])(
    'is not, for a server at "/mcp", the %j of the same origin (CLI-13)',
    async (called) => {
      await authorize('/mcp')(server.origin + called);
      expect(tokensOf(server)).toEqual([undefined]);
    },
  );

  it('is not another port of the same host, nor what looks like the server in a URL (CLI-13)', async () => {
    const call = authorize('/mcp');
    await call(`${stranger.origin}/mcp`);
    await call(`${stranger.origin}/?at=${server.origin}/mcp`);
    await call(`${stranger.origin}/${server.origin}/mcp`);
    await call(`http://localhost:${server.port}/mcp`);
    expect([...tokensOf(stranger), ...tokensOf(server)]).toEqual(Array(4).fill(undefined));
  });

  it('is what is named besides, such as where HTTP+SSE posts to (CLI-13)', async () => {
    const call = authorize('/sse', [`${server.origin}/messages`]);
    await call(`${server.origin}/messages?sessionId=1`, { method: 'POST', body: '{}' });
    await call(`${server.origin}/other`);
    expect(tokensOf(server)).toEqual([`Bearer ${TOKEN}`, undefined]);
  });

  it('is not what a call to somebody else brings along itself (CLI-13)', async () => {
    await authorize('/mcp')(`${stranger.origin}/mcp`, { headers: { authorization: 'Basic mine' } });
    expect(tokensOf(stranger)).toEqual(['Basic mine']);
  });

  it.each(['http://desk.example.com/mcp', 'http://10.0.0.5/mcp', 'ftp://localhost/mcp', 'desk.example.com'])(
    'is never %s, which others could read along (CLI-10) (CLI-13)',
    (serverUrl) => {
      const tokenSource = new StaticTokenSource(TOKEN);
      const create = () => createAuthorizedFetch({ serverUrl, tokenSource });
      expect(create).toThrow(expect.objectContaining({ code: 'insecure_endpoint', url: serverUrl }));
      const createBeside = () =>
        createAuthorizedFetch({ serverUrl: `${server.origin}/mcp`, tokenSource, alsoAt: [serverUrl] });
      expect(createBeside).toThrow(expect.objectContaining({ code: 'insecure_endpoint' }));
    },
  );
});

describe('A static token source (RFC 6750 §2.1)', () => {
  it('gives its token always (CLI-17)', async () => {
    const source = new StaticTokenSource(TOKEN);
    await expect(Promise.all([source.token(), source.token()])).resolves.toEqual([TOKEN, TOKEN]);
  });

  it.each(['', 'Bearer abc', 'a b', 'abc\r\nx: y', ' abc', 'abc\n', 'abç'])(
    'refuses %j, and does not repeat it (CLI-17)',
    (token) => {
      const create = () => new StaticTokenSource(token);
      expect(create).toThrow(expect.objectContaining({ code: 'unusable_token' }));
      expect(create).not.toThrow(/abc|abç|a b/);
    },
  );

  it('says of an empty text that its variable may not be set (CLI-17)', () => {
    expect(() => new StaticTokenSource('')).toThrow(/token is empty: make sure that the variable .* is set$/);
  });

  it.each(['1|abc', 'abc==', 'a.b.c', 'x:y'])(
    'takes %j, as there are issuers of such (CLI-17)',
    async (token) => {
      server.at('/mcp', json({}));
      const call = createAuthorizedFetch({
        serverUrl: server.origin,
        tokenSource: new StaticTokenSource(token),
      });
      await call(server.origin);
      expect(tokensOf(server)).toEqual([`Bearer ${token}`]);
    },
  );

  it('is not the only one whose tokens are looked at before they are sent (CLI-13)', async () => {
    const tokenSource = { token: async () => 'secret-a\nsecret-b' };
    const error = await createAuthorizedFetch({ serverUrl: server.origin, tokenSource })(server.origin).catch(
      (cause: unknown) => cause as Error,
    );
    expect(error).toMatchObject({ code: 'unusable_token', message: expect.not.stringContaining('secret') });
    expect(server.requests).toEqual([]);
  });

  it('shows its token to nobody who only looks at it (CLI-17)', () => {
    const source = new StaticTokenSource(TOKEN);
    expect(`${JSON.stringify(source)} ${Object.keys(source).join()}`).not.toContain(TOKEN);
  });
});
