import { afterEach, describe, expect, it } from '@jest/globals';
import { ReleaseFolder } from './release-folder.js';

const ROOT_MANIFEST = {
  name: 'desk',
  version: '1.0.0',
  license: 'UNLICENSED',
  dependencies: { lamp: '1' },
  devDependencies: { saw: '1', preact: '1' },
  optionalDependencies: { rug: '1' },
  peerDependencies: { chair: '1', sofa: '1' },
  peerDependenciesMeta: { sofa: { optional: true } },
};
const build = (name: string, license: unknown, more = {}) => ({ name, version: '1.0.0', license, ...more });

let folder: ReleaseFolder;
afterEach(() => folder.remove());

/** Checks a package with these packages in its `node_modules`, one of which is in its page. */
async function check(files: Readonly<Record<string, object>>, others: Readonly<Record<string, object>> = {}) {
  const manifests = Object.entries({ preact: build('preact', 'MIT'), ...files }).map(([path, manifest]) => [
    `node_modules/${path}/package.json`,
    manifest,
  ]);
  folder = new ReleaseFolder({
    'package.json': ROOT_MANIFEST,
    'cli/package.json': { name: 'desk-cli', dependencies: { hammer: '1' } },
    'node_modules/hammer/package.json': build('hammer', 'MIT'),
    ...Object.fromEntries(manifests),
    ...others,
  });
  return folder.run('check-licenses.js');
}

describe('The check of licenses', () => {
  it('takes what is allowed, and looks at nothing that users do not get (WAY-04)', async () => {
    const { code, stdout, stderr } = await check({
      lamp: build('lamp', '(GPL-3.0-only OR MIT)', { dependencies: { bulb: '1' } }),
      bulb: build('bulb', 'MIT AND ISC'),
      chair: build('chair', { type: 'BSD-2-Clause' }),
      saw: build('saw', 'GPL-3.0-only'),
      sofa: build('sofa', 'GPL-3.0-only'),
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(
      '5 packages are installed with this one, with its command line, or are in its page',
    );
  });

  it('refuses a license of a dependency of the command line (WAY-04)', async () => {
    const { stderr } = await check({ hammer: build('hammer', 'GPL-3.0-only') });
    expect(stderr).toContain('"hammer" 1.0.0 is under "GPL-3.0-only"');
  });

  it('looks at what makes the site, by its lock file (WAY-04)', async () => {
    const files = { lamp: build('lamp', 'MIT'), chair: build('chair', 'MIT') };
    const lock = { packages: { '': {}, 'node_modules/@vue/shared': build('', 'MIT') } };
    const right = await check(files, { 'tools/site/package-lock.json': lock });
    expect([right.code, right.stdout]).toEqual([0, expect.stringContaining('and 1 make its site')]);
    folder.remove();
    const packages = { ...lock.packages, 'node_modules/a/node_modules/glue': build('', 'GPL-3.0-only') };
    const wrong = await check(files, { 'tools/site/package-lock.json': { packages } });
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringContaining('"glue" 1.0.0 is under "GPL-3.0-only"'),
    ]);
  });

  it.each([
    [
      'of a dependency of a dependency',
      { bulb: build('bulb', 'GPL-3.0-only') },
      '"bulb" 1.0.0 is under "GPL-3.0-only"',
    ],
    [
      'that is one of two that hold',
      { bulb: build('bulb', 'MIT AND CC-BY-NC-4.0') },
      '"MIT AND CC-BY-NC-4.0"',
    ],
    ['that is not said', { bulb: build('bulb', undefined) }, '"bulb" 1.0.0 is under ""'],
    [
      'of a copy inside',
      { bulb: build('bulb', 'MIT'), 'lamp/node_modules/bulb': build('bulb', 'SSPL-1.0') },
      'SSPL',
    ],
    [
      'of a package in the page',
      { bulb: build('bulb', 'MIT'), preact: build('preact', 'GPL-3.0-only') },
      '"preact" 1.0.0 is under "GPL-3.0-only"',
    ],
    [
      'of what a package in the page needs',
      {
        bulb: build('bulb', 'MIT'),
        preact: build('preact', 'MIT', { dependencies: { petal: '1' } }),
        petal: build('petal', 'GPL-3.0-only'),
      },
      '"petal" 1.0.0 is under "GPL-3.0-only"',
    ],
    ['of a package that is not there', {}, '"bulb" of "lamp" is not installed: run "npm ci"'],
  ])('refuses a license %s (WAY-04)', async (_, files, reason) => {
    const lamp = build('lamp', 'MIT', { dependencies: { bulb: '1' } });
    const { code, stderr } = await check({ lamp, chair: build('chair', 'ISC'), ...files });
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
  });
});
