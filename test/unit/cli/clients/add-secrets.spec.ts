import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../../../conformance/find-free-port.js';
import { FixtureEndpoint, type Traits } from '../../../support/fixture-endpoint.js';
import { ClientScene } from './client-fixture.js';

const SECRET = 'secret-of-the-desk';
const NOWHERE = `http://127.0.0.1:${await findFreePort()}/mcp`;
const TOKEN = ['--header', `Authorization: Bearer ${SECRET}`, '--yes'];

describe('"add" and secrets', () => {
  let scene: ClientScene;

  beforeEach(() => {
    scene = new ClientScene();
    scene.write('project/package.json', '{ "name": "@acme/desk" }');
  });

  afterEach(() => scene.end());

  it('has VS Code ask for a token, and takes the question out again', async () => {
    await scene.add('vscode', NOWHERE, ...TOKEN);
    expect(JSON.parse(scene.read('project/.vscode/mcp.json'))).toEqual({
      inputs: [{ type: 'promptString', id: 'desk-token', description: 'desk: token', password: true }],
      servers: {
        desk: { type: 'http', url: NOWHERE, headers: { authorization: 'Bearer ${input:desk-token}' } },
      },
    });
    expect(scene.lines).toContain(
      'The value of "authorization" is not written: VS Code asks for it once, and stores it',
    );
    await scene.remove('vscode', '--yes');
    expect(existsSync(scene.at('project/.vscode/mcp.json'))).toBe(false);
  });

  it('leaves the questions alone that other servers name', async () => {
    const shop =
      '"shop": { "url": "https://shop.example.com", "headers": { "x-key": "${input:shop-x-key}" } }';
    const inputs = '"inputs": [\n    { "id": "shop-x-key", "type": "promptString" } // ours\n  ]';
    scene.write('project/.vscode/mcp.json', `{\n  ${inputs},\n  "servers": {\n    ${shop}\n  }\n}\n`);
    const before = scene.read('project/.vscode/mcp.json');
    await scene.add('vscode', NOWHERE, ...TOKEN);
    expect(scene.read('project/.vscode/mcp.json')).toContain('"desk-token"');
    await scene.remove('vscode', '--yes');
    expect(scene.read('project/.vscode/mcp.json')).toContain('// ours');
    expect(scene.read('project/.vscode/mcp.json').replaceAll(/\s/g, '')).toBe(before.replaceAll(/\s/g, ''));
  });

  it.each([
    ['cursor', 'project/.cursor/mcp.json', '${env:DESK_TOKEN}', 'Cursor'],
    ['claude-code', 'project/.mcp.json', '${DESK_TOKEN}', 'Claude Code'],
    ['gemini', 'project/.gemini/settings.json', '${DESK_TOKEN}', 'Gemini CLI'],
  ])('writes the name of a variable for %s', async (client, file, name, title) => {
    await scene.add(client, NOWHERE, ...TOKEN);
    expect(scene.read(file)).toContain(`"authorization": "Bearer ${name}"`);
    expect(scene.read(file)).not.toContain(SECRET);
    expect(scene.lines).toContain(
      `The value of "authorization" is not written: set it in the environment variable DESK_TOKEN before ${title} starts`,
    );
  });

  it.each([
    ['cursor', 'home/.cursor/mcp.json', '${env:DICE_TOKEN}'],
    ['claude-code', 'home/.claude.json', '${DICE_TOKEN}'],
    ['gemini', 'home/.gemini/settings.json', '${DICE_TOKEN}'],
    ['windsurf', 'home/.codeium/windsurf/mcp_config.json', '${env:DICE_TOKEN}'],
  ])('writes the given variable into the file of the user of %s', async (client, file, name) => {
    scene.environment = { DICE_TOKEN: SECRET };
    expect(await scene.add(client, NOWHERE, '--token-env', 'DICE_TOKEN', '--scope', 'user', '--yes')).toBe(0);
    expect(scene.read(file)).toContain(`"authorization": "Bearer ${name}"`);
    expect(scene.read(file)).not.toContain(SECRET);
  });

  it('takes a header and a variable of a command from the environment', async () => {
    scene.environment = { KEY: SECRET, PLAIN: 'one' };
    await scene.add('cursor', NOWHERE, '--header-env', 'X-Api-Key: KEY', '--yes');
    expect(scene.read('project/.cursor/mcp.json')).toContain('"x-api-key": "${env:KEY}"');
    await scene.add('gemini', '--env', 'PLAIN', '--yes', '--', 'node', 'stdio.js');
    expect(scene.read('project/.gemini/settings.json')).toContain('"PLAIN": "${PLAIN}"');
  });

  it.each(['zed', 'claude-desktop'])('needs a variable to be set whose value %s gets', async (client) => {
    expect(await scene.add(client, NOWHERE, '--token-env', 'NOT_SET', '--yes', '--write-secrets')).toBe(2);
    expect(scene.complaints).toContain('NOT_SET is not set in this terminal: export it first');
  });

  it('needs no value where the client reads the name', async () => {
    const named = ['--token-env', 'NOT_SET', '--header-env', 'X-Api-Key: NOT_SET_EITHER', '--yes'];
    expect(await scene.add('cursor', NOWHERE, ...named)).toBe(0);
    expect(JSON.parse(scene.read('project/.cursor/mcp.json'))).toMatchObject({
      mcpServers: {
        desk: { headers: { authorization: 'Bearer ${env:NOT_SET}', 'x-api-key': '${env:NOT_SET_EITHER}' } },
      },
    });
    expect(await scene.add('vscode', NOWHERE, ...named)).toBe(0);
    expect(await scene.add('gemini', '--env', 'NOT_SET', '--yes', '--', 'node', 'stdio.js')).toBe(0);
    expect(scene.read('project/.gemini/settings.json')).toContain('"NOT_SET": "${NOT_SET}"');
  });

  it.each([
    ['vscode', '+         "authorization": "Bearer ${input:dice-token}"'],
    ['cursor', '+         "authorization": "Bearer ${env:DICE_TOKEN}"'],
    ['claude-code', '+         "authorization": "Bearer ${DICE_TOKEN}"'],
  ])('shows what it writes for %s, as far as it is no secret', async (client, line) => {
    scene.environment = { DICE_TOKEN: SECRET };
    await scene.add(client, NOWHERE, '--token-env', 'DICE_TOKEN', '--dry-run');
    expect(scene.printed[0]?.split('\n')).toContain(line);
  });

  it.each([
    ['--token-env', SECRET],
    ['--header-env', `Authorization: Bearer ${SECRET}`],
  ])('shows no secret that %s is given instead of a name', async (option, given) => {
    expect(await scene.add('cursor', NOWHERE, option, given, '--yes')).toBe(2);
    expect(scene.lines.join()).not.toContain(SECRET);
  });

  it('has the whole header in the variable of --header-env', async () => {
    scene.environment = { AUTH: `Bearer ${SECRET}` };
    const whole = ['--header-env', 'Authorization: AUTH', '--yes'];
    await scene.add('cursor', NOWHERE, ...whole);
    expect(scene.read('project/.cursor/mcp.json')).toContain('"authorization": "${env:AUTH}"');
    await scene.add('vscode', NOWHERE, ...whole);
    expect(scene.read('project/.vscode/mcp.json')).toContain('"description": "desk: authorization"');
  });

  it('refuses a variable that is no header', async () => {
    scene.environment = { KEY: `${SECRET}\nX-Admin: 1` };
    expect(await scene.add('cursor', NOWHERE, '--header-env', 'X-Api-Key: KEY', '--yes')).toBe(2);
    expect(scene.lines.join()).toContain(
      'The variable named by "--header-env" must contain one line of ASCII',
    );
    expect(scene.lines.join()).not.toContain(SECRET);
  });

  it('takes a password for a secret that has a "$" in it', async () => {
    await scene.add('cursor', '--env', 'DB_PASSWORD=p@$sw0rd', '--yes', '--', 'node', 'stdio.js');
    expect(scene.read('project/.cursor/mcp.json')).toContain('"DB_PASSWORD": "${env:DESK_DB_PASSWORD}"');
    expect(scene.lines.join()).not.toContain('p@$sw0rd');
  });

  it('shows nothing that comes from a variable, whatever it is called', async () => {
    scene.environment = { DATABASE_URL: `postgres://desk:${SECRET}@db` };
    const given = ['--env', 'DATABASE_URL', '--write-secrets', '--dry-run', '--', 'node', 'stdio.js'];
    await scene.add('zed', ...given);
    expect(scene.lines.join()).toContain('"DATABASE_URL": "[hidden]"');
    expect(scene.lines.join()).not.toContain(SECRET);
  });

  it('takes the last value of a variable that is given twice', async () => {
    scene.environment = { MODE: 'one' };
    const twice = ['--env', 'MODE', '--env', 'MODE=two', '--env', 'constructor=1'];
    await scene.add('cursor', ...twice, '--yes', '--', 'node', 'stdio.js');
    expect(scene.read('project/.cursor/mcp.json')).toContain('"MODE": "two"');
    expect(scene.read('project/.cursor/mcp.json')).toContain('"constructor": "1"');
  });

  it.each(['zed', 'claude-desktop'])('writes no secret for %s unless that is allowed', async (client) => {
    expect(await scene.add(client, NOWHERE, ...TOKEN)).toBe(2);
    expect(scene.lines.join()).toContain('pass "--write-secrets" to allow that');
    expect(scene.lines.join()).not.toContain(SECRET);
  });

  it('leaves a name alone that it is given, and a header that is no secret', async () => {
    const headers = ['--header', 'X-Key: ${env:KEY}', '--header', 'X-Tenant: acme'];
    await scene.add('cursor', NOWHERE, '--yes', ...headers);
    expect(scene.read('project/.cursor/mcp.json')).toContain('"x-key": "${env:KEY}"');
    expect(scene.read('project/.cursor/mcp.json')).toContain('"x-tenant": "acme"');
    expect(scene.lines.join()).not.toContain('not written');
  });

  it('warns where a file of the project can have no name', async () => {
    await scene.add('zed', NOWHERE, ...TOKEN, '--write-secrets');
    expect(scene.read('project/.zed/settings.json')).toContain(`Bearer ${SECRET}`);
    expect(scene.lines).toContainEqual(
      expect.stringMatching(/^Warning: .*"authorization".*likely to be committed/),
    );
    await scene.add(
      'zed',
      '--env',
      `API_KEY=${SECRET}`,
      '--name',
      'b',
      '--write-secrets',
      '--yes',
      '--',
      'node',
    );
    expect(scene.lines).toContainEqual(expect.stringMatching(/^Warning: .*"API_KEY"/));
  });

  it.each([
    ['zed', [NOWHERE, ...TOKEN, '--write-secrets'], '"authorization": "Bearer [hidden]"'],
    ['claude-desktop', [NOWHERE, ...TOKEN, '--write-secrets'], '"AUTHORIZATION": "Bearer [hidden]"'],
    [
      'zed',
      ['--yes', '--write-secrets', '--env', `DESK_KEY=${SECRET}`, '--', 'node', 'stdio.js'],
      '"DESK_KEY": "[hidden]"',
    ],
  ])('shows no secret, be it added to %s or removed', async (client, args, shown) => {
    await scene.add(client, ...args);
    await scene.remove(client, '--yes');
    expect(scene.lines.filter((text) => text.includes(shown))).toHaveLength(2);
    expect(scene.lines.join()).not.toContain(SECRET);
  });

  describe('at a server that asks who calls', () => {
    let endpoint: FixtureEndpoint;

    afterEach(() => endpoint.stop());

    const begin = async (traits: Traits) => (endpoint = await FixtureEndpoint.start(traits)).url;
    const fixed: Traits = {
      token: SECRET,
      challenge: () => 'Bearer',
      takeOver: ({ path }, response) => path !== '/mcp' && (response.writeHead(404).end(), true),
    };

    it.each<[string, Traits, string]>([
      ['a login', { token: SECRET }, 'The server requires a login, which Cursor starts when it connects'],
      [
        'a token',
        fixed,
        `The server requires a token, but offers no login: pass the name of the variable that contains the token with "--token-env"`,
      ],
    ])('says that it asks for %s', async (_, traits, found) => {
      await scene.add('cursor', await begin(traits), '--dry-run');
      expect(scene.lines).toContain(found);
    });

    it('warns of a URL at which nothing serves MCP, and sends it no token', async () => {
      let authorization: string | undefined;
      const elsewhere: Traits = {
        takeOver: ({ headers }, response) => {
          authorization = headers.authorization;
          response.writeHead(404).end();
          return true;
        },
      };
      await scene.add('cursor', await begin(elsewhere), '--token-env', 'DICE_TOKEN', '--dry-run');
      expect(scene.lines).toContain(
        'Warning: nothing serves MCP at this URL: check its path, which is often "/mcp"',
      );
      expect(authorization).toBeUndefined();
    });

    it.each<[string, Traits, readonly string[]]>([
      ['asks for nothing', {}, []],
      ['is told who calls', fixed, TOKEN],
      ['lets the caller in by a key', {}, ['--header', 'X-Api-Key: k-1']],
    ])('says nothing of one that %s', async (_, traits, args) => {
      await scene.add('cursor', await begin(traits), '--dry-run', ...args);
      expect(scene.lines.join()).not.toContain('asks for');
    });
  });
});
