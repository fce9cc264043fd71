import type { CarriedContext } from '../../core/telemetry/trace-context.js';
import type { Tracing } from '../../core/telemetry/tracing.js';

/** Carries the active context to other processes, together with the operation. */
export class RelayedTraces {
  constructor(private readonly tracing: Tracing) {}

  /** Names the span that is active here. Returns `undefined` if none is. */
  carry(): CarriedContext | undefined {
    const { active, contexts } = this.tracing;
    return this.tracing.findSpanContext(active) === undefined ? undefined : contexts.carry(active);
  }

  /** Runs a function as part of what another process named. */
  resume<Result>(carried: CarriedContext, act: () => Result): Result {
    const { active, contexts } = this.tracing;
    const told = contexts.extract(carried, active);
    return told === undefined ? act() : this.tracing.runIn(told, act);
  }
}
