import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { RoundState } from '../../../../lib/server/input-requests/request-state.js';
import { buildPeer, type Json } from '../../support/requests.js';
import { Asking } from './build-context.js';

const SECRET = 'a secret of at least thirty-two characters';
const STATE: RoundState = { answers: { name: { action: 'decline' } }, handlerState: 'step 2' };
const CALL: Json = { name: 'book', arguments: { day: 'Monday', seats: [1, { row: 2 }] } };

describe('RequestStateCodec', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  function format(asking: Asking, params: Json = CALL, rest: object = {}): string {
    return asking.codec.format(asking.begin({ params, ...rest }).context, STATE);
  }

  function parse(asking: Asking, requestState: unknown, params: Json = CALL, rest: object = {}): RoundState {
    return asking.codec.parse(asking.begin({ params: { ...params, requestState }, ...rest }).context);
  }

  it('gives back what it took, for the same call (REV-02)', () => {
    const asking = new Asking();
    expect(parse(asking, format(asking))).toMatchObject(STATE);
  });

  it('gives nothing to a first round (REV-02)', () => {
    const asking = new Asking();
    expect(asking.codec.parse(asking.begin({ params: CALL }).context)).toEqual({ answers: {} });
  });

  it('leaves out of account what differs between rounds (REV-02)', () => {
    const asking = new Asking();
    const state = format(asking, { ...CALL, _meta: { progressToken: 1 } });
    const next = { ...CALL, _meta: { progressToken: 2 }, inputResponses: { name: {} } };
    expect(parse(asking, state, next)).toMatchObject(STATE);
    expect(parse(asking, format(asking, { ...next, requestState: state }), next)).toMatchObject(STATE);
  });

  it('knows the members of an object in any order (REV-02)', () => {
    const asking = new Asking();
    const reordered = { arguments: { seats: [1, { row: 2 }], day: 'Monday' }, name: 'book' };
    expect(parse(asking, format(asking), reordered)).toMatchObject(STATE);
  });

  it.each<[string, Json]>([
    ['a name', { ...CALL, name: 'cancel' }],
    ['a value', { ...CALL, arguments: { day: 'Sunday', seats: [1, { row: 2 }] } }],
    ['a type', { ...CALL, arguments: { day: 'Monday', seats: ['1', { row: 2 }] } }],
    ['the order of an array', { ...CALL, arguments: { day: 'Monday', seats: [{ row: 2 }, 1] } }],
    ['an array for an object', { ...CALL, arguments: { day: 'Monday', seats: [1, [['row', 2]]] } }],
    ['null for absence', { ...CALL, arguments: { day: 'Monday', seats: [1, { row: 2 }], none: null } }],
    ['another parameter', { ...CALL, cursor: '' }],
  ])('refuses the state of a call that differs in %s (REV-02)', (_, params) => {
    const asking = new Asking();
    expect(() => parse(asking, format(asking), params)).toThrow(expect.objectContaining({ code: -32602 }));
  });

  it('refuses answers that together have more structure than a message may have', () => {
    const asking = new Asking();
    const { context } = asking.begin({ params: CALL });
    const answers = {
      one: Array.from({ length: 15_000 }, () => 0),
      other: Array.from({ length: 15_000 }, () => 0),
    };
    const requestState = asking.codec.format(context, { answers });
    expect(() => parse(asking, requestState)).toThrow(
      expect.objectContaining({ code: -32600, httpStatus: 413 }),
    );
  });

  it('refuses the state of another method (REV-02)', () => {
    const asking = new Asking();
    const state = format(asking, CALL, { method: 'prompts/get' });
    expect(() => parse(asking, state)).toThrow('"requestState" was issued for a different call');
  });

  it('refuses the state of another caller, and takes that of nobody from everybody (REV-02)', () => {
    const asking = new Asking();
    const [ada, eve, nobody] = ['ada', 'eve', undefined].map((identity) => ({
      peer: buildPeer(undefined, { ...(identity !== undefined && { identity }) }),
    }));
    const state = format(asking, CALL, ada);
    expect(parse(asking, state, CALL, ada)).toMatchObject(STATE);
    for (const other of [eve, nobody]) {
      expect(() => parse(asking, state, CALL, other)).toThrow(
        '"requestState" was issued for a different call',
      );
    }
    // Who began without a token, and has logged in since, is not known from others.
    for (const anybody of [eve, nobody]) {
      expect(parse(asking, format(asking, CALL, nobody), CALL, anybody)).toMatchObject(STATE);
    }
  });

  it('refuses a state when its time is up (REV-02)', () => {
    jest.useFakeTimers();
    const asking = new Asking({ inputRequests: { stateLifetimeMs: 1000 } });
    const state = format(asking);
    jest.advanceTimersByTime(1000);
    expect(parse(asking, state)).toMatchObject(STATE);
    jest.advanceTimersByTime(1);
    expect(() => parse(asking, state)).toThrow('"requestState" has expired: repeat the call without it');
  });

  it('is good for an hour where nothing else is set (REV-02)', () => {
    jest.useFakeTimers();
    const asking = new Asking();
    const state = format(asking);
    jest.advanceTimersByTime(60 * 60_000);
    expect(parse(asking, state)).toMatchObject(STATE);
    jest.advanceTimersByTime(1);
    expect(() => parse(asking, state)).toThrow('expired');
  });

  it.each([null, 0, {}, [], '', 'e30.e30'])('refuses %j (REV-02)', (requestState) => {
    expect(() => parse(new Asking(), requestState)).toThrow(expect.objectContaining({ code: -32602 }));
  });

  it('is good for all who know the secret, and for nobody else (REV-02)', () => {
    const state = format(new Asking({ secret: SECRET }));
    expect(parse(new Asking({ secret: SECRET }), state)).toMatchObject(STATE);
    expect(parse(new Asking({ secret: [`${SECRET}!`, SECRET] }), state)).toMatchObject(STATE);
    expect(() => parse(new Asking({ secret: `${SECRET}!` }), state)).toThrow('"requestState"');
    expect(() => parse(new Asking(), state)).toThrow('"requestState"');
  });
});
