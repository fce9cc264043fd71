import { describe, expect, it } from '@jest/globals';
import { elicitation } from '../../../../lib/server/asking/questions/elicitation.question.js';
import { rootsListing } from '../../../../lib/server/asking/questions/roots.question.js';
import { buildPeer, type Json } from '../../support/requests.js';
import { ABLE, Asking } from './build-asking.js';

const TEXT = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const;
const NAME = { key: 'name', message: 'Name?', schema: TEXT } as const;
const COLOR = { key: 'color', message: 'Color?', schema: TEXT } as const;

const accept = (text: unknown) => ({ action: 'accept', content: { text } });

describe('RoundAsker', () => {
  const asking = new Asking();

  const begin = (round: Json = {}) => asking.begin({ params: { name: 'ask', ...round } });

  it('ends the round with what a handler gives in place of a result, metadata too (REV-02)', async () => {
    const call = begin();
    const inputRequests = { places: { method: 'roots/list' as const } };
    call.context.endRound({ resultType: 'input_required', inputRequests, _meta: { 'com.example/step': 2 } });
    expect(await call.roundResult()).toMatchObject({ inputRequests, _meta: { 'com.example/step': 2 } });
  });

  it('ends the round with the question, and aborts what still runs (REV-02)', async () => {
    const call = begin();
    const { signal } = call.context;
    void call.context.elicit(NAME);
    const { inputRequests, requestState } = await call.roundResult();
    expect(inputRequests).toEqual({
      name: { method: 'elicitation/create', params: { message: 'Name?', requestedSchema: TEXT } },
    });
    expect(requestState).toEqual(expect.any(String));
    expect([signal.aborted, call.context.isSettled, call.channel.sent]).toEqual([true, true, []]);
  });

  it('answers at once what the client brings (REV-02)', async () => {
    const call = begin({ inputResponses: { name: accept('Ada') } });
    expect(await call.context.elicit(NAME)).toEqual(accept('Ada'));
    expect(call.context.isSettled).toBe(false);
  });

  it('answers at once what was answered in earlier rounds (REV-02)', async () => {
    const first = begin({ inputResponses: { name: accept('Ada') } });
    await first.context.elicit(NAME);
    void first.context.elicit(COLOR);
    const { requestState } = await first.roundResult();
    const second = begin({ requestState, inputResponses: { color: accept('green') } });
    expect(await second.context.elicit(NAME)).toEqual(accept('Ada'));
    expect(await second.context.elicit(COLOR)).toEqual(accept('green'));
  });

  it('asks together what is asked in one turn (REV-02)', async () => {
    const call = begin();
    void Promise.all([call.context.elicit(NAME), call.context.elicit(COLOR), call.context.listRoots()]);
    const { inputRequests } = await call.roundResult();
    expect(Object.keys(inputRequests)).toEqual(['name', 'color', 'question-3']);
  });

  it('names questions by their keys, else by the names given to them, else by their number (REV-02)', async () => {
    const call = begin();
    void call.context.askAll({
      first: elicitation({ message: 'First?', schema: TEXT }),
      other: elicitation(NAME),
    });
    void call.context.listRoots();
    void call.context.listRoots({ key: 'places' });
    const { inputRequests } = await call.roundResult();
    expect(Object.keys(inputRequests)).toEqual(['first', 'name', 'question-3', 'places']);
  });

  it('asks again only for what is wrong, and keeps what is right (REV-02)', async () => {
    const call = begin({ inputResponses: { first: accept('one'), second: accept(2) } });
    void call.context.askAll({
      first: elicitation({ message: 'First?', schema: TEXT }),
      second: elicitation({ message: 'Second?', schema: TEXT }),
    });
    const { inputRequests, requestState } = await call.roundResult();
    expect(Object.keys(inputRequests)).toEqual(['second']);
    const next = begin({ requestState, inputResponses: {} });
    expect(await next.context.elicit({ key: 'first', message: 'First?', schema: TEXT })).toEqual(
      accept('one'),
    );
  });

  it('carries no answer to what was not asked (REV-02)', async () => {
    const call = begin({ inputResponses: { name: accept('Ada'), other: accept('x'.repeat(10_000)) } });
    await call.context.elicit(NAME);
    void call.context.elicit(COLOR);
    const { requestState } = await call.roundResult();
    expect(requestState.length).toBeLessThan(500);
  });

  it.each([null, 1, 'text', [], undefined])(
    'takes the input responses %j for none (REV-02)',
    async (given) => {
      const call = begin({ inputResponses: given });
      void call.context.elicit(NAME);
      expect(Object.keys((await call.roundResult()).inputRequests)).toEqual(['name']);
      expect(begin({ inputResponses: given }).context.inputResponses).toEqual({});
    },
  );

  it('refuses two questions of one key (REV-02)', async () => {
    const { context } = begin({ inputResponses: { name: accept('Ada') } });
    await context.elicit(NAME);
    await expect(context.elicit(NAME)).rejects.toThrow('The key "name" names two questions of one call');
  });

  it('refuses more questions than a call may ask (SAFE-01)', async () => {
    const inputResponses = Object.fromEntries(
      Array.from({ length: 65 }, (_, index) => [`question-${index + 1}`, { roots: [] }]),
    );
    const { context } = begin({ inputResponses });
    for (let count = 0; count < 64; count += 1) await context.listRoots();
    await expect(context.listRoots()).rejects.toThrow('A call may ask 64 questions at most');
  });

  it('asks nothing that the client did not declare (REV-02)', async () => {
    const peer = buildPeer(undefined, { capabilities: { ...ABLE, roots: undefined } as never });
    const call = asking.begin({ peer });
    const error = { code: -32021, httpStatus: 400, data: { requiredCapabilities: { roots: {} } } };
    const asked = call.context.askAll({ name: elicitation(NAME), places: rootsListing() });
    await expect(asked).rejects.toMatchObject(error);
  });

  it('fails the call, and not the process, where the round cannot be written (SAFE-04)', async () => {
    const call = begin();
    call.context.onInterrupt = undefined;
    const failed = new Promise((resolve) => {
      call.context.onInterrupt = ({ result, failure }) => {
        if (result !== undefined) throw new TypeError('No JSON');
        resolve(failure);
      };
    });
    void call.context.elicit(NAME);
    expect(await failed).toMatchObject({ message: 'No JSON' });
    expect(call.context.isSettled).toBe(true);
  });

  it('does nothing once the call is over (CANC-01)', async () => {
    const call = begin();
    void call.context.elicit(NAME);
    call.context.cancel('gone');
    expect(await call.interrupted).toEqual({});
  });

  it('refuses a state that is not of this call (REV-02)', () => {
    const { context } = begin({ requestState: 'e30.e30' });
    expect(() => context.assertRound()).toThrow('"requestState" was not given for this call');
  });
});
