import { afterEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import type { RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { describeSkill, SkillFolder } from '../../../support/applications/skill-folder.js';
import { entriesOf } from '../../../support/clients/entries.js';
import { perRequest } from '../../../support/clients/json-rpc.js';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import { failToStart } from './fail-to-start.js';

let folder: SkillFolder | undefined;
let server: RunningApp | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
  folder?.remove();
});

const ask = (method: string, params = {}) => perRequest(server?.url ?? '').request(method, params);
const list = async () =>
  entriesOf((await ask('skills/list')).result, 'skills') as unknown as {
    uri: string;
    resources: { uri: string }[];
  }[];

describe('A folder of skills', () => {
  it('has nothing of what is outside, hidden, no file, or a package (XTN-01)', async () => {
    folder = new SkillFolder({
      'refunds/SKILL.md': describeSkill('refunds'),
      'refunds/.env': 'SECRET=1',
      'refunds/.git/config': 'x',
      'refunds/node_modules/x/SKILL.md': 'x',
      '.hidden/SKILL.md': 'x',
      'shared/terms.md': 'terms',
    });
    writeFileSync(`${folder.outside}/secret.txt`, 'secret');
    symlinkSync(`${folder.outside}/secret.txt`, folder.at('refunds/out.txt'));
    symlinkSync(folder.outside, folder.at('refunds/outer'));
    symlinkSync('/etc', folder.at('refunds/etc'));
    symlinkSync(folder.at('nothing'), folder.at('refunds/dangling.md'));
    symlinkSync(folder.at('refunds'), folder.at('refunds/self'));
    symlinkSync(folder.at('shared'), folder.at('refunds/shared'));
    symlinkSync('../shared/terms.md', folder.at('refunds/terms.md'));
    execFileSync('mkfifo', [folder.at('refunds/pipe.md')]);
    const log = new RecordedLog();
    server = await bootServer({ options: { skills: { directory: folder.path } }, nest: { logger: log } });
    const [skill] = await list();
    expect(skill?.resources.map(({ uri }) => uri)).toEqual([
      'skill://refunds/SKILL.md',
      'skill://refunds/shared/terms.md',
      'skill://refunds/terms.md',
    ]);
    for (const path of [
      'out.txt',
      'outer/secret.txt',
      'etc/passwd',
      '.env',
      'pipe.md',
      'self/SKILL.md',
      '../shared/terms.md',
    ]) {
      const { error } = await ask('resources/read', { uri: `skill://refunds/${path}` });
      expect(error?.code).toBe(-32602);
    }
    const leftOut = log.find('warn', 'The skill folder').join('\n');
    for (const path of ['out.txt', 'outer', 'etc', 'dangling.md', 'self', 'pipe.md'])
      expect(leftOut).toContain(`"refunds/${path}"`);
  });

  it('has no file any more in whose place a link leads out (XTN-01)', async () => {
    folder = new SkillFolder({ 'refunds/SKILL.md': describeSkill('refunds'), 'refunds/a/b.txt': 'b' });
    writeFileSync(`${folder.outside}/b.txt`, 'secret');
    server = await bootServer({ options: { skills: { directory: folder.path, watch: false } } });
    expect((await ask('resources/read', { uri: 'skill://refunds/a/b.txt' })).result).toBeDefined();
    folder.removeFile('refunds/a/b.txt');
    symlinkSync(`${folder.outside}/b.txt`, folder.at('refunds/a/b.txt'));
    expect((await ask('resources/read', { uri: 'skill://refunds/a/b.txt' })).error?.code).toBe(-32602);
    folder.removeFile('refunds/a');
    symlinkSync(folder.outside, folder.at('refunds/a'));
    expect((await ask('resources/read', { uri: 'skill://refunds/a/b.txt' })).error?.code).toBe(-32602);
  });

  it('may be a skill itself, and be reached by a link (XTN-01)', async () => {
    folder = new SkillFolder({ 'SKILL.md': describeSkill('refunds'), 'fees.md': 'ten' }, 'refunds');
    symlinkSync(folder.path, `${folder.outside}/link`);
    server = await bootServer({ options: { skills: { directory: folder.path } } });
    expect((await list()).map(({ uri }) => uri)).toEqual(['skill://refunds/SKILL.md']);
    await server.close();
    const failure = await failToStart({ skills: { directory: `${folder.outside}/link` } });
    expect(failure.message).toContain('must match its folder "link"');
  });

  it('may be empty, and says so: the extension and resources are declared all the same (XTN-01)', async () => {
    folder = new SkillFolder();
    const log = new RecordedLog();
    server = await bootServer({ options: { skills: { directory: folder.path } }, nest: { logger: log } });
    expect(log.text).toContain('contains no skills: a skill is a folder with a SKILL.md');
    const { result } = await ask('server/discover');
    expect(result?.['capabilities']).toMatchObject({
      resources: {},
      extensions: { 'io.modelcontextprotocol/skills': {} },
    });
    expect(await list()).toEqual([]);
  });

  it('warns of two skills of one name (XTN-01)', async () => {
    folder = new SkillFolder({
      'a/refunds/SKILL.md': describeSkill('refunds'),
      'b/refunds/SKILL.md': describeSkill('refunds'),
    });
    const log = new RecordedLog();
    server = await bootServer({ options: { skills: { directory: folder.path } }, nest: { logger: log } });
    expect(
      log.find(
        'warn',
        'The skills "skill://a/refunds/SKILL.md" and "skill://b/refunds/SKILL.md" have the same name',
      ),
    ).toHaveLength(1);
  });

  it('that nobody may read keeps the server from starting (XTN-01) (MOD-11)', async () => {
    if (process.getuid?.() === 0) return;
    folder = new SkillFolder({ 'refunds/SKILL.md': describeSkill('refunds') });
    chmodSync(folder.at('refunds/SKILL.md'), 0);
    const failure = await failToStart({ skills: { directory: folder.path } });
    expect(failure.message).toContain('it cannot be read');
  });
});

describe('A server without skills', () => {
  it('declares none, and has none of the methods (XTN-01)', async () => {
    server = await bootServer();
    const { result } = await ask('server/discover');
    expect(result?.['capabilities']).not.toHaveProperty('extensions');
    for (const method of ['skills/list', 'skills/get', 'resources/directory/read']) {
      expect((await ask(method, { uri: 'skill://a/SKILL.md' })).error?.code).toBe(-32601);
    }
  });
});
