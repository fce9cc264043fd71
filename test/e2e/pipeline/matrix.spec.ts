import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootPipeline, KINDS, openPipeline, type Kind, type Order } from './pipeline.app.js';

type PipelineCall = (kind: Kind, order?: Order) => Promise<string>;

const PLACES = ['global', 'class', 'method'] as const;

describe.each(PLACES)('Enhancers: %s', (place) => {
  let app: RunningApp;
  let call: PipelineCall;

  beforeAll(async () => {
    app = await bootPipeline(place);
    call = await openPipeline(app.url);
  });

  afterAll(() => app.close());

  it.each(KINDS)('a pipe changes the arguments of a %s (MOD-03)', async (kind) => {
    expect(await call(kind)).toMatch(/piped$/);
  });

  it.each(KINDS)('an interceptor changes what a %s gives (MOD-03)', async (kind) => {
    expect(await call(kind)).toBe('intercepted piped');
  });

  it.each(KINDS)('a filter answers for a %s that fails (MOD-03)', async (kind) => {
    expect(await call(kind, 'fail')).toBe('filtered');
  });

  it.each(KINDS)('a guard refuses a %s (MOD-03)', async (kind) => {
    const refused = kind === 'tool' ? 'isError: Forbidden resource' : 'error -32602: Forbidden resource';
    expect(await call(kind, 'refuse')).toBe(refused);
  });
});

describe('Global enhancers without "globalEnhancers"', () => {
  let app: RunningApp;
  let call: PipelineCall;

  beforeAll(async () => {
    app = await bootPipeline('global without "globalEnhancers"');
    call = await openPipeline(app.url);
  });

  afterAll(() => app.close());

  it.each(KINDS)('leave a %s alone (MOD-03)', async (kind) => {
    expect(await call(kind)).toBe('plain');
    expect(await call(kind, 'refuse')).toBe('plain');
    expect(await call(kind, 'fail')).toMatch(/Internal error \(incident [0-9a-f]{12}\)$/);
  });
});
