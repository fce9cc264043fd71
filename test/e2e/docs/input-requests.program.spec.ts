import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client, ElicitResult } from '@modelcontextprotocol/client';
import { compilePages, ServedPage } from './pages.js';

beforeAll(() => compilePages());

describe.each([
  { wire: 'without sessions', mode: 'auto' },
  { wire: 'in a session', mode: 'legacy' },
] as const)('the handlers of docs/input-requests.md, $wire', ({ mode }) => {
  let page: ServedPage;
  /** What the user says, one after the other; then nothing but no. */
  let says: ElicitResult['content'][] = [];
  let asked: string[] = [];

  function prepare(client: Client): void {
    client.registerCapabilities({ elicitation: {}, sampling: {}, roots: {} });
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      const content = says.shift();
      return content === undefined ? { action: 'decline' } : { action: 'accept', content };
    });
    client.setRequestHandler('sampling/createMessage', () => ({
      role: 'assistant',
      model: 'scripted',
      content: { type: 'text', text: 'Small, quick, quiet' },
    }));
    client.setRequestHandler('roots/list', () => ({
      roots: [{ uri: 'file:///work/tides', name: 'tides' }],
    }));
  }

  beforeAll(async () => {
    page = await ServedPage.serve('docs/input-requests.md', { mode, prepare });
  });

  beforeEach(() => {
    says = [];
    asked = [];
  });

  afterAll(() => page?.close());

  it('take what a form is answered with, defaults included (REV-01, REV-02)', async () => {
    says = [{ day: '2027-03-01', diets: ['vegan'] }];
    expect(await page.call('reserve_table')).toBe('A table inside for 2 on 2027-03-01, vegan');
    expect(await page.call('reserve_table')).toContain('nothing was reserved');
  });

  it('ask again where an answer calls for it, and write last (REV-02)', async () => {
    says = [{ street: 'Long Lane 1', city: 'Atlantis' }, { sure: true }];
    const order = { order: `order-${mode}` };
    expect(await page.call('send_order', order)).toBe('On its way to Long Lane 1, Atlantis');
    expect(asked).toEqual(['Where to?', 'That takes a while. Send it all the same?']);
    expect(await page.call('send_order', order)).toContain('on its way already');
  });

  it('ask user, model and client at once (REV-01, REV-02)', async () => {
    says = [{ license: 'Apache-2.0' }];
    expect(await page.call('describe_project')).toBe('# tides\nSmall, quick, quiet\nApache-2.0');
  });

  it('go on from the state that they gave themselves (REV-02)', async () => {
    says = [{ number: 3 }, { number: 7 }];
    expect(await page.call('guess')).toBe('Right, after 2 rounds');
    says = [{ number: 1 }, { number: 2 }];
    expect(await page.call('guess')).toBe('It was seven');
    expect(asked).toHaveLength(5);
  });
});
