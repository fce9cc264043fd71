import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ShopProject, TOOL } from './shop-project.js';

const MANIFEST = { name: 'shop', dependencies: { zod: '^4.3.0', '@rekog/mcp-nest': '^1.9.11' } };
const LOCK = { lockfileVersion: 3, packages: {} };

describe('"migrate", with changes that are not committed', () => {
  let shop: ShopProject;

  beforeEach(() => {
    shop = new ShopProject({ 'package.json': format(MANIFEST), 'package-lock.json': format(LOCK) });
  });

  afterEach(() => shop.end());

  const format = (content: object) => `${JSON.stringify(content, undefined, 2)}\n`;
  const write = (path: string, content: object) => shop.write({ [path]: format(content) });
  const read = (path: string) => shop.read(path);
  const run = (...args: string[]) => shop.migrate(args);

  const REFUSAL =
    'Nothing was written: these files have uncommitted changes: package.json. Commit them, or overwrite them with "--force"';

  it('goes on if "npm install nestjs-mcp" is all that was done', async () => {
    shop.commit();
    // npm sorts what it writes.
    const dependencies = { '@rekog/mcp-nest': '^1.9.11', 'nestjs-mcp': '^1.0.0', zod: '^4.3.0' };
    write('package.json', { ...MANIFEST, dependencies });
    write('package-lock.json', { ...LOCK, packages: { 'node_modules/nestjs-mcp': { version: '1.0.0' } } });
    expect(await run('--yes')).toBe(0);
    expect(read('src/shop.ts')).toContain("from 'nestjs-mcp'");
    expect(JSON.parse(read('package.json'))).toEqual({
      name: 'shop',
      dependencies: { 'nestjs-mcp': '^1.0.0', zod: '^4.3.0' },
    });
  });

  it('goes on if both packages are all that was installed, and staged', async () => {
    shop.commit();
    write('package.json', {
      ...MANIFEST,
      dependencies: { ...MANIFEST.dependencies, 'nestjs-mcp': '^1.0.0' },
      devDependencies: { 'nestjs-mcp-cli': '^1.0.0' },
    });
    shop.git('add', '--all');
    expect(await run('--yes')).toBe(0);
  });

  it.each([
    ['a script', { ...MANIFEST, scripts: { start: 'nest start' } }],
    ['another package', { ...MANIFEST, dependencies: { ...MANIFEST.dependencies, rxjs: '^7.8.0' } }],
    ['another range', { ...MANIFEST, dependencies: { ...MANIFEST.dependencies, zod: '^4.4.0' } }],
  ])('refuses if %s came with it', async (_, { dependencies, ...manifest }) => {
    shop.commit();
    write('package.json', { ...manifest, dependencies: { ...dependencies, 'nestjs-mcp': '^1.0.0' } });
    expect(await run('--yes')).toBe(1);
    expect(shop.complaints).toEqual([REFUSAL]);
    expect(read('src/shop.ts')).toBe(TOOL);
  });

  it('refuses a "package.json" that git does not know', async () => {
    shop.git('init', '--quiet');
    expect(await run('--yes')).toBe(1);
    expect(shop.complaints.at(-1)).toContain('package.json');
  });

  it('refuses before it shows anything', async () => {
    shop.commit();
    write('package.json', { ...MANIFEST, version: '2.0.0' });
    expect(await run()).toBe(1);
    expect(shop.printed).toEqual([]);
    expect(shop.complaints).toEqual([REFUSAL]);
  });

  it('shows the changes all the same with "--dry-run"', async () => {
    shop.commit();
    write('package.json', { ...MANIFEST, version: '2.0.0' });
    expect(await run('--dry-run')).toBe(0);
    expect(shop.printed.join('\n')).toContain('+++ b/package.json');
  });
});
