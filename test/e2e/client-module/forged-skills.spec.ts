import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { McpCatalog, McpExtensions } from 'nestjs-mcp';
import { SkillsUnsupportedError, type Skill } from 'nestjs-mcp/client-module';
import { describeSkill } from '../../support/applications/skill-folder.js';
import { bootCustomer, bootShop, WIRES, type Customer, type RunningShop } from './shop.app.js';

const BODY = describeSkill('refunds');
const digest = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const URI = 'skill://refunds/SKILL.md';
const ENTRY = {
  uri: URI,
  frontmatter: { name: 'refunds', description: 'What refunds is for' },
  resources: [{ uri: URI, digest: digest(BODY), size: Buffer.byteLength(BODY) }],
};

/** Tells of skills what a test wants it to tell. */
@Injectable()
class Forger implements OnModuleInit {
  entries: unknown[] = [ENTRY];
  body = BODY;

  constructor(
    private readonly extensions: McpExtensions,
    private readonly catalog: McpCatalog,
  ) {}

  onModuleInit(): void {
    const content = () => ({ uri: URI, mimeType: 'text/markdown', text: this.body });
    this.catalog.resources.add({ uri: URI, name: 'refunds' }, () => content());
    this.extensions.register({
      id: 'io.modelcontextprotocol/skills',
      published: {},
      methods: [
        { method: 'skills/list', requiresDeclaration: false, handle: () => ({ skills: this.entries }) },
        { method: 'skills/get', requiresDeclaration: false, handle: () => ({ skill: this.entries[0] }) },
      ],
    });
  }
}

describe.each(WIRES)('What an injected client does not take from a server, with %j', (negotiation) => {
  let server: RunningShop;
  let customer: Customer;
  let forger: Forger;

  beforeAll(async () => {
    server = await bootShop({}, [Forger]);
    customer = await bootCustomer({ url: server.url, negotiation });
    forger = server.app.get(Forger);
  });

  beforeEach(() => {
    forger.entries = [ENTRY];
    forger.body = BODY;
  });

  afterAll(async () => {
    await customer.app.close();
    await server.close();
  });

  const first = async (): Promise<Skill> => (await customer.client.skills.list())[0] as Skill;

  it('is nothing of what is in order (XTN-01)', async () => {
    expect((await customer.client.skills.load(await first())).text).toBe(BODY);
  });

  it.each([
    ['other bytes of the same size', BODY.replace('What', 'Whut'), {}, 'digest'],
    ['more bytes', `${BODY} and more`, {}, 'size'],
    [
      'other frontmatter',
      BODY,
      { frontmatter: { ...ENTRY.frontmatter, 'allowed-tools': 'Bash' } },
      'frontmatter',
    ],
    ['another description', BODY, { frontmatter: { ...ENTRY.frontmatter, description: 'x' } }, 'frontmatter'],
    ['more than hosts take', BODY, { resources: [{ ...ENTRY.resources[0], size: 16_777_217 }] }, 'limit'],
  ])('is a skill with %s (XTN-01)', async (_case, body, changes, fault) => {
    forger.body = body;
    forger.entries = [{ ...ENTRY, ...changes }];
    await expect(customer.client.skills.load(await first())).rejects.toMatchObject({
      name: 'SkillUnverifiedError',
      problem: fault,
      uri: URI,
    });
  });

  it('is a dynamic skill whose SKILL.md says something else; another one is taken, and not called verified (XTN-01)', async () => {
    forger.entries = [{ ...ENTRY, resources: 'dynamic' }];
    expect(await customer.client.skills.load(await first())).toMatchObject({ text: BODY, isVerified: false });
    forger.body = describeSkill('refunds', 'other');
    await expect(customer.client.skills.load(await first())).rejects.toMatchObject({
      problem: 'frontmatter',
    });
  });

  it.each([
    ['no resources', { ...ENTRY, resources: undefined }],
    ['resources that are no list', { ...ENTRY, resources: {} }],
    ['no SKILL.md', { ...ENTRY, resources: [] }],
    ['a file twice', { ...ENTRY, resources: [...ENTRY.resources, ...ENTRY.resources] }],
    [
      'a file elsewhere',
      { ...ENTRY, resources: [...ENTRY.resources, { ...ENTRY.resources[0], uri: 'skill://other/x' }] },
    ],
    [
      'a file on a way out',
      { ...ENTRY, resources: [...ENTRY.resources, { ...ENTRY.resources[0], uri: 'skill://refunds/../x' }] },
    ],
    ['another digest', { ...ENTRY, resources: [{ ...ENTRY.resources[0], digest: 'md5:1' }] }],
    ['no size', { ...ENTRY, resources: [{ ...ENTRY.resources[0], size: -1 }] }],
    ['another name', { ...ENTRY, frontmatter: { ...ENTRY.frontmatter, name: 'returns' } }],
    ['no description', { ...ENTRY, frontmatter: { name: 'refunds' } }],
    ['no URI of a SKILL.md', { ...ENTRY, uri: 'skill://refunds' }],
    ['nothing', null],
  ])('is an entry with %s: it is left out, and not got (XTN-01)', async (_case, entry) => {
    forger.entries = [entry, ENTRY];
    expect(await customer.client.skills.list()).toEqual([ENTRY]);
    await expect(customer.client.skills.get(URI)).rejects.toMatchObject({ problem: 'entry' });
  });

  it('is another skill than it asked for (XTN-01)', async () => {
    await expect(customer.client.skills.get('skill://returns/SKILL.md')).rejects.toMatchObject({
      problem: 'entry',
    });
  });

  it('is a folder of a server that does not say that it has any (XTN-01)', async () => {
    await expect(customer.client.skills.readDirectory('skill://refunds')).rejects.toThrow(
      SkillsUnsupportedError,
    );
  });
});
