import { beforeEach, describe, expect, it } from '@jest/globals';
import { elicitation } from '../../../../lib/server/input-requests/elicitation.js';
import { listRoots } from '../../../../lib/server/input-requests/input-request-builders.js';
import { InvalidAnswerError } from '../../../../lib/server/input-requests/errors.js';
import type { Session } from '../../../../lib/server/sessions/session.js';
import { openSession } from '../../support/requests.js';
import { ABLE, Asking, type AskingCall } from './build-context.js';

const FORM = {
  message: 'Name?',
  schema: { type: 'object', properties: { name: { type: 'string' } } },
} as const;
const HOME = { uri: 'file:///home' };

describe('SessionInputRequester', () => {
  const asking = new Asking();
  let session: Session;

  beforeEach(() => {
    session = openSession(undefined, { capabilities: ABLE });
  });

  const begin = () => asking.begin({ peer: session });
  const sent = ({ channel }: AskingCall) => channel.messages;
  const settle = (call: AskingCall, index: number, result: unknown) =>
    session.pending.settle({ jsonrpc: '2.0', id: sent(call)[index]?.['id'] as string, result });

  it('asks by a request on the stream of the call (REV-02)', async () => {
    const call = begin();
    const asked = call.context.elicit(FORM);
    await Promise.resolve();
    const params = { message: 'Name?', requestedSchema: FORM.schema };
    expect(sent(call)).toEqual([
      { jsonrpc: '2.0', id: expect.any(String), method: 'elicitation/create', params },
    ]);
    settle(call, 0, { action: 'accept', content: { name: 'Ada' } });
    expect(await asked).toEqual({ action: 'accept', content: { name: 'Ada' } });
    expect([session.pending.size, call.context.isSettled]).toEqual([0, false]);
  });

  it('may ask more at once than Node expects of a signal (REV-02)', async () => {
    const warnings: Error[] = [];
    const collect = (warning: Error) => void warnings.push(warning);
    process.on('warning', collect);
    const call = begin();
    const questions = Array.from({ length: 30 }, (_, index) => [`q${index}`, elicitation(FORM)] as const);
    const asked = call.context.requestAll(Object.fromEntries(questions));
    await Promise.resolve();
    for (let index = 0; index < 30; index += 1) settle(call, index, { action: 'cancel' });
    expect(Object.values(await asked)).toHaveLength(30);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', collect);
    expect(warnings).toEqual([]);
  });

  it.each([undefined, null, {}, { roots: 1 }])(
    'keeps no roots that a client answered wrongly: %j (REV-01)',
    async (wrong) => {
      const before = session.memory.bytes;
      const call = begin();
      const asked = call.context.listRoots();
      await Promise.resolve();
      settle(call, 0, wrong);
      await expect(asked).rejects.toThrow(InvalidAnswerError);
      expect([session.roots, session.memory.bytes]).toEqual([undefined, before]);
      const again = call.context.listRoots();
      await Promise.resolve();
      settle(call, 1, { roots: [HOME] });
      expect(await again).toEqual([HOME]);
    },
  );

  it('asks none of several where one is not declared (REV-01)', async () => {
    session = openSession(undefined, { capabilities: { elicitation: {} } });
    const call = begin();
    const asked = call.context.requestAll({ name: elicitation(FORM), places: listRoots() });
    await expect(asked).rejects.toThrow(
      'The client did not declare the capability roots, which "roots/list" requires',
    );
    expect([sent(call), session.pending.size]).toEqual([[], 0]);
  });

  it('asks nobody before the handshake is confirmed (SESS-01)', async () => {
    session = openSession(undefined, { capabilities: ABLE, isLive: false });
    const call = begin();
    await expect(call.context.elicit(FORM)).rejects.toThrow('"notifications/initialized"');
    expect(sent(call)).toEqual([]);
  });

  it('takes back what is open when the call is cancelled, and asks nothing more (CANC-01)', async () => {
    const call = begin();
    const asked = call.context.elicit(FORM);
    await Promise.resolve();
    call.context.cancel('The user left');
    await expect(asked).rejects.toThrow('The user left');
    await expect(call.context.elicit(FORM)).rejects.toThrow(
      'The call has already ended, so the client can no longer receive requests',
    );
    const requestId = sent(call)[0]?.['id'];
    expect(sent(call).slice(1)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId, reason: 'The user left' },
      },
    ]);
  });

  it('takes back what is open when the call is answered (CANC-03)', async () => {
    const call = begin();
    const asked = call.context.elicit(FORM);
    await Promise.resolve();
    call.context.settle();
    await expect(asked).rejects.toThrow('The call has already ended');
    expect(sent(call).at(-1)).toMatchObject({ method: 'notifications/cancelled' });
    expect(session.pending.size).toBe(0);
  });

  describe('the roots of a session', () => {
    const list = (call: AskingCall) => call.context.listRoots();

    it('are asked for once (NOTE-07)', async () => {
      const first = begin();
      const asked = list(first);
      await Promise.resolve();
      settle(first, 0, { roots: [HOME] });
      expect(await asked).toEqual([HOME]);
      const second = begin();
      expect(await list(second)).toEqual([HOME]);
      expect(sent(second)).toEqual([]);
    });

    it('are asked for again after an answer that is none (NOTE-07)', async () => {
      const first = begin();
      const asked = list(first);
      await Promise.resolve();
      settle(first, 0, { roots: [{}] });
      await expect(asked).rejects.toThrow('The client\'s answer to "roots/list" is not valid');
      expect(session.roots).toBeUndefined();
    });

    it('outlive the call that asked for them, for those that wait (NOTE-07) (CANC-01)', async () => {
      const [first, second, third] = [begin(), begin(), begin()];
      const asked = [first, second, third].map(async (call) => list(call));
      const outcome = Promise.allSettled(asked);
      await Promise.resolve();
      first.context.cancel('gone');
      await new Promise((resolve) => setImmediate(resolve));
      const inputRequesters = [second, third].filter((call) => sent(call).length > 0);
      expect(inputRequesters).toHaveLength(1);
      settle(inputRequesters[0]!, 0, { roots: [HOME] });
      expect((await outcome).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    });
  });

  it('gives a handler neither answers nor a state to begin with (REV-02)', () => {
    const { context } = asking.begin({
      peer: session,
      params: { inputResponses: { a: 1 }, requestState: 'x' },
    });
    context.assertRound();
    expect([context.inputResponses, context.requestState]).toEqual([{}, undefined]);
  });
});
