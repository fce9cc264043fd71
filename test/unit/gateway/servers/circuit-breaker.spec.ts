import { describe, expect, it } from '@jest/globals';
import { CircuitBreaker, EventRate } from '../../../../lib/gateway/servers/circuit-breaker.js';

describe('CircuitBreaker', () => {
  const create = () => {
    const clock = { ms: 0 };
    return { clock, circuit: new CircuitBreaker({ failures: 2, resetMs: 100 }, () => clock.ms) };
  };

  it('opens after consecutive failures, and lets one call try after a while (GATE-02)', () => {
    const { clock, circuit } = create();
    circuit.fail();
    circuit.succeed();
    circuit.fail();
    expect(circuit.admit()).toBe(true);
    circuit.fail();
    expect([circuit.state, circuit.admit(), circuit.retryAfterMs]).toEqual(['open', false, 100]);
    clock.ms = 100;
    expect([circuit.state, circuit.admit(), circuit.admit()]).toEqual(['half-open', true, false]);
    circuit.fail();
    expect(circuit.state).toBe('open');
    clock.ms = 200;
    expect(circuit.admit()).toBe(true);
    circuit.succeed();
    expect([circuit.state, circuit.admit()]).toEqual(['closed', true]);
  });

  it('lets another call try where the first one was cancelled (GATE-02)', () => {
    const { clock, circuit } = create();
    circuit.fail();
    circuit.fail();
    clock.ms = 100;
    expect(circuit.admit()).toBe(true);
    circuit.leave();
    expect(circuit.admit()).toBe(true);
  });
});

describe('EventRate', () => {
  it('admits a number of events per second (GATE-02)', () => {
    const clock = { ms: 0 };
    const rate = new EventRate(2, () => clock.ms);
    expect([rate.admit(), rate.admit(), rate.admit()]).toEqual([true, true, false]);
    clock.ms = 1000;
    expect(rate.admit()).toBe(true);
  });
});
