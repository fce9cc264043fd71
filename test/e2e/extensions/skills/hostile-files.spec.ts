import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
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

const yaml = (text: string) => `---\nname: refunds\ndescription: x\n${text}\n---\nBody`;

/** Each level says the one before ten times. */
const LAUGHS = ['a0: &a0 [x]']
  .concat(
    Array.from({ length: 9 }, (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(10)}]`),
  )
  .join('\n');

describe('A hostile folder of skills', () => {
  it.each([
    ['aliases of aliases', LAUGHS],
    ['a list that is too deep', `metadata: { a: ${'['.repeat(30_000)}${']'.repeat(30_000)} }`],
    ['an alias of what it is in', 'metadata: &a { b: *a }'],
    ['an alias of nothing', 'metadata: *nothing'],
    ['a head without an end', `metadata: ${'x'.repeat(70_000)}`],
  ])('keeps the server from starting by %s, at once (XTN-01) (MOD-11)', async (_what, text) => {
    folder = new SkillFolder({ 'refunds/SKILL.md': yaml(text) });
    const { name, message } = await failToStart({ skills: { directory: folder.path } });
    expect([name, message]).toEqual(['SkillError', expect.stringContaining('frontmatter')]);
  });

  it('says nothing of prototypes by its frontmatter (XTN-01)', async () => {
    folder = new SkillFolder({
      'refunds/SKILL.md': yaml('__proto__: { polluted: true }\nconstructor: x'),
    });
    server = await bootServer({ options: { skills: { directory: folder.path } } });
    const { result } = await perRequest(server.url).request('skills/list');
    expect(entriesOf(result, 'skills')).toHaveLength(1);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('may have names that are no text, no line or no path, which are URIs all the same or are left out (XTN-01)', async () => {
    folder = new SkillFolder({ 'refunds/SKILL.md': describeSkill('refunds') });
    const names = ['a\nb.md', '%2e%2e', 'a\\..\\b.md', 'a?b#c.md', 'e\u0301.md', '\u{1F600}.md', "!'()*~.md"];
    for (const name of names) folder.write(`refunds/${name}`, name);
    writeFileSync(Buffer.concat([Buffer.from(`${folder.at('refunds')}/`), Buffer.from([0xff, 0xfe])]), 'x');
    mkdirSync(folder.at('refunds/SKILL.md.d'));
    const log = new RecordedLog();
    server = await bootServer({ options: { skills: { directory: folder.path } }, nest: { logger: log } });
    const ask = (method: string, params = {}) => perRequest(server?.url ?? '').request(method, params);
    const [skill] = entriesOf((await ask('skills/list')).result, 'skills');
    const uris = entriesOf(skill, 'resources').map(({ uri }) => String(uri));
    expect(uris).toHaveLength(names.length + 1);
    const texts = await Promise.all(
      uris.map(
        async (uri) => entriesOf((await ask('resources/read', { uri })).result, 'contents')[0]?.['text'],
      ),
    );
    expect(new Set(texts.slice(1))).toEqual(new Set(names));
    expect(log.find('warn', 'The skill folder').join('\n')).toContain('skips "refunds/');
    expect(log.text.split('\n').filter((line) => line.startsWith('b.md'))).toEqual([]);
  });

  it.each([
    'skill://refunds/skill.md',
    'skill://refunds/SKILL.md/',
    'skill://refunds/SKILL.md?x',
    'skill://refunds/SKILL.md#x',
    'skill://refunds%2FSKILL.md',
    'skill://user@refunds/SKILL.md',
    'skill://refunds:80/SKILL.md',
    'skill://refunds\\SKILL.md',
    'skill://refunds/SKILL.md%00',
    'skill://refunds/SKILL.md\0',
    'skill://refunds/%ff',
    'skill://refunds/%',
    'skill:///refunds/SKILL.md',
    'skill://refunds/..%2F..%2Fetc%2Fpasswd',
    'skill://refunds/%252e%252e/SKILL.md',
    `skill://${'a/'.repeat(1000)}SKILL.md`,
  ])('has one URI for each file, and not %j (XTN-01)', async (uri) => {
    folder = new SkillFolder({ 'refunds/SKILL.md': describeSkill('refunds') });
    server = await bootServer({ options: { skills: { directory: folder.path } } });
    for (const method of ['resources/read', 'skills/get', 'resources/directory/read']) {
      const { status, error } = await perRequest(server.url).request(method, { uri });
      expect(status).toBeLessThan(500);
      expect(error?.code).toBe(-32602);
    }
  });

  it.each(['SKILL%2Emd', '%53KILL.md', './SKILL.md', 'x/../SKILL.md'])(
    'is the same file in another spelling of its URI: %j (HOST-03)',
    async (spelling) => {
      folder = new SkillFolder({ 'refunds/SKILL.md': describeSkill('refunds') });
      server = await bootServer({ options: { skills: { directory: folder.path } } });
      const uri = `SKILL://refunds/${spelling}`;
      const read = await perRequest(server.url).request('resources/read', { uri });
      expect(read.result?.['contents']).toMatchObject([{ text: expect.stringContaining('name: refunds') }]);
      const got = await perRequest(server.url).request('skills/get', { uri });
      expect(got.result).toMatchObject({ skill: { uri: 'skill://refunds/SKILL.md' } });
    },
  );
});
