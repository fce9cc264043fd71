import { describe, expect, it } from '@jest/globals';
import { readContents } from '../../../../../../lib/server/extensions/skills/providers/build-skill.js';

const FRONTMATTER = { name: 'refunds', description: 'Process refunds' };
const HEAD = '---\nname: refunds\ndescription: Process refunds\n---\n';

const read = async (given: unknown): Promise<Record<string, string>> => {
  const contents = await readContents('Skills.refunds', FRONTMATTER, given);
  return Object.fromEntries([...contents].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]));
};

describe('readContents', () => {
  it('makes a SKILL.md of a text, under the frontmatter (XTN-01)', async () => {
    expect(await read('Do this.')).toEqual({ 'SKILL.md': `${HEAD}\nDo this.` });
    expect(await read('')).toEqual({ 'SKILL.md': `${HEAD}\n` });
    expect(await read({ instructions: 'Do this.' })).toEqual({ 'SKILL.md': `${HEAD}\nDo this.` });
  });

  it('has the files in the order of their paths, texts and bytes, SKILL.md first (XTN-01)', async () => {
    const files = { 'b.md': 'b', 'a/é.md': Buffer.from('é'), 'A.md': 'A', '..a/.b': '', 'a..b': '' };
    const contents = await read({ instructions: '', files });
    expect(Object.entries(contents).slice(1)).toEqual([
      ['..a/.b', ''],
      ['A.md', 'A'],
      ['a..b', ''],
      ['a/é.md', 'é'],
      ['b.md', 'b'],
    ]);
    expect(Object.keys(contents)[0]).toBe('SKILL.md');
  });

  it.each([
    undefined,
    null,
    7,
    {},
    [],
    { instructions: 7 },
    { files: {} },
    { instructions: '', files: null },
    { instructions: '', files: 'a.md' },
  ])('refuses %j, and says what it must be (XTN-01)', async (given) => {
    await expect(read(given)).rejects.toThrow(
      'The skill at "Skills.refunds" cannot be served: it must return its instructions as a string, or { instructions, files }',
    );
  });

  it.each(['---\nname: x\n---\n', '---\r\n', '--- \t\n', '\uFEFF---\n'])(
    'refuses instructions that begin with frontmatter: %j (XTN-01)',
    async (instructions) => {
      await expect(read(instructions)).rejects.toThrow('its instructions begin with frontmatter');
      await expect(read({ instructions })).rejects.toThrow('its instructions begin with frontmatter');
    },
  );

  it.each(['----\n', '---', '--- a\n', '\n---\n', ' ---\n'])(
    'takes instructions that begin with %j (XTN-01)',
    async (instructions) => {
      expect(await read(instructions)).toEqual({ 'SKILL.md': `${HEAD}\n${instructions}` });
    },
  );

  it.each(['', '/a', 'a/', 'a//b', '.', '..', './a', '../a', 'a/./b', 'a/../b', 'a/..', 'a\\b', 'a\0b'])(
    'refuses a file at the path %j (XTN-01)',
    async (path) => {
      await expect(read({ instructions: '', files: { [path]: '' } })).rejects.toThrow(
        `its file ${JSON.stringify(path)} needs a path such as "references/fees.md"`,
      );
    },
  );

  it('refuses another SKILL.md, but none in a folder of it (XTN-01)', async () => {
    await expect(read({ instructions: '', files: { 'SKILL.md': '' } })).rejects.toThrow('remove the file');
    expect(await read({ instructions: '', files: { 'a/SKILL.md': 'a' } })).toMatchObject({
      'a/SKILL.md': 'a',
    });
  });

  it.each([7, null, undefined, {}, ['a'], new ArrayBuffer(1)])(
    'refuses a file that is %p (XTN-01)',
    async (content) => {
      await expect(read({ instructions: '', files: { 'a.md': content } })).rejects.toThrow(
        'its file "a.md" must be a string or bytes',
      );
    },
  );

  it('takes what hosts take, SKILL.md included, and nothing larger (XTN-01)', async () => {
    const number = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.md`, '']));
    expect(Object.keys(await read({ instructions: '', files: number(511) }))).toHaveLength(512);
    await expect(read({ instructions: '', files: number(512) })).rejects.toThrow(
      'it has 513 files, but hosts accept at most 512',
    );
    const most = 16 * 1_048_576;
    const rest = most - Buffer.byteLength(`${HEAD}\n`);
    const files = (bytes: number) => ({ instructions: '', files: { 'a.bin': Buffer.alloc(bytes) } });
    await expect(readContents('a', FRONTMATTER, files(rest))).resolves.toBeDefined();
    await expect(readContents('a', FRONTMATTER, files(rest + 1))).rejects.toThrow(
      `its files have ${most + 1} bytes, but hosts accept at most ${most}`,
    );
  });
});
