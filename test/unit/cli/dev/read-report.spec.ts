import { describe, expect, it } from '@jest/globals';
import { readReport } from '../../../../cli/dev/read-report.js';

/** An application may have another version of the package than the command. */
describe('readReport', () => {
  it.each([undefined, null, 'call', 1, [], {}, { type: 'news' }, { type: ['call'] }])(
    'reads nothing from %j',
    (value) => {
      expect(readReport(value)).toBeUndefined();
    },
  );

  it('reads a call, whatever is missing or of another kind', () => {
    const call = { type: 'call', server: 'default', method: ['tools/call'], errorCode: '1', subject: 7 };
    expect(readReport(call)).toEqual({
      type: 'call',
      server: 'default',
      event: '',
      outcome: '',
      durationMs: 0,
    });
  });

  it('leaves out what it does not know of an offer', () => {
    const known = { kind: 'tool', name: 'find', parts: { description: 'a1' } };
    const entries = [known, { kind: 'planet', name: 'x' }, 'tool', { kind: 'tool', parts: [] }];
    expect(readReport({ type: 'offer', server: 'default', entries, endpoint: 'here' })).toEqual({
      type: 'offer',
      server: 'default',
      endpoint: undefined,
      entries: [known, { kind: 'tool', name: '', parts: {} }],
    });
  });

  it('reads where a server listens', () => {
    const endpoint = {
      host: '127.0.0.1',
      port: '3000',
      path: '/mcp',
      revisions: ['2026-07-28', 7],
      isSecure: 1,
    };
    expect(readReport({ type: 'offer', server: 'default', endpoint })).toMatchObject({
      endpoint: { host: '127.0.0.1', path: '/mcp', revisions: ['2026-07-28', ''], isSecure: false },
      entries: [],
    });
  });

  it('reads a failure and a loss', () => {
    expect(readReport({ type: 'failure', name: 'Error', message: 1, stack: 'at x' })).toEqual({
      type: 'failure',
      name: 'Error',
      message: '',
      stack: 'at x',
    });
    expect(readReport({ type: 'loss', calls: 3 })).toEqual({ type: 'loss', calls: 3 });
  });
});
