import { describe, expect, it } from '@jest/globals';
import {
  attachAuthState,
  attachCarrier,
  findCarrier,
  type AdapterRequest,
  type AuthStateCarrier,
} from '../../../../lib/server/auth/auth-state.js';
import { buildCaller } from '../../support/caller.js';

const state = { authentication: buildCaller({ sub: 'ada' }) };
const build = (raw?: AdapterRequest): AdapterRequest => ({ headers: {}, ...(raw && { raw }) });

describe('What the guard leaves on a request', () => {
  it("is found on Node's own request (AUTH-10)", () => {
    const request = build();
    expect(findCarrier(request)).toBeUndefined();
    attachAuthState(request, state);
    expect(findCarrier(request)?.authState).toBe(state);
  });

  it("is found on Node's own request where an adapter has one around it (AUTH-10)", () => {
    const raw = build();
    const request = build(raw);
    attachAuthState(request, state);
    expect(findCarrier(raw)?.authState).toBe(state);
    expect(findCarrier(request)).toBeUndefined();
  });

  it.each([
    ['on the request itself', build(), undefined],
    ['on that below it', build(), build()],
  ])('is given to the carrier %s, where there is one (AUTH-10)', (_, request, raw) => {
    const carrier: AuthStateCarrier = { authState: undefined };
    attachCarrier(raw ?? request, carrier);
    attachAuthState(raw === undefined ? request : { ...request, raw }, state);
    expect(carrier.authState).toBe(state);
    expect(findCarrier(raw ?? request)).toBe(carrier);
  });

  it('prefers the carrier of the request to that below it (AUTH-10)', () => {
    const below: AuthStateCarrier = { authState: undefined };
    const above: AuthStateCarrier = { authState: undefined };
    const raw = build();
    const request = build(raw);
    attachCarrier(raw, below);
    attachCarrier(request, above);
    attachAuthState(request, state);
    expect([above.authState, below.authState]).toEqual([state, undefined]);
  });

  it('is replaced by what is found out later (AUTH-10)', () => {
    const request = build();
    attachAuthState(request, state);
    const carrier = findCarrier(request);
    const later = { authentication: undefined };
    attachAuthState(request, later);
    expect(findCarrier(request)).toBe(carrier);
    expect(carrier?.authState).toBe(later);
  });

  it('is in nothing that is logged or serialized (AUTH-15)', () => {
    const request = build();
    attachAuthState(request, state);
    expect(JSON.stringify(request)).toBe('{"headers":{}}');
    expect(Object.keys(request)).toEqual(['headers']);
  });
});
