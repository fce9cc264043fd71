import { beforeEach, describe, expect, it } from '@jest/globals';
import { McpError } from '../../../../lib/core/protocol/mcp.error.js';
import type { Call, Step } from '../../../../lib/server/dispatch/step.js';
import { CHALLENGES } from '../../support/caller.js';
import { TestDispatch } from '../../support/dispatch.js';
import { buildPeer, buildRequest, openSession, RecordingChannel } from '../../support/requests.js';

const REFUSAL = CHALLENGES.insufficientScope(['desk:read']);

const get = (id: number, name = 'greet') => buildRequest('prompts/get', { name }, id);

/** Writes down what is done, under a name. */
class Writer implements Step {
  constructor(
    private readonly done: string[],
    private readonly name: string,
  ) {}

  begin(): void {
    this.done.push(`begin ${this.name}`);
  }

  open(): void {
    this.done.push(`open ${this.name}`);
  }

  refuse(): undefined {
    this.done.push(`refuse ${this.name}`);
  }

  end(_observation: unknown, response: Parameters<NonNullable<Step['end']>>[1]) {
    this.done.push(`end ${this.name}`);
    return response;
  }
}

describe('A step of a request', () => {
  let done: string[];

  beforeEach(() => {
    done = [];
  });

  function serve(...steps: readonly Step[]): TestDispatch {
    const handle = ({ params }: { readonly params: { readonly [name: string]: unknown } }) => {
      done.push(`handle ${String(params['name'])}`);
      return { messages: [] };
    };
    return new TestDispatch([{ method: 'prompts/get', handle }], {}, ...steps);
  }

  const admit = (name: string): Step => ({
    admit: async ({ context }: Call) => {
      await Promise.resolve();
      done.push(`${name} ${String(context.id)}`);
    },
  });

  async function answerBatch(dispatch: TestDispatch, ids: readonly number[]) {
    const channel = new RecordingChannel();
    const arrival = { peer: buildPeer('2025-03-26'), channel, inFlight: dispatch.detached };
    const requests = ids.map((id) => get(id));
    const { calls, refusal } = await dispatch.dispatcher.authorize(requests, arrival);
    for (const call of calls) call.refusal = refusal;
    return Promise.all(calls.map(async (call) => (await dispatch.dispatcher.respond(call))?.httpStatus));
  }

  it('is passed in its order before the method, and backwards with the answer', async () => {
    await serve(new Writer(done, 'a'), new Writer(done, 'b'), admit('admit')).request(get(1));
    expect(done).toEqual([
      ...['open a', 'open b', 'begin a', 'begin b', 'refuse a', 'refuse b'],
      ...['admit 1', 'handle greet', 'end b', 'end a'],
    ]);
  });

  it('is passed by nobody as long as it is not wanted', async () => {
    let change = (): void => undefined;
    const step = {
      isWanted: false,
      watch: (listener: () => void) => void (change = listener),
      refuse: () => McpError.invalidRequest('no'),
    };
    const dispatch = serve(step);
    expect(await dispatch.request(get(1))).toHaveProperty('result');
    step.isWanted = true;
    change();
    expect(await dispatch.request(get(2))).toMatchObject({ error: { code: -32600 } });
    step.isWanted = false;
    change();
    expect(await dispatch.request(get(3))).toHaveProperty('result');
  });

  it('sees the request that an earlier one puts in its place', async () => {
    const step: Step = { rewrite: ({ id }) => get(id as number, 'meant') };
    await serve(step).request(get(1));
    expect(done).toEqual(['handle meant']);
  });

  it('keeps a request from its method by what it throws, while the request runs', async () => {
    const running: number[] = [];
    const step: Step = {
      admit: async ({ arrival }) => {
        running.push(arrival.inFlight.size);
        throw McpError.invalidParams('no');
      },
    };
    const dispatch = serve(step);
    const session = openSession(dispatch.sessions);
    const answer = await dispatch.request(get(1), { peer: session, inFlight: session.inFlight });
    expect([answer?.['error'], done, running]).toEqual([expect.objectContaining({ code: -32602 }), [], [1]]);
  });

  it('may replace the answer', async () => {
    const step: Step = { begin: () => undefined, end: async () => undefined };
    expect(await serve(step).request(get(1))).toBeUndefined();
  });

  describe('of a batch', () => {
    const LATER: Step = { refuse: () => undefined, authorize: () => 'later' };

    it('admits all of its requests before any of them runs, and each once', async () => {
      await answerBatch(serve(LATER, admit('first'), admit('second')), [1, 2]);
      expect(done).toEqual(['first 1', 'first 2', 'second 1', 'second 2', 'handle greet', 'handle greet']);
    });

    it('refuses all of them for one', async () => {
      const judge = (calls: readonly Call[]) => (calls.length > 1 ? REFUSAL : undefined);
      expect(await answerBatch(serve(LATER, { authorize: judge }), [1, 2])).toEqual([403, 403]);
      expect(done).toEqual([]);
    });

    it('judges one request as a batch of one', async () => {
      const judge = (calls: readonly Call[]) => (calls.length === 1 ? REFUSAL : undefined);
      expect(await serve({ authorize: judge }).request(get(1))).toMatchObject({ status: 403 });
    });

    it('judges the others without one that has failed, which fails alone', async () => {
      const judged: number[] = [];
      const failing: Step = {
        admit: async ({ context }) => {
          if (context.id === 1) throw new McpError(-32603, 'one too many', undefined, 429);
        },
      };
      const judge = (calls: readonly Call[]) => void judged.push(calls.length);
      expect(await answerBatch(serve(LATER, failing, { authorize: judge }, admit('then')), [1, 2])).toEqual([
        429, 200,
      ]);
      expect([judged, done]).toEqual([[1], ['then 2', 'handle greet']]);
    });

    it('asks the application about one after the other', async () => {
      let asking = 0;
      const step: Step = {
        asksApplication: true,
        admit: async () => {
          asking += 1;
          done.push(`asking ${asking}`);
          await Promise.resolve();
          asking -= 1;
        },
      };
      await answerBatch(serve(LATER, step), [1, 2]);
      expect(done.slice(0, 2)).toEqual(['asking 1', 'asking 1']);
    });
  });
});
