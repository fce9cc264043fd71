import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bootServer } from '../../support/applications/server.js';
import { expectValid } from '../../support/card-schemas.js';
import { runCommandLine } from '../../support/programs/command-line.js';

const FILE = fileURLToPath(new URL('../../../.build/test/programs/card-app.js', import.meta.url));
const MANIFEST = {
  name: '@example/desk',
  version: '1.2.3',
  mcpName: 'io.github.example/desk',
  bin: 'dist/stdio.js',
};

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'server-json-'));
  await writeManifest(MANIFEST);
});

afterEach(() => rm(folder, { recursive: true }));

const writeManifest = (manifest: object) => writeFile(join(folder, 'package.json'), JSON.stringify(manifest));

const run = (...args: readonly string[]) => runCommandLine(args, { cwd: folder });

describe('"card"', () => {
  it('prints the card that the application of a file would give (XTN-05)', async () => {
    const { code, stdout } = await run('card', FILE);
    const card: unknown = JSON.parse(stdout);
    expect(code).toBe(0);
    expectValid('card', card);
    expect(card).toMatchObject({
      name: 'com.example.desk/desk',
      remotes: [{ type: 'streamable-http', url: 'https://desk.example.com/mcp' }],
    });
  });

  it('prints the card of one of several servers (XTN-05)', async () => {
    const unnamed = await run('card', `${FILE}#TwoModule`);
    expect([unnamed.code, unnamed.stdout]).toEqual([2, '']);
    expect(unnamed.stderr).toContain('select one with "--server"');
    const { code, stdout } = await run('card', `${FILE}#TwoModule`, '--server', 'staff');
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { name: 'com.example/staff' }]);
  });

  it('prints the card that a running server gives, and says where there is none (XTN-05)', async () => {
    const served = await bootServer();
    try {
      const { code, stdout } = await run('card', served.url);
      expect(code).toBe(0);
      expectValid('card', JSON.parse(stdout));
      const elsewhere = await run('card', served.url.replace('/mcp', '/nowhere'));
      expect([elsewhere.code, elsewhere.stdout]).toEqual([1, '']);
      expect(elsewhere.stderr).toContain('/nowhere/server-card": it responded with 404');
    } finally {
      await served.close();
    }
    const gone = await run('card', served.url);
    expect([gone.code, gone.stdout]).toEqual([4, '']);
    expect(gone.stderr).toContain('refuses connections: start it, or check the host and port of its URL');
  });
});

describe('"server-json"', () => {
  it('prints what the registry takes, and writes nothing (XTN-05)', async () => {
    const { code, stdout } = await run('server-json', FILE);
    expect(code).toBe(0);
    expectValid('serverJson', JSON.parse(stdout));
    await expect(readFile(join(folder, 'server.json'))).rejects.toThrow('ENOENT');
  });

  it('writes the file, finds it as it should be, and out of date later (XTN-05)', async () => {
    expect((await run('server-json', FILE, '--check')).code).toBe(1);
    expect((await run('server-json', FILE, '--write')).code).toBe(0);
    const written = await readFile(join(folder, 'server.json'), 'utf8');
    expectValid('serverJson', JSON.parse(written));
    expect(written.endsWith('}\n')).toBe(true);
    expect(await run('server-json', FILE, '--check')).toMatchObject({ code: 0, stderr: '' });
    await writeManifest({ ...MANIFEST, homepage: 'https://example.com/desk' });
    const late = await run('server-json', FILE, '--check');
    expect(late.code).toBe(1);
    expect(late.stderr).toContain('"server.json" is out of date: it differs in "websiteUrl"');
    expect(await readFile(join(folder, 'server.json'), 'utf8')).toBe(written);
  });

  it('keeps what was written under "_meta" (XTN-05)', async () => {
    const _meta = { 'io.modelcontextprotocol.registry/publisher-provided': { by: 'hand' } };
    await writeFile(join(folder, 'server.json'), JSON.stringify({ _meta }));
    expect((await run('server-json', FILE, '--write')).code).toBe(0);
    expect(JSON.parse(await readFile(join(folder, 'server.json'), 'utf8'))).toMatchObject({ _meta });
    expect((await run('server-json', FILE, '--check')).code).toBe(0);
  });

  it('says all that is missing (XTN-05)', async () => {
    await writeManifest({ name: 'desk', version: '2.0.0' });
    const { code, stdout, stderr } = await run('server-json', FILE);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('"mcpName" is missing in "package.json"');
    expect(stderr).toContain('"serverInfo.version" is "1.2.3"');
  });

  it.each([
    ['no file', [], 'Exactly one file is required'],
    ['both at once', [FILE, '--write', '--check'], '"--write" and "--check" cannot be combined'],
    ['another manifest', [FILE, '--package', 'other.json'], 'There is no "other.json"'],
  ])('ends with 2 for %s (XTN-05)', async (_what, args, reason) => {
    const { code, stderr } = await run('server-json', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
  });

  it('is checked by the doctor with the settings of the application (XTN-05)', async () => {
    const examine = async () => {
      const { stdout } = await run('doctor', '--production', '--json', FILE);
      const findings = JSON.parse(stdout) as readonly { id: string; status: string; found: string }[];
      return findings.find(({ id }) => id === 'server-json');
    };
    expect(await examine()).toBeUndefined();
    await run('server-json', FILE, '--write');
    expect(await examine()).toMatchObject({ status: 'ok' });
    await writeManifest({ ...MANIFEST, homepage: 'https://example.com/desk' });
    expect(await examine()).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('websiteUrl'),
    });
    await writeManifest({ ...MANIFEST, mcpName: 'desk' });
    expect(await examine()).toMatchObject({ status: 'error' });
  });
});
