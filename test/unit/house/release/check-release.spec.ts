import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ReleaseFolder } from './release-folder.js';

const URL_OF_DESK = 'https://github.com/example/desk';
const MANIFEST = {
  version: '1.2.3',
  homepage: `${URL_OF_DESK}#readme`,
  repository: { type: 'git', url: `git+${URL_OF_DESK}.git` },
  bugs: { url: `${URL_OF_DESK}/issues` },
};
const CLI = { ...MANIFEST, name: 'desk-cli', repository: { ...MANIFEST.repository, directory: 'cli' } };
const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2030-01-31\n\n### Added\n';
const WORKFLOW = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'example/desk',
  GITHUB_REF: 'refs/tags/v1.2.3',
};
/** In parts, since it stands in one file alone. */
const PLACEHOLDER = ['https://repository', 'invalid/nestjs-mcp'].join('.');

const folder = new ReleaseFolder({});
const check = (environment: NodeJS.ProcessEnv = WORKFLOW) => folder.run('check-release.js', [], environment);

beforeEach(() => {
  folder.write('package.json', MANIFEST);
  folder.write('cli/package.json', CLI);
  folder.write('CHANGELOG.md', CHANGELOG);
});

afterAll(() => folder.remove());

describe('The check before a release', () => {
  it('lets a version pass that its workflow publishes (WAY-04)', async () => {
    expect(await check()).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each<[string, NodeJS.ProcessEnv]>([
    ['push its tag', { GITHUB_ACTIONS: '' }],
    ['The tag must be "v1.2.3"', { ...WORKFLOW, GITHUB_REF: 'refs/tags/v1.2.4' }],
    ['The tag must be "v1.2.3"', { ...WORKFLOW, GITHUB_REF: 'refs/heads/main' }],
    [
      '"repository" must be "https://github.com/someone/desk"',
      { ...WORKFLOW, GITHUB_REPOSITORY: 'someone/desk' },
    ],
  ])('refuses another place: %s (WAY-04)', async (reason, environment) => {
    const { code, stderr } = await check(environment);
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
  });

  it('refuses a command line of another version (WAY-04)', async () => {
    folder.write('cli/package.json', { ...CLI, version: '1.2.2' });
    const { code, stderr } = await check();
    expect([code, stderr]).toEqual([1, expect.stringContaining('"desk-cli" must have the version')]);
  });

  it('refuses a version of which the changelog does not tell (WAY-04)', async () => {
    folder.write('CHANGELOG.md', CHANGELOG.replace('1.2.3', '1x2x3'));
    const { code, stderr } = await check();
    expect([code, stderr]).toEqual([1, expect.stringContaining('has no heading "## [1.2.3] - <date>"')]);
  });

  it('refuses addresses that lead to several places, and a placeholder (WAY-04)', async () => {
    folder.write('package.json', { ...MANIFEST, bugs: { url: 'https://example.com/bugs' } });
    expect((await check()).stderr).toContain('"bugs" in "package.json" must follow from "repository"');
    folder.write('package.json', { ...MANIFEST, repository: { url: `git+${PLACEHOLDER}.git` } });
    expect((await check()).stderr).toContain('"repository" is a placeholder');
  });

  it('says what would be refused, and goes on, if nothing is published (WAY-04)', async () => {
    const { code, stderr } = await check({ npm_config_dry_run: 'true' });
    expect([code, stderr]).toEqual([0, expect.stringContaining('A release would be refused: A release is')]);
  });
});
