import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ROOT } from '../layer-table.js';
import { ReleaseFolder } from './release-folder.js';

interface Manifest {
  readonly homepage: string;
  readonly repository: { readonly type: string; readonly url: string };
  readonly bugs: { readonly url: string };
  readonly publishConfig: object;
}

const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

const manifest = readManifest(ROOT);
const url = manifest.repository.url.replace(/^git\+|\.git$/g, '');

/** The one place besides `package.json` that knows the placeholder, and nothing else. */
const OF_PLACEHOLDER = 'tools/release/addresses.js';

let folder: ReleaseFolder | undefined;
afterEach(() => folder?.remove());

describe('The addresses of the package', () => {
  it('follow from that of the repository (WAY-04)', () => {
    expect(manifest).toMatchObject({
      homepage: `${url}#readme`,
      repository: { type: 'git', url: `git+${url}.git` },
      bugs: { url: `${url}/issues` },
    });
  });

  it('stand in the packages alone (WAY-04)', () => {
    const files = execFileSync('git', ['grep', '--untracked', '-lF', '-e', url.replace(/^https:\/\//, '')], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const places = files.trim().split('\n');
    expect(places.filter((file) => file !== OF_PLACEHOLDER)).toEqual(['cli/package.json', 'package.json']);
  });

  it('lead to https, and what is published says where it comes from (WAY-04)', () => {
    expect(new URL(url).protocol).toBe('https:');
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
  });

  it('are changed by one command, and nothing else is (WAY-04)', async () => {
    folder = new ReleaseFolder({ 'package.json': { ...manifest }, 'cli/package.json': { name: 'desk-cli' } });
    const { code } = await folder.run('name-repository.js', ['https://github.com/example/desk']);
    expect(code).toBe(0);
    expect(readManifest(folder.path)).toEqual({
      ...manifest,
      homepage: 'https://github.com/example/desk#readme',
      repository: { type: 'git', url: 'git+https://github.com/example/desk.git' },
      bugs: { url: 'https://github.com/example/desk/issues' },
    });
    expect(readManifest(join(folder.path, 'cli'))).toEqual({
      name: 'desk-cli',
      homepage: 'https://github.com/example/desk#readme',
      repository: { type: 'git', url: 'git+https://github.com/example/desk.git', directory: 'cli' },
      bugs: { url: 'https://github.com/example/desk/issues' },
    });
  });

  it.each([[], ['desk'], ['http://github.com/example/desk'], ['https://github.com/example/desk.git']])(
    'are no others than a browser has: %j (WAY-04)',
    async (...args) => {
      folder = new ReleaseFolder({ 'package.json': { ...manifest } });
      const { code, stderr } = await folder.run('name-repository.js', args);
      expect(code).toBe(2);
      expect(stderr).toContain('A URL was expected');
      expect(readManifest(folder.path)).toEqual(manifest);
    },
  );
});
