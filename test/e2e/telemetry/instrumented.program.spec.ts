import { existsSync } from 'node:fs';
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

/** The instrumentation of Nest patches none but releases before 12, which `npm run test:nest-11` installs. */
const OLDER = new URL('../../nest-11/node_modules/@nestjs/core', import.meta.url);
const RELEASES = ['12', ...(existsSync(OLDER) ? ['11'] : [])];

describe.each(RELEASES)('A server of Nest %s with the instrumentations of HTTP and Nest', (release) => {
  let spans: readonly PrintedSpan[];

  beforeAll(async () => {
    const program = new NodeProgram(PROGRAM, { NEST: release });
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
  });

  const of = (instrumentation: string) =>
    spans.filter(({ scope, traceId }) => scope.endsWith(instrumentation) && traceId === OTHER.traceId);
  const ofHttp = () => of('instrumentation-http').filter(({ kind }) => kind === SpanKind.SERVER);
  const ofCalls = () => spans.filter(({ name }) => name === 'tools/call ping');
  /** In which span calls come in: that of HTTP, or of the handler behind it if Nest is patched. */
  const ofCarriers = () =>
    release === '12' ? ofHttp() : of('nestjs-core').filter(({ name }) => name === 'post');

  it('puts calls below the span of `_meta`, and links the one that they come in with (OPS-01)', () => {
    const [http] = ofHttp();
    const [call] = ofCalls();
    const [carrier] = ofCarriers();
    expect(http).toMatchObject({ traceId: OTHER.traceId, parent: OTHER.spanId });
    expect(call).toMatchObject({ kind: SpanKind.SERVER, traceId: CALLER.traceId, parent: CALLER.spanId });
    expect(call?.links).toEqual([carrier?.spanId]);
  });

  it('puts calls without a context of their own below the span that they come in with (OPS-01)', () => {
    const [, carrier] = ofCarriers();
    const [, call] = ofCalls();
    expect(call).toMatchObject({ traceId: OTHER.traceId, parent: carrier?.spanId, links: [] });
  });

  it('has spans of Nest between those of HTTP and calls, if Nest is patched (OPS-01)', () => {
    const controllers = of('nestjs-core').filter(({ name }) => name === 'McpController.post');
    const carriers = ofCarriers();
    const isPatched = release !== '12';
    expect([controllers.map(({ parent }) => parent), carriers.map(({ parent }) => parent)]).toEqual(
      isPatched
        ? [ofHttp().map(({ spanId }) => spanId), controllers.map(({ spanId }) => spanId)]
        : [[], ofHttp().map(({ parent }) => parent)],
    );
  });

  it('puts what handlers do below their calls (OPS-01)', () => {
    const queries = spans.filter(({ name }) => name === 'SELECT 1');
    expect(queries.map(({ parent }) => parent)).toEqual(ofCalls().map(({ spanId }) => spanId));
  });
});
