import { describe, expect, it } from '@jest/globals';
import { StatelessRequests, InFlightRequests } from '../../../../lib/server/sessions/in-flight-requests.js';
import { buildContext } from '../../support/requests.js';

const buildPing = (id: string | number) => buildContext('ping', { id });

describe('InFlightRequests', () => {
  it('finds a running request by its id until it is done (CANC-01)', () => {
    const requests = new InFlightRequests();
    const context = buildPing(7);
    expect([requests.has(7), requests.find(7), requests.size]).toEqual([false, undefined, 0]);
    requests.add(context);
    expect([requests.has(7), requests.find(7), requests.size]).toEqual([true, context, 1]);
    requests.remove(context);
    expect([requests.has(7), requests.find(7), requests.size]).toEqual([false, undefined, 0]);
  });

  it('tells a number from the same digits (CANC-01)', () => {
    const requests = new InFlightRequests();
    const [number, text] = [buildPing(1), buildPing('1')];
    requests.add(number);
    requests.add(text);
    expect([requests.find(1), requests.find('1'), requests.size]).toEqual([number, text, 2]);
  });

  it.each(['__proto__', 'constructor', ''])('has no request %j of its own (CANC-01)', (id) => {
    expect(new InFlightRequests().find(id)).toBeUndefined();
  });

  it('keeps a request whose id another one shared and left (CANC-01)', () => {
    const requests = new InFlightRequests();
    const [running, stray] = [buildPing(1), buildPing(1)];
    requests.add(running);
    requests.remove(stray);
    expect(requests.find(1)).toBe(running);
  });

  it('gives all of them as they are at that moment, oldest first (MOD-12)', () => {
    const requests = new InFlightRequests();
    const contexts = [buildPing('b'), buildPing('a'), buildPing(3)];
    for (const context of contexts) requests.add(context);
    const all = requests.all();
    for (const context of all) requests.remove(context);
    expect([all, requests.size]).toEqual([contexts, 0]);
  });
});

describe('StatelessRequests', () => {
  it('gives ids no meaning: any two clients may use the same (SESS-04)', () => {
    const requests = new StatelessRequests();
    const [one, other] = [buildPing(1), buildPing(1)];
    requests.add(one);
    requests.add(other);
    expect([requests.has(), requests.find()]).toEqual([false, undefined]);
    expect(requests.all()).toEqual([one, other]);
    requests.remove(one);
    expect(requests.all()).toEqual([other]);
  });

  it('never refuses a client for the requests of others (SESS-04)', () => {
    const requests = new StatelessRequests();
    for (let id = 0; id < 1000; id++) requests.add(buildPing(id));
    expect(requests.size).toBe(0);
  });
});
