import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { utimesSync } from 'node:fs';
import type { RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { describeSkill, SkillFolder } from '../../../support/applications/skill-folder.js';
import { entriesOf } from '../../../support/clients/entries.js';
import type { EventStream } from '../../../support/clients/event-stream.js';
import type { JsonObject } from '../../../support/clients/message.js';
import { initialize, perRequest } from '../../../support/clients/json-rpc.js';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import { until } from '../../../support/until.js';

const SKILL = 'skill://refunds/SKILL.md';
const FEES = 'skill://refunds/fees.md';
const TERMS = 'skill://refunds/a%20b/terms.md';

let folder: SkillFolder;
let server: RunningApp;
let log: RecordedLog;

beforeEach(() => {
  log = new RecordedLog();
  folder = new SkillFolder({
    'refunds/SKILL.md': describeSkill('refunds'),
    'refunds/fees.md': 'ten',
    'refunds/a b/terms.md': 'terms',
  });
});

afterEach(async () => {
  await server.close();
  folder.remove();
});

const boot = async (watch: boolean) => {
  server = await bootServer({
    options: { skills: { directory: folder.path, watch } },
    nest: { logger: log },
  });
};

const ask = (method: string, params = {}) => perRequest(server.url).request(method, params);
const listSkills = async () =>
  entriesOf((await ask('skills/list')).result, 'skills').map(({ uri }) => String(uri));
const getFiles = async () => {
  const { result, error } = await ask('skills/get', { uri: SKILL });
  return error?.code ?? entriesOf(result?.['skill'] as JsonObject, 'resources').map(({ uri }) => uri);
};

describe('A client that subscribes to files of a skill', () => {
  let stream: EventStream;

  const subscribe = async (isListed: boolean) => {
    await boot(true);
    if (isListed) await getFiles();
    const session = await initialize(server.url);
    for (const uri of [SKILL, FEES, TERMS]) await session.start('resources/subscribe', { uri }).result();
    stream = await session.openStream();
  };

  const told = () =>
    stream.messages
      .filter(({ method }) => method === 'notifications/resources/updated')
      .map(({ params }) => params?.['uri']);

  const isTold = (uri: string) => until(() => told().includes(uri), `that ${uri} has changed`);

  it.each([true, false])(
    'is told of those that have changed, with digests that it knows: %s (XTN-01) (NOTE-04)',
    async (isListed) => {
      await subscribe(isListed);
      folder.write('refunds/fees.md', 'eleven');
      await isTold(FEES);
      expect(told()).not.toContain(TERMS);
      folder.write('refunds/a b/terms.md', 'other terms');
      await isTold(TERMS);
      expect(new Set(told())).toEqual(new Set([FEES, TERMS]));
    },
  );

  it('is told of one that is gone (XTN-01) (NOTE-04)', async () => {
    await subscribe(true);
    folder.removeFile('refunds/fees.md');
    await isTold(FEES);
    expect(await getFiles()).toEqual([SKILL, TERMS]);
    expect(new Set(told())).toEqual(new Set([FEES]));
  });

  it('is not told of one that was written and is the same, if its digest is known (XTN-01)', async () => {
    await subscribe(true);
    utimesSync(folder.at('refunds/fees.md'), 1000, 1000);
    folder.write('refunds/a b/terms.md', 'other terms');
    await isTold(TERMS);
    expect(new Set(told())).toEqual(new Set([TERMS]));
  });

  it('is told of one that was written and may be the same, if nobody knows (XTN-01)', async () => {
    await subscribe(false);
    utimesSync(folder.at('refunds/fees.md'), 1000, 1000);
    await isTold(FEES);
    expect(new Set(told())).toEqual(new Set([FEES]));
  });
});

describe('The log of a folder of skills', () => {
  const warnings = () => log.find('warn', `The skill at "${folder.at('refunds')}" cannot be served`);

  it('says once why a skill stays as it was, and again if that is mended meanwhile (XTN-01)', async () => {
    await boot(true);
    folder.write('refunds/SKILL.md', 'no frontmatter');
    await until(() => warnings().length === 1, 'the first warning');
    expect(warnings()[0]).toContain(' (the previous version stays in use)');
    folder.write('invoices/SKILL.md', describeSkill('invoices'));
    await until(async () => (await listSkills()).length === 2, 'the other skill');
    expect(warnings()).toHaveLength(1);
    folder.write('refunds/SKILL.md', describeSkill('other'));
    await until(() => warnings().length === 2, 'the other reason');
    folder.write('refunds/SKILL.md', describeSkill('refunds', 'mended'));
    await until(async () => {
      const { result } = await ask('skills/get', { uri: SKILL });
      return JSON.stringify(result).includes('mended');
    }, 'the mended skill');
    folder.write('refunds/SKILL.md', describeSkill('other'));
    await until(() => warnings().length === 3, 'the same reason again');
  });

  it('says of a skill that is added and cannot be served why, and serves it once it can be (XTN-01)', async () => {
    await boot(true);
    folder.write('invoices/SKILL.md', 'no frontmatter');
    await until(() => log.findWarnings('it must start with frontmatter').length > 0, 'the warning');
    expect(await listSkills()).toEqual([SKILL]);
    folder.write('invoices/SKILL.md', describeSkill('invoices'));
    await until(async () => (await listSkills()).length === 2, 'the other skill');
  });
});

describe('A folder of skills beside another one', () => {
  it('is served as it is now while the other one is away (XTN-01)', async () => {
    const other = new SkillFolder({ 'invoices/SKILL.md': describeSkill('invoices') });
    const directory = [folder.path, other.path];
    server = await bootServer({ options: { skills: { directory, watch: true } }, nest: { logger: log } });
    other.remove();
    await until(() => log.findWarnings(`"${other.path}" cannot be read`).length > 0, 'the warning');
    folder.write('tickets/SKILL.md', describeSkill('tickets'));
    await until(async () => (await listSkills()).includes('skill://tickets/SKILL.md'), 'the new skill');
    expect(log.findWarnings(`"${folder.path}" cannot be read`)).toEqual([]);
  });
});

describe('A skill whose folder is not watched', () => {
  beforeEach(() => boot(false));

  it('is given as it is now, if it has changed before anybody asked for it (XTN-01)', async () => {
    folder.removeFile('refunds/fees.md');
    expect(await getFiles()).toEqual([SKILL, TERMS]);
    expect((await ask('resources/read', { uri: FEES })).error?.code).toBe(-32602);
  });

  it('is listed as it is now a moment later, if it has changed before anybody listed it (XTN-01)', async () => {
    folder.removeFile('refunds/fees.md');
    await until(async () => (await listSkills()).length === 1, 'the skill without the file');
    expect(await getFiles()).toEqual([SKILL, TERMS]);
  });

  it('is none, if its folder has gone before anybody asked for it (XTN-01)', async () => {
    folder.removeFile('refunds');
    expect(await getFiles()).toBe(-32602);
    expect(await listSkills()).toEqual([]);
  });

  it('cannot be given while its files cannot be read and nothing else can be served (XTN-01)', async () => {
    folder.removeFile('refunds/fees.md');
    folder.write('refunds/SKILL.md', 'no frontmatter');
    expect(await getFiles()).toBe(-32603);
    expect(await listSkills()).toEqual([]);
    expect(
      log.find('error', `The skill "${SKILL}" is not listed, because its files cannot be read`),
    ).toHaveLength(1);
  });

  it('has files that are added later once somebody misses them (XTN-01)', async () => {
    folder.write('refunds/new.md', 'new');
    expect(await getFiles()).toEqual([SKILL, TERMS, FEES]);
    folder.write('refunds/fees.md', 'eleven');
    expect((await ask('resources/read', { uri: FEES })).result).toBeDefined();
    await until(async () => (await listSkills()).length === 1, 'the list');
    await until(async () => ((await getFiles()) as unknown[]).length === 4, 'the new file');
  });
});
