import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '../../support/applications/boot.js';
import { createHiddenDesk, Flags } from '../../support/applications/hidden-desk.js';
import { bootDesk, CALLERS, WAYS, type Caller } from '../../support/applications/protected-desk.js';
import type { Answer } from '../../support/clients/call.js';
import type { JsonObject } from '../../support/clients/message.js';

const LISTS = [
  { method: 'tools/list', list: 'tools', all: ['shown', 'hidden', 'scoped', 'open', 'long'] },
  { method: 'prompts/list', list: 'prompts', all: ['shown', 'hidden'] },
  { method: 'resources/list', list: 'resources', all: ['shown', 'hidden', 'scoped'] },
  { method: 'resources/templates/list', list: 'resourceTemplates', all: ['shown', 'hidden'] },
] as const;

/** Every way to reach something that is hidden, and the same for what there is not at all. */
const REQUESTS = [
  ['a tool', 'tools/call', { name: 'hidden' }, { name: 'nobody' }],
  ['a tool that needs a scope', 'tools/call', { name: 'scoped' }, { name: 'nobody' }],
  ['a public tool', 'tools/call', { name: 'open' }, { name: 'nobody' }],
  ['a prompt', 'prompts/get', { name: 'hidden' }, { name: 'nobody' }],
  ['a resource', 'resources/read', { uri: 'desk://hidden' }, { uri: 'desk://nobody' }],
  ['a resource that needs a scope', 'resources/read', { uri: 'desk://scoped' }, { uri: 'desk://nobody' }],
  ['a resource of a template', 'resources/read', { uri: 'item://7' }, { uri: 'none://7' }],
  [
    'an argument of a prompt',
    'completion/complete',
    completing('ref/prompt', 'hidden'),
    completing('ref/prompt', 'nobody'),
  ],
  [
    'a variable of a template',
    'completion/complete',
    completing('ref/resource', 'item://{id}'),
    completing('ref/resource', 'none://{id}'),
  ],
  [
    'a completion for a resource',
    'completion/complete',
    completing('ref/resource', 'desk://hidden'),
    completing('ref/resource', 'desk://nobody'),
  ],
] as const;

function completing(type: string, key: string) {
  const ref = type === 'ref/prompt' ? { type, name: key } : { type, uri: key };
  return { ref, argument: { name: type === 'ref/prompt' ? 'topic' : 'id', value: '' } };
}

/** What a caller can tell an answer by, without the name that was asked for. */
function describeAnswer({ status, headers, response }: Answer, names: object): string {
  const text = JSON.stringify([status, headers['www-authenticate'], { ...response, id: 0 }]);
  return Object.values(names)
    .filter((name) => typeof name === 'string')
    .concat(JSON.stringify(names).match(/[a-z]+:\/\/[^"]+/g) ?? [])
    .reduce((left, name) => left.replaceAll(name, '…'), text)
    .replaceAll(/hidden|nobody/g, '…');
}

describe.each(WAYS)('What is hidden from a caller $wire on $adapter', ({ adapter, connect, wire }) => {
  const flags = new Flags();
  let desk: RunningApp;
  let ada: Caller;
  let stranger: Caller;

  beforeAll(async () => {
    const hint = { ttlMs: 60_000, scope: 'public' } as const;
    desk = await bootDesk(adapter, {
      options: {
        tasks: true,
        cache: { tools: hint, prompts: hint, resources: hint, resourceTemplates: hint },
      },
      providers: [createHiddenDesk(flags)],
    });
    ada = await connect(desk.url, CALLERS.ada.token);
    stranger = await connect(desk.url);
  });

  beforeEach(() => {
    flags.shownTo.clear();
    flags.asked.length = 0;
  });

  afterAll(() => desk.close());

  const namesOf = (result: JsonObject, list: string) =>
    (result[list] as { name: string }[]).map(({ name }) => name);

  it.each(LISTS)('is not in "$list", where others find it (NEST-06)', async ({ method, list, all }) => {
    const bob = await connect(desk.url, CALLERS.bob.token);
    flags.shownTo.add('ada');
    expect(namesOf(await ada(method).result(), list)).toEqual(all);
    expect(namesOf(await bob(method).result(), list)).toEqual(['shown']);
    expect(namesOf(await ada(method).result(), list)).toEqual(all);
    flags.shownTo.clear();
    expect(namesOf(await ada(method).result(), list)).toEqual(['shown']);
  });

  it.each(LISTS)('makes "$list" private to its caller (NEST-06) (VER-05)', async ({ method }) => {
    const { ttlMs, cacheScope } = await ada(method).result();
    const told = wire === 'in a session' ? {} : { ttlMs: 60_000, cacheScope: 'private' };
    expect({ ttlMs, cacheScope }).toEqual(told);
  });

  it.each(LISTS)('is asked for once for each answer with "$list" (NEST-06)', async ({ method, all }) => {
    await ada(method).result();
    expect(flags.asked).toHaveLength(all.length - 1);
  });

  it.each(REQUESTS)(
    'is as unknown as what there is not: %s (NEST-06)',
    async (_what, method, hidden, nobody) => {
      for (const caller of [ada, stranger]) {
        const found = describeAnswer(await caller(method, hidden).answer(), hidden);
        expect(found).toBe(describeAnswer(await caller(method, nobody).answer(), nobody));
      }
    },
  );

  it.each(REQUESTS)(
    'is there for whom it is not hidden: %s (NEST-06)',
    async (_what, method, hidden, nobody) => {
      flags.shownTo.add('*');
      const found = describeAnswer(await ada(method, hidden).answer(), hidden);
      expect(found).not.toBe(describeAnswer(await ada(method, nobody).answer(), nobody));
    },
  );

  it('is asked for with a scope only where it is seen (NEST-06) (STEP-01)', async () => {
    const refused = await ada('tools/call', { name: 'scoped' }).answer();
    expect(refused.headers['www-authenticate']).toBeUndefined();
    flags.shownTo.add('ada');
    const challenged = await ada('tools/call', { name: 'scoped' }).answer();
    expect(challenged.status).toBe(403);
    expect(challenged.headers['www-authenticate']).toContain('desk:secret');
  });

  it('is kept by nobody but its caller when it is read (NEST-06) (VER-05)', async () => {
    flags.shownTo.add('ada');
    const { cacheScope } = await ada('resources/read', { uri: 'desk://hidden' }).result();
    expect(cacheScope).toBe(wire === 'in a session' ? undefined : 'private');
  });

  it('is hidden by what a request brings besides its caller (NEST-06)', async () => {
    flags.shownTo.add('acme');
    expect(namesOf(await ada('tools/list').result(), 'tools')).toEqual(['shown']);
  });
});
