import { describe, expect, it } from '@jest/globals';
import type { LogLevel } from '../../../../lib/core/protocol/log-level.js';
import { LOG_LEVELS } from '../../../../lib/core/protocol/log-level.js';
import { REVISIONS } from '../../../../lib/core/protocol/revisions.js';
import { buildContext, buildPeer, openSession, RecordingChannel, type Json } from '../../support/requests.js';

describe('RequestContext.progress (MCP basic/utilities/progress)', () => {
  function report(
    meta: Json | undefined,
    calls: readonly (readonly [number, number?, string?])[],
    version?: string,
  ) {
    const channel = new RecordingChannel();
    const peer = buildPeer(version);
    const context = buildContext('tools/call', { channel, peer, params: { ...(meta && { _meta: meta }) } });
    for (const call of calls) context.progress(...call);
    return channel.messages;
  }

  it.each(['token', '', 0, 7, -1])('repeats the token %j with its type (PROG-01)', (progressToken) => {
    expect(report({ progressToken }, [[1]])).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1 } },
    ]);
  });

  it.each([
    undefined,
    {},
    { progressToken: null },
    { progressToken: 1.5 },
    { progressToken: {} },
    { progressToken: true },
  ])('is silent for the metadata %j (PROG-01)', (meta) => {
    expect(report(meta, [[1], [2]])).toEqual([]);
  });

  it('increases, whatever a handler reports (PROG-01)', () => {
    const reported = [0, 1, 1, 0.5, 2, Number.NaN, 1.9, Infinity, 2.5, -1, 3];
    const messages = report(
      { progressToken: 1 },
      reported.map((progress) => [progress]),
    );
    expect(messages.map((message) => (message['params'] as Json)['progress'])).toEqual([0, 1, 2, 2.5, 3]);
  });

  it('can begin below zero (PROG-01)', () => {
    expect(report({ progressToken: 1 }, [[-10], [-5]])).toHaveLength(2);
  });

  it('tells total and message where they are given (PROG-01)', () => {
    const [both, total] = report({ progressToken: 1 }, [
      [1, 4, 'a quarter'],
      [2, 4],
    ]);
    expect(both!['params']).toEqual({ progressToken: 1, progress: 1, total: 4, message: 'a quarter' });
    expect(total!['params']).toEqual({ progressToken: 1, progress: 2, total: 4 });
  });

  it.each([Number.NaN, Infinity, -Infinity])(
    'leaves out the total %d, which JSON cannot say (PROG-01)',
    (total) => {
      const [message] = report({ progressToken: 1 }, [[1, total]]);
      expect(message!['params']).toEqual({ progressToken: 1, progress: 1 });
    },
  );

  it.each(REVISIONS)('gives $version a message only where it knows of one (VER-03)', ({ version }) => {
    const [message] = report({ progressToken: 1 }, [[1, 2, 'half']], version);
    expect('message' in (message!['params'] as Json)).toBe(version !== '2024-11-05');
  });
});

describe('RequestContext.log (MCP server/utilities/logging)', () => {
  function log(
    minimum: LogLevel | undefined,
    ...calls: Parameters<ReturnType<typeof buildContext>['log']>[]
  ) {
    const channel = new RecordingChannel();
    const context = buildContext('tools/call', {
      channel,
      peer: buildPeer(undefined, { logLevel: minimum }),
    });
    for (const call of calls) context.log(...call);
    return channel.messages.map((message) => message['params']);
  }

  it.each(LOG_LEVELS)('sends what is at or above the level "%s" (NOTE-05)', (minimum) => {
    const sent = log(minimum, ...LOG_LEVELS.map((level): [LogLevel, unknown] => [level, 'x']));
    expect(sent).toEqual(
      LOG_LEVELS.slice(LOG_LEVELS.indexOf(minimum)).map((level) => ({ level, data: 'x' })),
    );
  });

  it('is silent for a peer that wants none (NOTE-05)', () => {
    expect(log(undefined, ['emergency', 'x'])).toEqual([]);
  });

  it("goes by the session's level as it is at that moment (NOTE-05)", () => {
    const channel = new RecordingChannel();
    const session = openSession();
    const context = buildContext('tools/call', { channel, peer: session });
    context.log('debug', 1);
    session.setLogLevel('debug');
    context.log('debug', 2);
    session.setLogLevel('error');
    context.log('warning', 3);
    expect(channel.messages.map((message) => (message['params'] as Json)['data'])).toEqual([2]);
  });

  it('names the logger and carries any JSON (NOTE-05)', () => {
    expect(log('debug', ['info', { a: [1, null] }, 'export'], ['info', null])).toEqual([
      { level: 'info', logger: 'export', data: { a: [1, null] } },
      { level: 'info', data: null },
    ]);
  });
});
