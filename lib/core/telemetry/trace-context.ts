import type * as Api from '@opentelemetry/api';
import type { Baggage, BaggageEntry, Context, SpanContext, TextMapGetter } from '@opentelemetry/api';
import type { Observers } from '../log/observers.js';
import { explainMissingPackage } from '../package/missing-package.js';
import type { Params } from '../protocol/json-rpc.js';
import { PROTOCOL_NAMESPACE } from '../protocol/meta-keys.js';

/** The span and context package. */
export type TelemetryApi = typeof Api;

/**
 * Loads the span package, which is needed only for tracing.
 *
 * @param explain creates the error for a missing package
 */
export async function importTelemetryApi(
  explain: (needed: string, cause: unknown) => Error,
): Promise<TelemetryApi> {
  try {
    return await import('@opentelemetry/api');
  } catch (cause) {
    throw explainMissingPackage('@opentelemetry/api', cause, (needed) => explain(needed, cause));
  }
}

/** A propagated context, under its propagators' names. */
export type CarriedContext = { readonly [name: string]: string };

/** The trace properties in `_meta`, in addition to those that the application's propagators set. */
type Carrier = { readonly [name: string]: unknown };

/** The length limit for strings that propagators read from `_meta`. */
const MAXIMUM_CHARACTERS = 8192;

const STRINGS: TextMapGetter<Carrier> = {
  keys: (carrier) => Object.keys(carrier),
  get: (carrier, key) => {
    const value = Object.hasOwn(carrier, key) ? carrier[key] : undefined;
    return typeof value === 'string' && value.length <= MAXIMUM_CHARACTERS ? value : undefined;
  },
};

const PROPAGATOR = 'A propagator';

/** The protocol's own keys in `_meta`, such as the version in stateless requests, do not belong to a trace. */
const OF_PROTOCOL = `${PROTOCOL_NAMESPACE}/`;

/**
 * Propagates a trace context in `_meta`, with the application's registered propagators, or else in W3C format.
 *
 * @see MCP SEP-414, OpenTelemetry semantic conventions for the Model Context Protocol, "Context propagation"
 */
export class TraceContext {
  constructor(
    private readonly api: TelemetryApi,
    private readonly observers: Observers,
  ) {}

  /** Returns the context that a message carries, or `undefined` if it does not name a span. */
  extract(meta: Carrier, context: Context): Context | undefined {
    if (!mayCarryTrace(meta)) return undefined;
    return this.observers.run(PROPAGATOR, () => this.#extract(meta, context));
  }

  /** Reads the span that a `traceparent` names. Returns `undefined` if it is invalid. */
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

/** Returns whether there may be anything for a propagator to read. */
function mayCarryTrace(meta: Carrier): boolean {
  for (const name in meta) if (name !== 'progressToken' && !name.startsWith(OF_PROTOCOL)) return true;
  return false;
}

/** Version 00 has 55 characters; a later one may be longer, but a caller's input must stay short. */
const LONGEST_TRACEPARENT = 512;

const TRACEPARENT =
  /^(?!ff)(?<version>[\da-f]{2})-(?!0{32})(?<traceId>[\da-f]{32})-(?!0{16})(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})(?<rest>-.*)?$/;

/** The defined flags: `sampled` and `random-trace-id`. */
const KNOWN_FLAGS = 0b11;

/**
 * Reads the span that a `traceparent` names. Returns `undefined` if it is invalid.
 *
 * @see W3C Trace Context Level 2 §3.2, "Versioning of traceparent"
 */
export function parseTraceparent(value: unknown): SpanContext | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_TRACEPARENT) return undefined;
  const { version, traceId, spanId, flags, rest } = TRACEPARENT.exec(value)?.groups ?? {};
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  // Only later versions may have more fields.
  if (version === '00' && rest !== undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & KNOWN_FLAGS, isRemote: true };
}

/** The size that every receiver must accept (W3C Baggage §3.3.2). Anything beyond it is not propagated. */
const LONGEST_BAGGAGE = 8192;
const MAXIMUM_MEMBERS = 64;

const NAME = /^[!#$%&'*+\-.^_`|~\w]+$/;

/**
 * Parses `baggage`. Returns `undefined` if nothing in it can be read.
 *
 * @see W3C Baggage §3.2
 */
export function parseBaggage(api: TelemetryApi, value: unknown): Baggage | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_BAGGAGE) return undefined;
  const entries: Record<string, BaggageEntry> = Object.create(null);
  for (const member of value.split(',', MAXIMUM_MEMBERS)) {
    const [pair = '', ...metadata] = member.split(';');
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    const text = decode(pair.slice(at + 1).trim());
    if (!NAME.test(name) || text === undefined) continue;
    const properties = metadata.join(';');
    entries[name] = {
      value: text,
      ...(properties !== '' && { metadata: api.baggageEntryMetadataFromString(properties) }),
    };
  }
  return Object.keys(entries).length === 0 ? undefined : api.propagation.createBaggage(entries);
}

/** Formats `baggage` up to the size that every receiver must accept. Returns `undefined` if there is none. */
export function formatBaggage(baggage: Baggage | undefined): string | undefined {
  let text = '';
  for (const [name, { value, metadata }] of baggage?.getAllEntries().slice(0, MAXIMUM_MEMBERS) ?? []) {
    const properties = metadata === undefined ? '' : `;${metadata.toString()}`;
    const member = `${text === '' ? '' : ','}${name}=${encodeURIComponent(value)}${properties}`;
    if (text.length + member.length <= LONGEST_BAGGAGE) text += member;
  }
  return text === '' ? undefined : text;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
