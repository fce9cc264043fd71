import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SkillUnverifiedError, type Skill } from 'nestjs-mcp/client-module';
import { describeSkill, SkillFolder } from '../../support/applications/skill-folder.js';
import { until } from '../../support/until.js';
import { RecordedFetch } from './recorded-fetch.js';
import { bootCustomer, bootShop, WIRES, type Customer, type RunningShop } from './shop.app.js';

const LOGO = Buffer.from('89504e470d0a1a0a00ff', 'hex');

const folder = new SkillFolder({
  'refunds/SKILL.md': describeSkill('refunds'),
  'refunds/references/fees & more.md': 'ten',
  'refunds/logo.png': LOGO,
  'acme/tickets/SKILL.md': describeSkill('tickets'),
});

afterAll(() => folder.remove());

describe.each(WIRES)('Skills that an injected client reads, with %j', (negotiation) => {
  let server: RunningShop;
  let customer: Customer;
  let requests: RecordedFetch;

  beforeAll(async () => {
    server = await bootShop({ skills: { directory: folder.path }, pageSize: 1 });
  });

  beforeEach(async () => {
    requests = new RecordedFetch();
    customer = await bootCustomer({ url: server.url, negotiation, fetch: requests.fetch });
  });

  afterEach(() => customer.app.close());

  afterAll(() => server.close());

  const find = async (name: string): Promise<Skill> => {
    const skill = (await customer.client.skills.list()).find(({ frontmatter }) => frontmatter.name === name);
    if (skill === undefined) throw new Error(`There is no skill "${name}"`);
    return skill;
  };

  it('are listed over all pages, and nothing of them is fetched (XTN-01)', async () => {
    const skills = await customer.client.skills.list();
    expect(skills.map(({ uri }) => uri)).toEqual([
      'skill://acme/tickets/SKILL.md',
      'skill://refunds/SKILL.md',
    ]);
    expect([
      requests.count('skills/list'),
      requests.count('resources/read'),
      requests.count('skills/get'),
    ]).toEqual([2, 0, 0]);
  });

  it('are loaded, with their files by paths, each with one request (XTN-01)', async () => {
    const { skills } = customer.client;
    const skill = await find('refunds');
    const { text, isVerified, mimeType } = await skills.load(skill);
    expect([text, isVerified, mimeType]).toEqual([describeSkill('refunds'), true, 'text/markdown']);
    expect((await skills.read(skill, 'references/fees & more.md')).text).toBe('ten');
    const logo = await skills.read(skill, './logo.png');
    expect([Buffer.from(logo.bytes), logo.text]).toEqual([LOGO, undefined]);
    expect(requests.count('resources/read')).toBe(3);
  });

  it.each([
    'nothing.md',
    '../acme/tickets/SKILL.md',
    'skill://acme/tickets/SKILL.md',
    '/etc/passwd',
    'a/../logo.png',
  ])('have no file %j that is not listed, and nobody is asked for it (XTN-01)', async (path) => {
    const skill = await find('refunds');
    await expect(async () => customer.client.skills.read(skill, path)).rejects.toMatchObject({
      name: 'SkillUnverifiedError',
      code: 'skill_unverified',
      problem: 'unlisted',
    });
    expect(requests.count('resources/read')).toBe(0);
  });

  it('are got by their URIs, and their folders are read page by page (XTN-01)', async () => {
    const { skills } = customer.client;
    expect(await skills.get('skill://refunds/SKILL.md')).toEqual(await find('refunds'));
    await expect(skills.get('skill://absent/SKILL.md')).rejects.toMatchObject({ code: -32602 });
    const children = await skills.readDirectory('skill://refunds');
    expect(children.map(({ name, mimeType }) => [name, mimeType])).toEqual([
      ['refunds', 'text/markdown'],
      ['logo.png', 'image/png'],
      ['references', 'inode/directory'],
    ]);
  });

  it('are refused if they have changed, until they are got again (XTN-01)', async () => {
    const { skills } = customer.client;
    const before = await find('refunds');
    folder.write('refunds/references/fees & more.md', 'two');
    const path = 'references/fees & more.md';
    await until(
      () =>
        skills.read(before, path).then(
          () => false,
          (error: unknown) => error instanceof SkillUnverifiedError && error.problem === 'digest',
        ),
      'the refusal',
    );
    await until(async () => {
      const now = await skills.get(before.uri);
      return skills.read(now, path).then(
        ({ text }) => text === 'two',
        () => false,
      );
    }, 'the fresh skill');
    expect(await skills.get(before.uri)).not.toEqual(before);
    folder.write('refunds/references/fees & more.md', 'ten');
  });
});

describe.each(WIRES)('A server without skills, with %j', (negotiation) => {
  it('is not asked for any (XTN-01)', async () => {
    const server = await bootShop();
    const requests = new RecordedFetch();
    const customer = await bootCustomer({ url: server.url, negotiation, fetch: requests.fetch });
    await expect(customer.client.skills.list()).rejects.toMatchObject({ code: 'skills_unsupported' });
    expect(requests.count('skills/list')).toBe(0);
    await customer.app.close();
    await server.close();
  });
});
