import { afterEach, describe, expect, it } from '@jest/globals';
import type { McpOptions } from 'nestjs-mcp';
import { describeSkill, SkillFolder } from '../../../support/applications/skill-folder.js';
import { failToStart } from './fail-to-start.js';

let folder: SkillFolder | undefined;

afterEach(() => folder?.remove());

const LONG = 'x'.repeat(1025);
const yaml = (text: string) => `---\n${text}\n---\nBody`;

describe('A server does not start with a folder of skills', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['that has no frontmatter', '# Refunds', 'it must start with frontmatter'],
    ['whose frontmatter does not end', '---\nname: refunds', 'it must start with frontmatter'],
    ['whose frontmatter is empty', yaml(''), 'its frontmatter must have properties such as "name"'],
    ['without a name', yaml('description: Money'), 'its frontmatter must have "name"'],
    ['without a description', yaml('name: refunds'), 'its frontmatter must have "description"'],
    [
      'with an empty description',
      yaml('name: refunds\ndescription: " "'),
      '"description" must be a string of 1 to 1024',
    ],
    [
      'with a long description',
      yaml(`name: refunds\ndescription: ${LONG}`),
      '"description" must be a string of 1 to 1024',
    ],
    [
      'with a number for a name',
      yaml('name: 7\ndescription: x'),
      '"name" must be a string of 1 to 64 characters',
    ],
    [
      'with a name in capitals',
      yaml('name: Refunds\ndescription: x'),
      'its "name" must consist of lower-case letters',
    ],
    [
      'with a name that ends badly',
      yaml('name: refunds-\ndescription: x'),
      'its "name" must consist of lower-case letters',
    ],
    [
      'with two hyphens in a name',
      yaml('name: re--funds\ndescription: x'),
      'its "name" must consist of lower-case letters',
    ],
    [
      'with another name than its folder',
      yaml('name: returns\ndescription: x'),
      'must match its folder "refunds", but is "returns"',
    ],
    [
      'with a colon in a value without quotes',
      yaml('name: refunds\ndescription: Use when: a customer asks'),
      'at line 2, column 14; put the value in quotes, as in description: "Use when: a customer asks"',
    ],
    [
      'with a value that begins as none may',
      yaml('name: refunds\ndescription: @team handles it'),
      'put the value in quotes',
    ],
    ['with broken YAML', yaml('name: [refunds\ndescription: x'), 'its frontmatter is not YAML'],
    [
      'that says a member twice',
      yaml('name: refunds\nname: refunds\ndescription: x'),
      'its frontmatter is not YAML',
    ],
    [
      'with a tag of another language',
      yaml('name: !!js/function x\ndescription: x'),
      'its frontmatter is not YAML',
    ],
    [
      'with a number that JSON cannot represent',
      yaml('name: refunds\ndescription: x\nmetadata: { a: .inf }'),
      'which JSON cannot represent',
    ],
    [
      'with metadata that has no members',
      yaml('name: refunds\ndescription: x\nmetadata: 3'),
      'its "metadata" must be an object',
    ],
    ['that is no text', Buffer.from([0x2d, 0x2d, 0x2d, 0xff]), 'its SKILL.md must be UTF-8 text'],
  ])('with a skill %s (XTN-01) (MOD-11)', async (_case, content, reason) => {
    folder = new SkillFolder({ 'refunds/SKILL.md': content });
    const failure = await failToStart({ skills: { directory: folder.path } });
    expect(failure.name).toBe('SkillError');
    expect(failure.message).toContain(`The skill at "${folder.at('refunds')}" cannot be served: `);
    expect(failure.message).toContain(reason);
  });

  it('that is not there (XTN-01) (MOD-11)', async () => {
    folder = new SkillFolder();
    const failure = await failToStart({ skills: { directory: folder.at('nothing') } });
    expect(failure.message).toBe(
      `The skill at "${folder.at('nothing')}" cannot be served: there is no such folder: "${folder.at('nothing')}"`,
    );
  });

  it('that is a file (XTN-01) (MOD-11)', async () => {
    folder = new SkillFolder({ file: '' });
    const failure = await failToStart({ skills: { directory: folder.at('file') } });
    expect(failure.message).toContain('there is no such folder');
  });

  it('in which a skill has more files or bytes than hosts take (XTN-01) (MOD-11)', async () => {
    folder = new SkillFolder({ 'many/SKILL.md': describeSkill('many') });
    for (let file = 0; file < 512; file += 1) folder.write(`many/${file}.md`, '');
    const many = await failToStart({ skills: { directory: folder.path } });
    expect(many.message).toContain('it has 513 files, but hosts accept at most 512');
    folder.removeFile('many');
    folder.write('large/SKILL.md', describeSkill('large'));
    folder.write('large/file.bin', Buffer.alloc(16 * 1_048_576));
    const large = await failToStart({ skills: { directory: folder.path } });
    expect(large.message).toContain('bytes, but hosts accept at most 16777216');
  });

  it('if there are more skills than it may have (XTN-01) (MOD-11)', async () => {
    folder = new SkillFolder({ 'a/SKILL.md': describeSkill('a'), 'b/SKILL.md': describeSkill('b') });
    const failure = await failToStart({ skills: { directory: folder.path, maxSkills: 1 } });
    expect(failure.message).toContain('raise "skills.maxSkills"');
  });

  it('that another one has already, or if both have a skill of one URI (XTN-01) (MOD-11)', async () => {
    folder = new SkillFolder({
      'one/refunds/SKILL.md': describeSkill('refunds'),
      'two/refunds/SKILL.md': describeSkill('refunds'),
    });
    const failure = await failToStart({ skills: { directory: [folder.at('one'), folder.at('two')] } });
    expect(failure.message).toBe(
      `The skill at "${folder.at('two/refunds')}" cannot be served: its URI "skill://refunds/SKILL.md" is already used by ` +
        `the skill at "${folder.at('one/refunds')}": rename one of them, or set a "prefix"`,
    );
  });

  it('whose skills lie in those of another (XTN-01) (MOD-11)', async () => {
    folder = new SkillFolder({
      'one/shop/SKILL.md': describeSkill('shop'),
      'two/refunds/SKILL.md': describeSkill('refunds'),
    });
    const directory = [folder.at('one'), { path: folder.at('two'), prefix: 'shop' }];
    const failure = await failToStart({ skills: { directory } });
    expect(failure.message).toContain('overlap: give one of them a different "prefix"');
  });

  it.each<[string, unknown, string]>([
    ['a misspelt option', { folder: 'skills' }, '"skills.folder"'],
    ['an empty path', { directory: '' }, '"skills.directory"'],
    ['no folders', { directory: [] }, '"skills.directory" must not be empty'],
    ['a prefix that leads out', { directory: { path: 'x', prefix: '../x' } }, '"skills.directory.prefix"'],
    [
      'a prefix with a slash behind it',
      { directory: [{ path: 'x', prefix: 'x/' }] },
      '"skills.directory[0].prefix"',
    ],
    [
      'a scope that is no list',
      { directory: { path: 'x', requiredScopes: 'x' } },
      '"skills.directory.requiredScopes"',
    ],
    ['true', true, '"skills" must be an object'],
  ])('that is given by %s (MOD-11)', async (_case, skills, text) => {
    const failure = await failToStart({ skills: skills as NonNullable<McpOptions['skills']> });
    expect(failure.message).toContain(text);
  });

  it('if resources are switched off (XTN-01) (MOD-11)', async () => {
    const failure = await failToStart({ skills: {}, capabilities: { resources: false } });
    expect(failure.message).toContain('"capabilities.resources" must be enabled to serve skills');
  });
});
