import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import type { McpOptions } from 'nestjs-mcp';
import type { RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { describeSkill, SkillFolder } from '../../../support/applications/skill-folder.js';
import { entriesOf } from '../../../support/clients/entries.js';
import { perRequest } from '../../../support/clients/json-rpc.js';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import { until } from '../../../support/until.js';

let folder: SkillFolder;
let server: RunningApp;
let log: RecordedLog;

afterEach(async () => {
  await server.close();
  folder.remove();
});

async function boot(skills: McpOptions['skills'] = { directory: folder.path }): Promise<void> {
  log = new RecordedLog();
  server = await bootServer({ options: { skills }, nest: { logger: log } });
}

const ask = (method: string, params = {}) => perRequest(server.url).request(method, params);

/** Lists all files of all skills. */
async function listFiles(): Promise<readonly string[]> {
  const skills = entriesOf((await ask('skills/list')).result, 'skills');
  return skills.flatMap((skill) => entriesOf(skill, 'resources').map(({ uri }) => String(uri)));
}

async function read(uri: string): Promise<unknown> {
  const { result, error } = await ask('resources/read', { uri });
  return error?.code ?? entriesOf(result, 'contents')[0]?.['text'];
}

const leftOut = () => log.find('warn', 'The skill folder').join('\n');

describe('A symbolic link in a skill', () => {
  it.each([
    ['a hidden file', { 'env.txt': '.env' }, 'env.txt'],
    ['a hidden folder', { git: '.git' }, 'git/config'],
    ['a file of a hidden folder', { 'config.txt': '.git/config' }, 'config.txt'],
    ['a hidden file below a plain folder', { 'env.txt': 'references/.env' }, 'env.txt'],
    ['a hidden file of another skill', { 'env.txt': '../invoices/.env' }, 'env.txt'],
    ['a hidden file beside the skills', { 'env.txt': '../.env' }, 'env.txt'],
    ['a package', { package: 'node_modules/tool' }, 'package/index.js'],
    ['all packages', { packages: 'node_modules' }, 'packages/tool/index.js'],
    ['a file of a package', { 'tool.js': 'node_modules/tool/index.js' }, 'tool.js'],
    ['packages under a name that some file systems do not tell apart', { all: 'Node_Modules' }, 'all/x.js'],
    ['a link to a hidden file', { 'env.txt': 'link', link: '.env' }, 'env.txt'],
    ['a hidden link to a hidden file', { 'env.txt': '.link', '.link': '.env' }, 'env.txt'],
    ['a hidden file by way of a plain folder', { 'env.txt': 'references/../.env' }, 'env.txt'],
  ])('serves nothing if it leads to %s (XTN-01)', async (_what, links, path) => {
    folder = new SkillFolder({
      '.env': 'SECRET',
      'refunds/SKILL.md': describeSkill('refunds'),
      'refunds/.env': 'SECRET',
      'refunds/.git/config': 'SECRET',
      'refunds/node_modules/tool/index.js': 'SECRET',
      'refunds/Node_Modules/x.js': 'SECRET',
      'refunds/references/.env': 'SECRET',
      'refunds/references/fees.md': 'ten',
      'invoices/.env': 'SECRET',
    });
    for (const [link, target] of Object.entries(links)) symlinkSync(target, folder.at(`refunds/${link}`));
    symlinkSync('references/fees.md', folder.at('refunds/fees.md'));
    symlinkSync('fees.md', folder.at('refunds/fees-again.md'));
    await boot();
    expect(await read(`skill://refunds/${path}`)).toBe(-32602);
    expect(await read('skill://refunds/fees-again.md')).toBe('ten');
    expect(await listFiles()).toEqual([
      'skill://refunds/SKILL.md',
      'skill://refunds/fees-again.md',
      'skill://refunds/fees.md',
      'skill://refunds/references/fees.md',
    ]);
    expect(leftOut()).toContain(`skips "refunds/${Object.keys(links)[0]}"`);
  });

  it('is no skill if it leads to a hidden one (XTN-01)', async () => {
    folder = new SkillFolder({
      '.drafts/invoices/SKILL.md': describeSkill('invoices'),
      'refunds/SKILL.md': describeSkill('refunds'),
    });
    symlinkSync('.drafts/invoices', folder.at('invoices'));
    symlinkSync('.drafts', folder.at('drafts'));
    await boot();
    expect(await listFiles()).toEqual(['skill://refunds/SKILL.md']);
  });

  it('serves nothing if it leads to a folder whose name begins the same (XTN-01)', async () => {
    folder = new SkillFolder({ 'refunds/SKILL.md': describeSkill('refunds'), 'refunds/fees.md': 'ten' });
    for (const ending of ['-private', '2', '.bak']) {
      mkdirSync(`${folder.path}${ending}`);
      writeFileSync(`${folder.path}${ending}/secret.txt`, 'SECRET');
      symlinkSync(`${folder.path}${ending}`, folder.at(`refunds/all${ending}`));
      symlinkSync(`${folder.path}${ending}/secret.txt`, folder.at(`refunds/one${ending}.txt`));
    }
    await boot();
    expect(await listFiles()).toEqual(['skill://refunds/SKILL.md', 'skill://refunds/fees.md']);
    expect(await read('skill://refunds/all-private/secret.txt')).toBe(-32602);
    expect(await read('skill://refunds/one-private.txt')).toBe(-32602);
  });

  it.each([false, true])(
    'serves nothing of a hidden file to which it leads later, with "watch" %s (XTN-01)',
    async (watch) => {
      folder = new SkillFolder({
        'refunds/SKILL.md': describeSkill('refunds'),
        'refunds/.env': 'SECRET',
        'refunds/a/fees.md': 'ten',
      });
      symlinkSync('a/fees.md', folder.at('refunds/fees.md'));
      await boot({ directory: folder.path, watch });
      expect(await read('skill://refunds/fees.md')).toBe('ten');
      symlinkSync('.env', folder.at('refunds/next'));
      renameSync(folder.at('refunds/next'), folder.at('refunds/fees.md'));
      // What it led to before is served until the folder is looked at again.
      const after = watch ? -32602 : 'ten';
      const served: unknown[] = [];
      await until(async () => {
        served.push(await read('skill://refunds/fees.md'));
        return served.at(-1) === after;
      }, 'the answer to be as expected');
      expect(served).not.toContain('SECRET');
      expect((await listFiles()).includes('skill://refunds/fees.md')).toBe(!watch);
    },
  );

  it('may lead to a folder in which Kubernetes mounts a version, and to the next one later (XTN-01)', async () => {
    const version = (name: string, fees: string): void => {
      folder.write(`${name}/SKILL.md`, describeSkill('skills'));
      folder.write(`${name}/fees.md`, fees);
      folder.write(`${name}/.env`, 'SECRET');
      symlinkSync(name, folder.at('..data_tmp'));
      renameSync(folder.at('..data_tmp'), folder.at('..data'));
    };
    folder = new SkillFolder();
    version('..2026_11_28_08_50_00.0123456789', 'ten');
    for (const file of ['SKILL.md', 'fees.md']) symlinkSync(`..data/${file}`, folder.at(file));
    symlinkSync('..data/.env', folder.at('env.txt'));
    await boot();
    expect(await listFiles()).toEqual(['skill://skills/SKILL.md', 'skill://skills/fees.md']);
    expect(await read('skill://skills/fees.md')).toBe('ten');
    version('..2026_11_28_09_00_00.9876543210', 'eleven');
    folder.removeFile('..2026_11_28_08_50_00.0123456789');
    await until(async () => (await read('skill://skills/fees.md')) === 'eleven', 'the next version');
  });
});

describe('A folder that is listed by itself', () => {
  it('takes nothing from one whose name begins with its name (XTN-01)', async () => {
    folder = new SkillFolder({
      'billing/refunds/SKILL.md': describeSkill('refunds'),
      'billing-public/prices/SKILL.md': describeSkill('prices'),
    });
    const inner = { path: folder.at('billing'), prefix: 'acme' };
    await boot({ directory: [{ path: folder.path }, inner] });
    expect((await listFiles()).toSorted()).toEqual([
      'skill://acme/refunds/SKILL.md',
      'skill://billing-public/prices/SKILL.md',
    ]);
  });
});
