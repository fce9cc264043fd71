import { afterEach, describe, expect, it } from '@jest/globals';
import * as api from '@opentelemetry/api';
import { parseBaggage, TraceContext } from '../../../../lib/core/telemetry/trace-context.js';
import { Observers } from '../../../../lib/core/log/observers.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${SPAN}-01`;
const META = { traceparent: TRACEPARENT, tracestate: 'vendor=one', baggage: 'user=ada%20l,tier=gold;secret' };

describe('TraceContext (SEP-414)', () => {
  const contexts = new TraceContext(api, new Observers(console));

  afterEach(() => api.propagation.disable());

  it('carries span, state and baggage there and back (OPS-01)', () => {
    const context = contexts.extract(META, api.ROOT_CONTEXT) ?? api.ROOT_CONTEXT;
    expect(api.trace.getSpanContext(context)).toMatchObject({ traceId: TRACE, spanId: SPAN, isRemote: true });
    expect(api.propagation.getBaggage(context)?.getEntry('user')?.value).toBe('ada l');
    expect(contexts.inject({ name: 'x' }, context)).toEqual({ name: 'x', _meta: META });
  });

  it('leaves what a sender put there (OPS-01)', () => {
    const context = contexts.extract(META, api.ROOT_CONTEXT) ?? api.ROOT_CONTEXT;
    const params = { _meta: { progressToken: 1, traceparent: 'own' } };
    expect(contexts.inject(params, context)).toMatchObject({
      _meta: { progressToken: 1, traceparent: 'own' },
    });
  });

  it.each([
    [{}],
    [{ traceparent: 7 }],
    [{ traceparent: `00-${'0'.repeat(32)}-${SPAN}-01` }],
    [{ baggage: 'user=ada' }],
    [{ traceparent: `${TRACEPARENT}${'-x'.repeat(9000)}` }],
  ])('finds no span in %j (OPS-01)', (meta) => {
    expect(contexts.extract(meta, api.ROOT_CONTEXT)).toBeUndefined();
  });

  it('takes the propagators that the application has registered (OPS-01)', () => {
    api.propagation.setGlobalPropagator({
      fields: () => ['own-trace'],
      inject: (_context, carrier) => void ((carrier as Record<string, string>)['own-trace'] = 'written'),
      extract: (context, carrier, getter) => {
        const spanId = getter.get(carrier, 'own-trace');
        if (typeof spanId !== 'string') return context;
        return api.trace.setSpanContext(context, { traceId: TRACE, spanId, traceFlags: 1 });
      },
    });
    const own = contexts.extract({ 'own-trace': 'b7ad6b7169203331' }, api.ROOT_CONTEXT) ?? api.ROOT_CONTEXT;
    expect(api.trace.getSpanContext(own)).toMatchObject({ spanId: 'b7ad6b7169203331' });
    expect(contexts.inject({}, own)).toEqual({ _meta: { 'own-trace': 'written' } });
    const w3c = contexts.extract(META, api.ROOT_CONTEXT) ?? api.ROOT_CONTEXT;
    expect(api.trace.getSpanContext(w3c)).toMatchObject({ spanId: SPAN });
  });
});

describe('parseBaggage (W3C Baggage §3.2)', () => {
  const read = (text: unknown) =>
    Object.fromEntries(
      (parseBaggage(api, text)?.getAllEntries() ?? []).map(([name, { value }]) => [name, value]),
    );

  it.each([
    ['a=1, b = 2 ;p=q', { a: '1', b: '2' }],
    ['a=%E4,b=2', { b: '2' }],
    ['=1,,b', {}],
    ['__proto__=x', { ['__proto__']: 'x' }],
    ['a='.padEnd(9000, 'x'), {}],
    [7, {}],
  ])('reads %j', (text, entries) => {
    expect(read(text)).toEqual(entries);
  });

  it('reads no more members than every receiver takes', () => {
    const many = Array.from({ length: 100 }, (_, index) => `a${index}=1`).join(',');
    expect(Object.keys(read(many))).toHaveLength(64);
  });
});
