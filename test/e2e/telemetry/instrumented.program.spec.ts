import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SpanKind } from '@opentelemetry/api';
import { perRequest } from '../../support/clients/json-rpc.js';
import { NodeProgram } from '../../support/programs/node-program.js';
import { CALLER } from '../../support/records/recorded-traces.js';

const PROGRAM = fileURLToPath(new URL('../../../.build/test/programs/instrumented-app.js', import.meta.url));
const OTHER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const HEADER = `00-${OTHER.traceId}-${OTHER.spanId}-01`;

interface PrintedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly scope: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parent?: string;
  readonly links: readonly string[];
}

describe('A server in a process with the instrumentations of HTTP and Nest', () => {
  let spans: readonly PrintedSpan[];

  beforeAll(async () => {
    const program = new NodeProgram(PROGRAM);
    await program.prints('ready ');
    const client = perRequest(/ready (\S+)/.exec(program.stdout)?.[1] ?? '');
    const headers = { traceparent: HEADER };
    await client.request(
      'tools/call',
      { name: 'ping' },
      { headers, meta: { traceparent: CALLER.traceparent } },
    );
    await client.request('tools/call', { name: 'ping' }, { headers });
    await program.stop('SIGUSR2');
    spans = JSON.parse(/spans (.*)/.exec(program.stdout)?.[1] ?? '[]') as PrintedSpan[];
  }, 60_000);

  const ofHttp = () =>
    spans.filter(({ scope, kind }) => scope.endsWith('instrumentation-http') && kind === SpanKind.SERVER);
  const ofCalls = () => spans.filter(({ name }) => name === 'tools/call ping');

  it('puts calls below the span of `_meta`, and links that of HTTP (OPS-01)', () => {
    const [http] = ofHttp();
    const [call] = ofCalls();
    expect(http).toMatchObject({ traceId: OTHER.traceId, parent: OTHER.spanId });
    expect(call).toMatchObject({ kind: SpanKind.SERVER, traceId: CALLER.traceId, parent: CALLER.spanId });
    expect(call?.links).toEqual([http?.spanId]);
  });

  it('puts calls without a context of their own below the span of HTTP (OPS-01)', () => {
    const [, http] = ofHttp();
    const [, call] = ofCalls();
    expect(call).toMatchObject({ traceId: OTHER.traceId, parent: http?.spanId, links: [] });
  });

  it('puts what handlers do below their calls (OPS-01)', () => {
    const queries = spans.filter(({ name }) => name === 'SELECT 1');
    expect(queries.map(({ parent }) => parent)).toEqual(ofCalls().map(({ spanId }) => spanId));
  });
});
