import { beforeEach, describe, expect, it } from '@jest/globals';
import { elicitation } from '../../../../lib/server/input-requests/elicitation.js';
import { HostInputRequesters } from '../../../../lib/server/input-requests/host-input-requesters.js';
import { InvalidAnswerError } from '../../../../lib/server/input-requests/errors.js';
import { listRoots } from '../../../../lib/server/input-requests/input-request-builders.js';
import { RequestContext } from '../../../../lib/server/context/request-context.js';
import type { InputRequest } from '../../../../lib/core/protocol/input-requests.js';
import { buildPeer, buildRequest, RecordingChannel } from '../../support/requests.js';
import { ABLE } from './build-context.js';

const FORM = {
  message: 'Name?',
  schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
} as const;
const ACCEPTED = { action: 'accept', content: { name: 'Ada' } };

describe('HostInputRequesters', () => {
  let asked: (readonly [string, InputRequest])[];
  /** Answers by key; what has none is accepted. */
  let answers: Record<string, unknown>;

  beforeEach(() => {
    asked = [];
    answers = {};
  });

  function begin(capabilities = ABLE, version = '2025-06-18'): RequestContext {
    const inputRequesters = new HostInputRequesters((...question) => {
      asked.push(question);
      const answer = answers[question[0]] ?? ACCEPTED;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    });
    return new RequestContext(buildRequest('tools/call', { name: 'ask' }), {
      peer: buildPeer(version, { capabilities }),
      channel: new RecordingChannel(),
      inputRequesters,
    });
  }

  const keys = () => asked.map(([key]) => key);

  it('asks by way of whoever makes the call, and reads the answer (EXT-03) (REV-01)', async () => {
    expect(await begin().elicit({ key: 'name', ...FORM })).toEqual(ACCEPTED);
    expect(asked).toEqual([
      ['name', { method: 'elicitation/create', params: { message: 'Name?', requestedSchema: FORM.schema } }],
    ]);
  });

  it.each(['2024-11-05', '2025-06-18', '2025-11-25', '2026-07-28'])(
    'asks in a session of %s what another revision has too, for its messages are those of the extension (EXT-03) (TASK-03)',
    async (version) => {
      const context = begin(ABLE, version);
      const properties = {
        size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }], default: 's' },
        sides: { type: 'array', items: { type: 'string', enum: ['ham', 'egg'] } },
      };
      await context.elicit({ message: 'Well?', schema: { type: 'object', properties } });
      await context.elicitUrl({ message: 'Pay', url: 'https://pay.example.com/', elicitationId: 'order-7' });
      expect(asked.map(([, { params }]) => params)).toEqual([
        { message: 'Well?', requestedSchema: { type: 'object', properties } },
        {
          mode: 'url',
          message: 'Pay',
          url: 'https://pay.example.com/',
          ...(version === '2025-11-25' && { elicitationId: 'order-7' }),
        },
      ]);
    },
  );

  it('counts questions that have no name (EXT-03)', async () => {
    const context = begin();
    await context.elicit(FORM);
    await context.elicit({ key: 'named', ...FORM });
    await context.elicit(FORM);
    expect(keys()).toEqual(['question-1', 'named', 'question-3']);
  });

  it('asks again under another key where the answer is wrong (EXT-03) (TASK-01)', async () => {
    answers = { name: { action: 'accept', content: {} }, 'name-2': 'nonsense' };
    expect(await begin().elicit({ key: 'name', ...FORM })).toEqual(ACCEPTED);
    expect(keys()).toEqual(['name', 'name-2', 'name-3']);
  });

  it('gives up after a few wrong answers, and says what is wrong with the last one (EXT-03) (TASK-01)', async () => {
    const context = begin();
    answers = new Proxy({}, { get: () => 'nonsense' });
    await expect(context.elicit(FORM)).rejects.toThrow(InvalidAnswerError);
    expect(keys()).toHaveLength(5);
    expect(new Set(keys()).size).toBe(5);
  });

  it('asks no more than a call may (EXT-03)', async () => {
    const context = begin();
    for (let count = 1; count <= 64; count += 1) await context.elicit(FORM);
    await expect(context.elicit(FORM)).rejects.toThrow('A call may send at most 64 input requests');
    expect(new Set(keys()).size).toBe(64);
  });

  it('asks several at once under their names (EXT-03)', async () => {
    const home = [{ uri: 'file:///home' }];
    answers = { places: { roots: home } };
    const given = await begin().requestAll({ name: elicitation(FORM), places: listRoots() });
    expect(given).toEqual({ name: ACCEPTED, places: home });
    expect(keys()).toEqual(['name', 'places']);
  });

  it('gives no name to two questions (EXT-03)', async () => {
    const context = begin();
    await context.elicit({ key: 'name', ...FORM });
    await expect(context.elicit({ key: 'name', ...FORM })).rejects.toThrow(
      'The key "name" is used for two input requests',
    );
  });

  it('asks in each round under the names of the one before, by keys of its own (EXT-03) (TASK-01)', async () => {
    const context = begin();
    await context.elicit({ key: 'name', ...FORM });
    await context.elicit(FORM);
    context.enterRound({ inputResponses: { name: ACCEPTED }, requestState: '2' });
    expect([context.inputResponses, context.requestState]).toEqual([{ name: ACCEPTED }, '2']);
    await context.elicit({ key: 'name', ...FORM });
    await context.elicit(FORM);
    expect(keys()).toEqual(['name', 'question-2', 'name-2', 'question-2-2']);
  });

  it('asks nothing that the client did not declare, and none of several (EXT-03) (REV-01)', async () => {
    const context = begin({ elicitation: { form: {} } });
    const both = context.requestAll({ name: elicitation(FORM), places: listRoots() });
    await expect(both).rejects.toThrow('The client did not declare the capability roots');
    expect(asked).toEqual([]);
  });

  it('passes on why there is no answer (EXT-03)', async () => {
    answers = { 'question-1': new Error('The task is over') };
    await expect(begin().elicit(FORM)).rejects.toThrow('The task is over');
  });

  it('takes no rounds: a call that somebody makes has no client to come back (EXT-03)', () => {
    expect(new HostInputRequesters(() => Promise.resolve()).isMultiRoundTrip()).toBe(false);
  });
});
