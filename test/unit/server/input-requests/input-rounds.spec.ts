import { describe, expect, it } from '@jest/globals';
import { InputRounds } from '../../../../lib/server/input-requests/input-rounds.js';
import type { InputRequiredResult } from '../../../../lib/core/protocol/input-requests.js';
import type { RequestContext } from '../../../../lib/server/context/request-context.js';
import { openSession } from '../../support/requests.js';
import { ABLE, Asking } from './build-context.js';

const ROOTS = { method: 'roots/list' } as const;
const GUESS = { method: 'elicitation/create', params: { message: 'Guess' } } as const;

const ask = (rest: object): InputRequiredResult => ({ resultType: 'input_required', ...rest });

describe('InputRounds', () => {
  const asking = new Asking();
  const rounds = new InputRounds();
  const complete = (context: RequestContext, call: () => unknown): Promise<unknown> =>
    rounds.complete(context, call, (value) => value);

  it.each(['text', undefined, null, 0, [], {}, { resultType: 'complete' }, { inputRequests: {} }])(
    'gives back what is no question: %j (REV-02)',
    async (value) => {
      expect(await complete(asking.begin().context, () => value)).toBe(value);
    },
  );

  it('gives what is made of the result', async () => {
    const answer = await rounds.complete(
      asking.begin().context,
      () => 'given',
      async (value) => [value],
    );
    expect(answer).toEqual(['given']);
  });

  it('fails where the handler does (REV-02)', async () => {
    const fail = () => Promise.reject(new RangeError('broken'));
    await expect(complete(asking.begin().context, fail)).rejects.toThrow('broken');
  });

  it('ends the call on the stateless wire, with a state that brings its own back (REV-02)', async () => {
    const call = asking.begin();
    const result = ask({ inputRequests: { guess: GUESS, roots: ROOTS }, requestState: 'mine' });
    void complete(call.context, () => result);
    const { inputRequests, requestState } = await call.roundResult();
    expect(inputRequests).toEqual({ guess: GUESS, roots: ROOTS });
    expect(requestState).not.toBe('mine');
    const params = { name: 'ask', requestState, inputResponses: { guess: 1 } };
    const { context } = asking.begin({ params });
    expect([context.requestState, context.inputResponses]).toEqual(['mine', { guess: 1 }]);
  });

  it('asks by requests in a session, and calls the handler again with the answers (REV-02)', async () => {
    const session = openSession(undefined, { capabilities: ABLE });
    const call = asking.begin({ peer: session });
    const seen: unknown[] = [];
    const completed = complete(call.context, () => {
      const { requestState, inputResponses } = call.context;
      seen.push([requestState, inputResponses]);
      return seen.length === 3
        ? 'done'
        : ask({ inputRequests: { guess: GUESS }, requestState: `${seen.length}` });
    });
    for (let round = 0; round < 2; round += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      const id = call.channel.messages[round]?.['id'] as string;
      session.pending.settle({ jsonrpc: '2.0', id, result: { round } });
    }
    expect(await completed).toBe('done');
    expect(seen).toEqual([
      [undefined, {}],
      ['1', { guess: { round: 0 } }],
      ['2', { guess: { round: 1 } }],
    ]);
  });

  it('aborts the call where the client cannot be asked (REV-02)', async () => {
    const call = asking.begin({ peer: openSession() });
    const completed = complete(call.context, () => ask({ inputRequests: { guess: GUESS } }));
    await expect(completed).rejects.toThrow('did not declare');
    const { isSettled, signal } = call.context;
    expect([isSettled, signal.reason]).toEqual([false, expect.objectContaining({ name: 'AbortError' })]);
  });

  it('gives up after many rounds in a session (SAFE-04)', async () => {
    const call = asking.begin({ peer: openSession() });
    await expect(complete(call.context, () => ask({ requestState: 'again' }))).rejects.toThrow(
      'The call still needs input after 32 rounds of input requests, which is the limit',
    );
  });
});
