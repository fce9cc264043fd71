import type { Context, SpanContext, TextMapGetter } from '@opentelemetry/api';
import type { Observers } from '../log/observers.js';
import type { Params } from '../protocol/json-rpc.js';
import { PROTOCOL_NAMESPACE } from '../protocol/meta-keys.js';
import { formatBaggage, parseBaggage } from './baggage.js';
import type { TelemetryApi } from './import-api.js';
import { parseTraceparent } from './parse-traceparent.js';

/** A propagated context, under the names of its propagators. */
export type CarriedContext = { readonly [name: string]: string };

/** The trace properties in `_meta`, in addition to the ones of the application's propagators. */
type Carrier = { readonly [name: string]: unknown };

/** The length limit of the strings that propagators read from `_meta`. */
const MAXIMUM_CHARACTERS = 8192;

const STRINGS: TextMapGetter<Carrier> = {
  keys: (carrier) => Object.keys(carrier),
  get: (carrier, key) => {
    const value = Object.hasOwn(carrier, key) ? carrier[key] : undefined;
    return typeof value === 'string' && value.length <= MAXIMUM_CHARACTERS ? value : undefined;
  },
};

const PROPAGATOR = 'A propagator';

/** The protocol's own keys in `_meta`, such as the version on the stateless wire, do not belong to a trace. */
const OF_PROTOCOL = `${PROTOCOL_NAMESPACE}/`;

/**
 * Propagates a trace context in `_meta`, with the application's registered propagators, or else in the W3C format.
 *
 * @see MCP SEP-414, OpenTelemetry semantic conventions for the Model Context Protocol, "Context propagation"
 */
export class TraceContext {
  constructor(
    private readonly api: TelemetryApi,
    private readonly observers: Observers,
  ) {}

  /** Returns the context that a message carries, or `undefined` if it names no span. */
  extract(meta: Carrier, context: Context): Context | undefined {
    if (!mayCarryTrace(meta)) return undefined;
    return this.observers.run(PROPAGATOR, () => this.#extract(meta, context));
  }

  /** Reads the span that a `traceparent` names. Returns `undefined` if it is not a valid one. */
  parse(traceparent: unknown, tracestate: unknown): SpanContext | undefined {
    const span = parseTraceparent(traceparent);
    if (span === undefined || typeof tracestate !== 'string' || tracestate === '') return span;
    return { ...span, traceState: this.api.createTraceState(tracestate) };
  }

  /** Returns params with a context in their `_meta`. Existing keys are preserved. */
  inject(params: Params, context: Context): Params {
    const { _meta } = params;
    return { ...params, _meta: { ...this.carry(context), ...(_meta as object | undefined) } };
  }

  /** Returns a context in propagated form. */
  carry(context: Context): CarriedContext {
    const carried: Record<string, string> = {};
    this.observers.run(PROPAGATOR, () => {
      if (this.#hasPropagators) this.api.propagation.inject(context, carried);
      else this.#injectW3c(carried, context);
    });
    return carried;
  }

  #extract(meta: Carrier, context: Context): Context | undefined {
    const { trace } = this.api;
    const bare = trace.deleteSpan(context);
    const sent = this.#hasPropagators
      ? this.api.propagation.extract(bare, meta, STRINGS)
      : this.#extractBaggage(meta, bare);
    if (trace.getSpanContext(sent) !== undefined) return sent;
    const span = this.parse(STRINGS.get(meta, 'traceparent'), STRINGS.get(meta, 'tracestate'));
    return span && trace.setSpanContext(sent, span);
  }

  get #hasPropagators(): boolean {
    return this.api.propagation.fields().length > 0;
  }

  #extractBaggage(meta: Carrier, context: Context): Context {
    const baggage = parseBaggage(this.api, STRINGS.get(meta, 'baggage'));
    return baggage === undefined ? context : this.api.propagation.setBaggage(context, baggage);
  }

  #injectW3c(carried: Record<string, string>, context: Context): void {
    const span = this.api.trace.getSpanContext(context);
    if (span !== undefined && this.api.isSpanContextValid(span)) {
      const { traceId, spanId, traceFlags, traceState } = span;
      carried['traceparent'] = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
      const state = traceState?.serialize() ?? '';
      if (state !== '') carried['tracestate'] = state;
    }
    const baggage = formatBaggage(this.api.propagation.getBaggage(context));
    if (baggage !== undefined) carried['baggage'] = baggage;
  }
}

/** Returns whether there may be anything for a propagator. */
function mayCarryTrace(meta: Carrier): boolean {
  for (const name in meta) if (name !== 'progressToken' && !name.startsWith(OF_PROTOCOL)) return true;
  return false;
}
