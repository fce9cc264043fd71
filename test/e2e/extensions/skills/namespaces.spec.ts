import { afterEach, describe, expect, it } from '@jest/globals';
import type { McpOptions } from 'nestjs-mcp';
import type { RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { describeSkill, SkillFolder } from '../../../support/applications/skill-folder.js';
import { entriesOf } from '../../../support/clients/entries.js';
import { perRequest } from '../../../support/clients/json-rpc.js';
import { until } from '../../../support/until.js';
import { failToStart } from './fail-to-start.js';

let folder: SkillFolder;
let server: RunningApp | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
  folder.remove();
});

const ask = (method: string, params = {}) => perRequest(server?.url ?? '').request(method, params);

const list = async () =>
  entriesOf((await ask('skills/list')).result, 'skills').map(({ uri }) =>
    String(uri).slice('skill://'.length),
  );

const read = async (path: string) => {
  const { result, error } = await ask('resources/read', { uri: `skill://${path}` });
  return error?.code ?? entriesOf(result, 'contents')[0]?.['text'];
};

const children = async (path: string) => {
  const { result, error } = await ask('resources/directory/read', { uri: `skill://${path}` });
  return error?.code ?? entriesOf(result, 'resources').map(({ name }) => name);
};

const boot = async (skills: NonNullable<McpOptions['skills']>) => {
  server = await bootServer({ options: { skills } });
};

describe('The URIs of skills', () => {
  it('begin at a folder that is a skill itself, for all skills in it (XTN-01)', async () => {
    folder = new SkillFolder(
      {
        'SKILL.md': describeSkill('shop'),
        'a b/prices/SKILL.md': describeSkill('prices'),
        'a b/prices/eu.md': 'EU',
      },
      'shop',
    );
    await boot({ directory: folder.path });
    expect(await list()).toEqual(['shop/SKILL.md', 'shop/a%20b/prices/SKILL.md']);
    await server?.close();
    await boot({ directory: { path: folder.path, prefix: 'acme/billing' } });
    expect(await list()).toEqual(['acme/billing/shop/SKILL.md', 'acme/billing/shop/a%20b/prices/SKILL.md']);
    expect(await read('acme/billing/shop/a%20b/prices/eu.md')).toBe('EU');
    expect(await children('acme')).toEqual(['billing']);
    expect(await children('acme/billing/shop')).toEqual(['shop', 'a b']);
  });

  it('may lie in one another in a folder, each with its own files, and begin alike (XTN-01)', async () => {
    folder = new SkillFolder({
      'a/SKILL.md': describeSkill('a'),
      'a/b/c/SKILL.md': describeSkill('c'),
      'a/b/c/d/e/SKILL.md': describeSkill('e'),
      'a/b/c/d/e/f.md': 'f',
      'a-b/SKILL.md': describeSkill('a-b'),
    });
    await boot({ directory: folder.path });
    expect(await list()).toEqual(['a/SKILL.md', 'a/b/c/SKILL.md', 'a/b/c/d/e/SKILL.md', 'a-b/SKILL.md']);
    for (const path of ['a', 'a/b', 'a/b/c', 'a/b/c/d']) expect(await children(path)).not.toBe(-32602);
    expect([await children('a/b/c/d/e'), await children('a/b/c/d')]).toEqual([['e', 'f.md'], ['e']]);
    expect([await read('a/b/c/d/e/f.md'), await read('a/f.md')]).toEqual(['f', -32602]);
  });

  it('change as skills are added and removed, also where one lies in another (XTN-01)', async () => {
    folder = new SkillFolder({ 'a/SKILL.md': describeSkill('a'), 'a/b/c/SKILL.md': describeSkill('c') });
    await boot({ directory: folder.path, watch: true });
    expect(await list()).toEqual(['a/SKILL.md', 'a/b/c/SKILL.md']);
    folder.write('a/b/c/d/e/SKILL.md', describeSkill('e'));
    await until(async () => (await list()).length === 3, 'the innermost skill');
    expect(await read('a/b/c/d/e/SKILL.md')).toBe(describeSkill('e'));
    folder.removeFile('a/SKILL.md');
    await until(async () => (await list()).length === 2, 'the outermost skill to go');
    expect(await children('a')).toEqual(['b']);
    expect([await read('a/SKILL.md'), await read('a/b/c/SKILL.md')]).toEqual([-32602, describeSkill('c')]);
    folder.write('SKILL.md', 'no frontmatter yet');
    folder.write('z/SKILL.md', describeSkill('z'));
    await until(async () => (await list()).includes('z/SKILL.md'), 'another skill');
    expect((await list()).toSorted()).toEqual(['a/b/c/SKILL.md', 'a/b/c/d/e/SKILL.md', 'z/SKILL.md']);
    folder.removeFile('z');
    folder.write('SKILL.md', describeSkill('skills'));
    const inner = ['skills/a/b/c/SKILL.md', 'skills/a/b/c/d/e/SKILL.md'];
    await until(async () => (await list()).includes('skills/SKILL.md'), 'a skill around them');
    expect((await list()).toSorted()).toEqual(['skills/SKILL.md', ...inner]);
    expect([await read('a/b/c/SKILL.md'), await read(inner[0]!)]).toEqual([-32602, describeSkill('c')]);
    folder.write('a/b/c/SKILL.md', describeSkill('c', 'changed'));
    await until(async () => (await read(inner[0]!)) === describeSkill('c', 'changed'), 'the change');
    folder.removeFile('SKILL.md');
    await until(async () => (await list()).length === 2, 'the outer skill to go');
    expect((await list()).toSorted()).toEqual(['a/b/c/SKILL.md', 'a/b/c/d/e/SKILL.md']);
    expect(await children('a/b/c/d/e')).toEqual(['e']);
  });
});

describe('A server whose skills have URIs', () => {
  it('does not start if they lie in those of another folder, whichever is named first (XTN-01) (MOD-11)', async () => {
    folder = new SkillFolder({
      'one/shop/SKILL.md': describeSkill('shop'),
      'two/refunds/SKILL.md': describeSkill('refunds'),
    });
    const [one, two] = [folder.at('one'), { path: folder.at('two'), prefix: 'shop' }];
    for (const directory of [
      [one, two],
      [two, one],
    ]) {
      expect((await failToStart({ skills: { directory } })).message).toContain('overlap');
    }
    await boot({ directory: [one, { ...two, prefix: 'shop-two' }] });
    expect(await list()).toEqual(['shop/SKILL.md', 'shop-two/refunds/SKILL.md']);
  });

  it('may have as many skills as it is allowed, of all folders together (XTN-01)', async () => {
    folder = new SkillFolder({ 'one/a/SKILL.md': describeSkill('a'), 'two/b/SKILL.md': describeSkill('b') });
    const directory = [folder.at('one'), folder.at('two')];
    await boot({ directory, maxSkills: 2 });
    expect(await list()).toEqual(['a/SKILL.md', 'b/SKILL.md']);
    const { message } = await failToStart({ skills: { directory, maxSkills: 1 } });
    expect(message).toContain('the server already has 1 skills: raise "skills.maxSkills"');
  });

  it('takes what every host takes, to the last file and byte (XTN-01)', async () => {
    folder = new SkillFolder({ 'large/SKILL.md': describeSkill('large') });
    const head = Buffer.byteLength(describeSkill('large'));
    folder.write('large/file.bin', Buffer.alloc(16 * 1_048_576 - head));
    for (let file = 0; file < 510; file += 1) folder.write(`large/${file}.md`, '');
    await boot({ directory: folder.path });
    expect(await list()).toEqual(['large/SKILL.md']);
    await server?.close();
    server = undefined;
    folder.write('large/0.md', 'x');
    expect((await failToStart({ skills: { directory: folder.path } })).message).toContain(
      'bytes, but hosts accept at most',
    );
  });

  it('has no folder that is deeper than one that is meant to be served (XTN-01) (FAIR-02)', async () => {
    folder = new SkillFolder({ 'a/SKILL.md': describeSkill('a') });
    folder.write(`a/${'d/'.repeat(15)}f.md`, 'deep');
    await boot({ directory: folder.path });
    expect(await read(`a/${'d/'.repeat(15)}f.md`)).toBe('deep');
    await server?.close();
    server = undefined;
    folder.write(`a/${'d/'.repeat(16)}f.md`, 'deeper');
    const { name, message } = await failToStart({ skills: { directory: folder.path } });
    expect([name, message]).toEqual([
      'SkillError',
      `The skill at "${folder.path}" cannot be served: it has more than 16 nested folders`,
    ]);
  });
});
