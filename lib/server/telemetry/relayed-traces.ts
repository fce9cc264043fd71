import type { Tracing } from '../../core/telemetry/telemetry.js';
import type { CarriedContext } from '../../core/telemetry/trace-context.js';

/** Carries the active context to other processes, together with the operation. */
export class RelayedTraces {
  constructor(private readonly tracing: Tracing) {}

  /** Names the span that is active here. Returns `undefined` if none is. */
  carry(): CarriedContext | undefined {
    const { api, contexts } = this.tracing;
    const active = api.context.active();
    return api.trace.getSpanContext(active) === undefined ? undefined : contexts.carry(active);
  }

  /** Runs a function as part of what another process named. */
  resume<Result>(carried: CarriedContext, act: () => Result): Result {
    const { api, contexts } = this.tracing;
    const told = contexts.extract(carried, api.context.active());
    return told === undefined ? act() : api.context.with(told, act);
  }
}
