import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { McpOptions } from 'nestjs-mcp';
import type { RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { describeSkill, SkillFolder } from '../../../support/applications/skill-folder.js';
import { entriesOf } from '../../../support/clients/entries.js';
import { initialize, perRequest } from '../../../support/clients/json-rpc.js';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import { until } from '../../../support/until.js';

const SKILL = 'skill://refunds/SKILL.md';
const FEES = 'skill://refunds/references/fees.md';

interface SkillEntry {
  readonly frontmatter: { readonly description: string };
  readonly resources: readonly { readonly uri: string; readonly digest: string }[];
}

const digestOfText = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

describe('A folder of skills that changes', () => {
  let folder: SkillFolder;
  let server: RunningApp;
  let log: RecordedLog;

  beforeEach(() => {
    log = new RecordedLog();
    folder = new SkillFolder({
      'refunds/SKILL.md': describeSkill('refunds'),
      'refunds/references/fees.md': 'ten',
    });
  });

  afterEach(async () => {
    await server.close();
    folder.remove();
  });

  async function boot(options: McpOptions['skills'] = {}): Promise<void> {
    const skills = { directory: folder.path, ...options };
    server = await bootServer({ options: { skills }, nest: { logger: log } });
  }

  async function list(): Promise<unknown[]> {
    const { result } = await perRequest(server.url).request('skills/list');
    return entriesOf(result, 'skills').map(({ uri }) => uri);
  }

  async function getSkill(): Promise<SkillEntry | undefined> {
    const { result } = await perRequest(server.url).request('skills/get', { uri: SKILL });
    return result?.['skill'] as SkillEntry | undefined;
  }

  async function digestOf(uri: string): Promise<unknown> {
    return (await getSkill())?.resources.find((resource) => resource.uri === uri)?.digest;
  }

  async function read(uri: string): Promise<unknown> {
    const { result } = await perRequest(server.url).request('resources/read', { uri });
    return entriesOf(result, 'contents')[0]?.['text'];
  }

  it('tells subscribers of the file that changed, and everybody that the list did (XTN-01)', async () => {
    await boot();
    const session = await initialize(server.url);
    await session.request('resources/subscribe', { uri: FEES });
    const stream = await session.openStream();
    const before = await digestOf(FEES);
    folder.write('refunds/references/fees.md', 'eleven');
    const updated = await stream.nextNotification('notifications/resources/updated');
    expect(updated.params).toMatchObject({ uri: FEES });
    await until(
      () => stream.messages.some(({ method }) => method === 'notifications/resources/list_changed'),
      'the list',
    );
    expect(await digestOf(FEES)).not.toBe(before);
    expect(await read(FEES)).toBe('eleven');
    await stream.close();
  });

  it('serves skills and files that are added, and none that are removed (XTN-01)', async () => {
    await boot();
    expect(await list()).toEqual([SKILL]);
    folder.write('invoices/SKILL.md', describeSkill('invoices'));
    await until(async () => (await list()).length === 2, 'the other skill');
    folder.write('invoices/notes.md', 'added');
    await until(
      async () =>
        (await perRequest(server.url).request('resources/read', { uri: 'skill://invoices/notes.md' })).result,
      'the file',
    );
    folder.removeFile('refunds');
    await until(async () => (await list()).length === 1, 'the removal');
    expect(await list()).toEqual(['skill://invoices/SKILL.md']);
    const gone = await perRequest(server.url).request('skills/get', { uri: SKILL });
    expect(gone.error?.code).toBe(-32602);
  });

  it('keeps a skill that cannot be served any more as it was, and says why (XTN-01)', async () => {
    await boot();
    folder.write('refunds/SKILL.md', 'no frontmatter');
    await until(() => log.find('warn', 'The skill at').length > 0, 'the warning');
    expect(log.text).toContain('it must start with frontmatter');
    expect(await list()).toEqual([SKILL]);
    folder.write('refunds/SKILL.md', describeSkill('refunds', 'mended'));
    await until(async () => (await getSkill())?.frontmatter.description === 'mended', 'the mended skill');
    expect(await list()).toEqual([SKILL]);
  });

  it('is served again when it comes back after it was away (XTN-01)', async () => {
    await boot();
    renameSync(folder.path, `${folder.path}-away`);
    await until(() => log.find('warn', 'The skill folder').length > 0, 'the warning');
    renameSync(`${folder.path}-away`, folder.path);
    folder.write('invoices/SKILL.md', describeSkill('invoices'));
    await until(async () => (await list()).length === 2, 'the other skill');
    expect(await list()).toContain('skill://invoices/SKILL.md');
  });

  it('is watched still after its folders were removed and made again (XTN-01)', async () => {
    await boot();
    for (const fees of ['eleven', 'twelve']) {
      folder.removeFile('refunds');
      folder.write('refunds/SKILL.md', describeSkill('refunds'));
      folder.write('refunds/references/fees.md', fees);
      const digest = digestOfText(fees);
      await until(async () => (await digestOf(FEES)) === digest, fees);
    }
    folder.write('refunds/references/fees.md', 'thirteen');
    await until(async () => (await digestOf(FEES)) === digestOfText('thirteen'), 'the last change');
    expect(await read(FEES)).toBe('thirteen');
  });

  it('is watched where a link leads now (XTN-01)', async () => {
    const link = `${folder.outside}/current`;
    symlinkSync(folder.path, link);
    await boot({ directory: link });
    expect(await list()).toEqual([SKILL]);
    const other = `${folder.outside}/other`;
    mkdirSync(`${other}/invoices`, { recursive: true });
    writeFileSync(`${other}/invoices/SKILL.md`, describeSkill('invoices'));
    symlinkSync(other, `${folder.outside}/next`);
    renameSync(`${folder.outside}/next`, link);
    await until(async () => (await list()).includes('skill://invoices/SKILL.md'), 'the other folder');
    expect(await list()).toEqual(['skill://invoices/SKILL.md']);
  });

  it('is not looked at again where it is not watched, until a file is not what was listed (XTN-01)', async () => {
    await boot({ watch: false });
    const before = await digestOf(FEES);
    folder.write('refunds/references/fees.md', 'eleven');
    folder.write('invoices/SKILL.md', describeSkill('invoices'));
    expect(await list()).toEqual([SKILL]);
    expect(await digestOf(FEES)).toBe(before);
    expect(await read(FEES)).toBe('eleven');
    await until(async () => (await digestOf(FEES)) !== before, 'the fresh digest');
  });

  it('has no file that is gone, and lists the skill without it from then on (XTN-01)', async () => {
    await boot({ watch: false });
    rmSync(folder.at('refunds/references/fees.md'));
    expect((await perRequest(server.url).request('resources/read', { uri: FEES })).error?.code).toBe(-32602);
    await until(async () => (await digestOf(SKILL)) !== undefined, 'the skill');
    await until(async () => (await list()).length === 1, 'the list');
    expect(await digestOf(FEES)).toBeUndefined();
  });
});
