import { describe, expect, it } from '@jest/globals';
import { elicitation } from '../../../../lib/server/input-requests/elicitation.js';
import { listRoots } from '../../../../lib/server/input-requests/input-request-builders.js';
import type { RequestContext } from '../../../../lib/server/context/request-context.js';
import type { Interruption } from '../../../../lib/server/context/request-parts.interface.js';
import { buildPeer, type Json } from '../../support/requests.js';
import { ABLE, Asking } from './build-context.js';

const TEXT = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const;
const NAME = { key: 'name', message: 'Name?', schema: TEXT } as const;
const COLOR = { key: 'color', message: 'Color?', schema: TEXT } as const;

const accept = (text: unknown) => ({ action: 'accept', content: { text } });

describe('RoundTripInputRequester', () => {
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
    void call.context.requestAll({
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
    void call.context.requestAll({
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

  it('says in a question that is asked again what was wrong with the answer (HOST-05)', async () => {
    const call = begin({ inputResponses: { name: accept(2), places: 'none' } });
    void Promise.all([call.context.elicit(NAME), call.context.listRoots({ key: 'places' })]);
    const { inputRequests } = await call.roundResult();
    const fault = 'text: expected string, received number 2';
    expect(inputRequests).toEqual({
      name: {
        method: 'elicitation/create',
        params: {
          message: `Name?\n\nThe last answer was not accepted: ${fault}`,
          requestedSchema: TEXT,
          _meta: { 'io.nestjs-mcp/invalidAnswer': fault },
        },
      },
      places: {
        method: 'roots/list',
        params: {
          _meta: {
            'io.nestjs-mcp/invalidAnswer': '"roots" must be an array of objects with a "uri" string',
          },
        },
      },
    });
  });

  /** Makes a call again with the same answers to what is asked, as a client without a user does, until it ends; counts its rounds. */
  async function answerAll(
    ask: (context: RequestContext) => Promise<unknown>,
    answers: Json,
  ): Promise<{ readonly rounds: number; readonly outcome: Promise<unknown> }> {
    let round: Json = {};
    for (let rounds = 1; ; rounds += 1) {
      const call = begin(round);
      const outcome = ask(call.context);
      const settled = outcome.then(
        () => ({}),
        () => ({}),
      );
      const { failure, result }: Interruption = await Promise.race([call.interrupted, settled]);
      if (failure !== undefined) return { rounds, outcome: Promise.reject(failure) };
      if (result === undefined) return { rounds, outcome };
      const asked = Object.keys(result['inputRequests'] as Json).filter((key) => key in answers);
      const inputResponses = Object.fromEntries(asked.map((key) => [key, answers[key]]));
      round = { inputResponses, requestState: result['requestState'] };
    }
  }

  it('gives the handler the error of the fifth answer that cannot be used, also in later rounds (HOST-05)', async () => {
    const errors: unknown[] = [];
    const ask = async (context: RequestContext): Promise<unknown> => {
      await context.elicit(NAME).catch((error: unknown) => errors.push(error));
      return context.elicit(COLOR);
    };
    const { rounds, outcome } = await answerAll(ask, { name: accept(2), color: accept('red') });
    expect([rounds, await outcome]).toEqual([7, accept('red')]);
    const message =
      'The client\'s answer to "elicitation/create" is not valid: text: expected string, received number 2';
    expect(errors).toEqual([expect.objectContaining({ message }), expect.objectContaining({ message })]);
  });

  it('fails a call whose client answers nothing after 32 rounds (HOST-05)', async () => {
    const { rounds, outcome } = await answerAll((context) => context.elicit(NAME), {});
    expect(rounds).toBe(33);
    await expect(outcome).rejects.toThrow('The call still needs input after 32 rounds of input requests');
  });

  it('says in the last message what was wrong with the last answer (HOST-05)', async () => {
    const ask = async (context: RequestContext): Promise<void> => {
      for (let turn = 1; ; turn += 1)
        await context.elicit({ ...NAME, key: `turn-${turn}` }).catch(() => undefined);
    };
    const answers = Array.from({ length: 40 }, (_, index) => [`turn-${index + 1}`, accept(2)] as const);
    const { rounds, outcome } = await answerAll(ask, Object.fromEntries(answers));
    expect(rounds).toBe(33);
    await expect(outcome).rejects.toThrow(
      'which is the limit. The client\'s answer to "elicitation/create" is not valid',
    );
  });

  it('counts the rounds of a handler that asks in the lower-level way (HOST-05)', async () => {
    const inputRequests = { places: { method: 'roots/list' as const } };
    const ask = async (context: RequestContext): Promise<unknown> => {
      context.endRound({ resultType: 'input_required', inputRequests, requestState: 'mine' });
      return new Promise(() => {});
    };
    const { rounds, outcome } = await answerAll(ask, { places: { roots: [] } });
    expect(rounds).toBe(33);
    await expect(outcome).rejects.toThrow('The call still needs input after 32 rounds of input requests');
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
    await expect(context.elicit(NAME)).rejects.toThrow(
      'The key "name" is used for two input requests of one call',
    );
  });

  it('refuses more questions than a call may ask (SAFE-01)', async () => {
    const inputResponses = Object.fromEntries(
      Array.from({ length: 65 }, (_, index) => [`question-${index + 1}`, { roots: [] }]),
    );
    const { context } = begin({ inputResponses });
    for (let count = 0; count < 64; count += 1) await context.listRoots();
    await expect(context.listRoots()).rejects.toThrow('A call may send at most 64 input requests');
  });

  it('asks nothing that the client did not declare (REV-02)', async () => {
    const peer = buildPeer(undefined, { capabilities: { ...ABLE, roots: undefined } as never });
    const call = asking.begin({ peer });
    const error = { code: -32021, httpStatus: 400, data: { requiredCapabilities: { roots: {} } } };
    const asked = call.context.requestAll({ name: elicitation(NAME), places: listRoots() });
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
    expect(() => context.assertRound()).toThrow('"requestState" was issued for a different call');
  });
});
