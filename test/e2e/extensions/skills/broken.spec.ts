import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { ServedSkill } from '../../../../lib/server/extensions/skills/served-skill.js';
import type { RunningApp } from '../../../support/applications/boot.js';
import { Gate } from '../../../support/applications/gate.js';
import { bootServer } from '../../../support/applications/server.js';
import { describeSkill, SkillFolder } from '../../../support/applications/skill-folder.js';
import { entriesOf } from '../../../support/clients/entries.js';
import { perRequest } from '../../../support/clients/json-rpc.js';
import type { JsonObject } from '../../../support/clients/message.js';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import { until } from '../../../support/until.js';
import { getParts } from '../../../support/applications/get-parts.js';

const TIMES = 20;

describe('A skill whose files are not what they were', () => {
  let folder: SkillFolder;
  let server: RunningApp;
  const log = new RecordedLog();

  beforeEach(async () => {
    log.clear();
    folder = new SkillFolder({
      'refunds/SKILL.md': describeSkill('refunds'),
      'refunds/fees.md': 'ten',
      'tickets/SKILL.md': describeSkill('tickets'),
    });
    const skills = { directory: folder.path, watch: false };
    server = await bootServer({ options: { skills }, nest: { logger: log } });
  });

  afterEach(async () => {
    await server.close();
    folder.remove();
  });

  const ask = (method: string, params = {}) => perRequest(server.url).request(method, params);
  const list = async () => entriesOf((await ask('skills/list')).result, 'skills').map(({ uri }) => uri);
  const repeat = async (act: () => Promise<unknown>) => {
    for (let time = 0; time < TIMES; time += 1) await act();
  };

  it('is looked at and logged once, however often it is asked for (XTN-01)', async () => {
    folder.write('refunds/SKILL.md', 'no frontmatter');
    rmSync(folder.at('refunds/fees.md'));
    await repeat(list);
    await repeat(() => ask('skills/get', { uri: 'skill://refunds/SKILL.md' }));
    await repeat(() => ask('resources/read', { uri: 'skill://refunds/fees.md' }));
    await repeat(() => ask('resources/read', { uri: 'skill://refunds/SKILL.md' }));
    expect(await list()).toEqual(['skill://tickets/SKILL.md']);
    expect(log.find('error', 'The skill "skill://refunds/SKILL.md" is not listed')).toHaveLength(1);
    expect(log.find('warn', `The skill at "${folder.at('refunds')}" cannot be served`)).toHaveLength(1);
  });

  it('is looked at once while its folder is away, however often it is asked for (XTN-01)', async () => {
    renameSync(folder.path, `${folder.path}-away`);
    await repeat(list);
    await repeat(() => ask('resources/read', { uri: 'skill://refunds/fees.md' }));
    expect(log.find('warn', 'The skill folder')).toHaveLength(1);
    mkdirSync(folder.path);
  });

  it('is listed again once its files can be read again (XTN-01)', async () => {
    renameSync(folder.path, `${folder.path}-away`);
    expect(await list()).toEqual([]);
    renameSync(`${folder.path}-away`, folder.path);
    await until(async () => (await list()).length === 2, 'both skills', 15_000);
  }, 20_000);

  it('is looked at again after a while, if it has changed again meanwhile (XTN-01)', async () => {
    const uri = 'skill://refunds/fees.md';
    const digest = async () => {
      const { result } = await ask('skills/get', { uri: 'skill://refunds/SKILL.md' });
      const files = entriesOf(result?.['skill'] as JsonObject, 'resources');
      return files.find((file) => file['uri'] === uri)?.['digest'];
    };
    const seen = [await digest()];
    for (const fees of ['eleven', 'twelve']) {
      folder.write('refunds/fees.md', fees);
      await ask('resources/read', { uri });
      await until(async () => !seen.includes(await digest()), fees, 15_000);
      seen.push(await digest());
    }
    expect(new Set(seen).size).toBe(3);
  }, 20_000);
});

/** A skill whose files are read when the test lets them be. */
function makeSlowSkill(gate: Gate): ServedSkill {
  const content = Buffer.from(describeSkill('slow'));
  return new ServedSkill({
    path: 'slow',
    place: 'slow',
    frontmatter: { name: 'slow', description: 'What slow is for' },
    owner: {},
    files: {
      isDynamic: false,
      has: () => true,
      list: () => ['SKILL.md'],
      read: async () => {
        await gate.pass();
        return content;
      },
    },
  });
}

describe('A list of skills that is prepared', () => {
  it('has a skill that comes meanwhile (XTN-01)', async () => {
    const folder = new SkillFolder();
    const skills = { directory: folder.path, watch: true };
    const server = await bootServer({ options: { skills } });
    const list = async (method: string, member: string) =>
      entriesOf((await perRequest(server.url).request(method)).result, member).map(({ uri }) => uri);
    const gate = new Gate();
    getParts(server.app).skills.skillRegistry.add(makeSlowSkill(gate));
    const first = list('skills/list', 'skills');
    await gate.reached();
    folder.write('late/SKILL.md', describeSkill('late'));
    await until(async () => (await list('resources/list', 'resources')).length === 2, 'the late skill');
    gate.open();
    const both = ['skill://slow/SKILL.md', 'skill://late/SKILL.md'];
    expect(await first).toEqual(both);
    expect(await list('skills/list', 'skills')).toEqual(both);
    await server.close();
    folder.remove();
  });
});
