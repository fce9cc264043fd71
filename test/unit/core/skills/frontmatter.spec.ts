import { describe, expect, it } from '@jest/globals';
import { formatFrontmatter, parseFrontmatter } from '../../../../lib/core/skills/frontmatter.js';

const HEAD = { name: 'refunds', description: 'x' };
const parse = (yaml: string) => parseFrontmatter(`---\n${yaml}\n---\nBody`);

describe('parseFrontmatter', () => {
  it.each([
    ['ends of lines of Windows', '---\r\nname: refunds\r\ndescription: x\r\n---\r\nBody'],
    ['a mark of byte order', '\uFEFF---\nname: refunds\ndescription: x\n---\n'],
    ['spaces behind the lines', '--- \nname: refunds\ndescription: x\n---\t\nBody'],
    ['no text behind it', '---\nname: refunds\ndescription: x\n---'],
    ['a line in the body that looks like its end', '---\nname: refunds\ndescription: x\n---\na\n---\nb'],
  ])('takes %s (XTN-01)', async (_case, text) => {
    expect(await parseFrontmatter(text)).toEqual(HEAD);
  });

  it('takes what YAML 1.2 says, and nothing of what older versions said (XTN-01)', async () => {
    expect(await parse('a: yes\nb: 0o10\nc: 2024-01-01\nd: ~\ne: "1.0"\nf: [1, true]\n7: x')).toEqual({
      a: 'yes',
      b: 8,
      c: '2024-01-01',
      d: null,
      e: '1.0',
      f: [1, true],
      7: 'x',
    });
  });

  it('gives a member of any name as one of its own (XTN-01)', async () => {
    const parsed = await parse('__proto__: { a: 1 }\nconstructor: x');
    expect(Object.keys(parsed)).toEqual(['__proto__', 'constructor']);
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });

  it.each([
    ['a list', '- a'],
    ['a text', 'refunds'],
    [
      'aliases without end',
      `a: &a [x,x,x,x,x,x,x,x]\n${'bcdefgh'.replaceAll(/./g, (name, at: number) => `${name}: &${name} [${`*${'abcdefg'[at]},`.repeat(8)}]\n`)}`,
    ],
    ['a thousand lists in one another', `a: ${'['.repeat(20_000)}`],
    ['two documents', 'a: 1\n...\n---x'],
  ])('refuses %s (XTN-01)', async (_case, yaml) => {
    await expect(parse(yaml)).rejects.toMatchObject({ name: 'SkillFormatError' });
  });

  it('looks no further than a head may go (XTN-01)', async () => {
    await expect(parse(`a: ${'x'.repeat(70_000)}`)).rejects.toThrow('it must start with frontmatter');
  });
});

describe('formatFrontmatter', () => {
  it.each([
    HEAD,
    { name: 'a', description: '---\n"quoted": yes\n\n# no comment\n' },
    {
      name: 'a',
      description: '  spaces \t',
      metadata: { version: '1.0', no: 'null', empty: '', list: ['- a', '*b', '&c'] },
    },
    {
      name: 'a',
      description: 'x'.repeat(1000),
      license: '\u2028 \u0000 😀',
      'allowed-tools': ['Bash(git:*)'],
      deep: { a: [{ b: null }] },
    },
  ])('writes %j so that it is parsed again as it was (XTN-01)', async (frontmatter) => {
    const text = await formatFrontmatter(frontmatter);
    expect(await parseFrontmatter(`${text}\nBody`)).toEqual(frontmatter);
  });
});
