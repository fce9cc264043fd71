import { describe, expect, it } from '@jest/globals';
import { AuthError, McpError, ToolError, type McpContext } from 'nestjs-mcp';
import { McpClientLimitedError, McpUrlElicitationRequiredError } from 'nestjs-mcp/client-module';
import { explainFailure } from '../../../../lib/gateway/calls/explain-failure.js';
import {
  CallerUnknownError,
  McpCapabilityMissingError,
  McpClientUnavailableError,
  McpTaskEndedError,
} from '../../../../lib/client/module/errors.js';

const ADDRESS = 'https://secret.internal/mcp';

const createContext = (method = 'tools/call', kind = 'handshake', signal = new AbortController().signal) =>
  ({
    signal,
    method,
    params: { uri: 'files+note://1' },
    revision: { kind, resourceNotFoundCode: -32002 },
  }) as unknown as McpContext;

const explain = (failure: unknown, context = createContext()) =>
  explainFailure(failure, { server: 'files', context });

describe('explainFailure()', () => {
  it.each<[string, unknown, string, boolean]>([
    ['a timeout', { code: 'REQUEST_TIMEOUT', message: ADDRESS }, 'did not respond in time', true],
    ['a broken connection', new Error(`ECONNRESET ${ADDRESS}`), 'The server "files" failed', true],
    [
      'a server that cannot be reached',
      new McpClientUnavailableError('files', { server: ADDRESS, waitedMs: 1, cause: new Error('x') }),
      'The server "files" is not available: try again later',
      true,
    ],
    ['an error of the server', { code: -32603, message: 'no luck' }, 'no luck', false],
    ['an unknown caller', new CallerUnknownError('files', 'x'), 'The server "files" requires a login', false],
    [
      'a missing capability',
      new McpCapabilityMissingError('files', { sampling: {} }, undefined),
      'requires capabilities that this client did not declare',
      false,
    ],
    [
      'a task that ends',
      new McpTaskEndedError('files', { taskId: '1', status: 'cancelled' }),
      'The task on the server "files" ended with the status "cancelled"',
      false,
    ],
  ])('explains %s to the model, without addresses (GATE-02)', (_, failure, text, isOutage) => {
    const explained = explain(failure);
    expect(explained).toMatchObject({ error: { message: expect.stringContaining(text) }, isOutage });
    expect(explained.error).toBeInstanceOf(ToolError);
    expect(String(explained.error)).not.toContain('secret.internal');
  });

  it('does not blame the server for a timeout of a call that has waited for its client (GATE-02)', () => {
    const call = { server: 'files', context: createContext(), hasAsked: true };
    expect(explainFailure({ code: 'REQUEST_TIMEOUT' }, call)).toMatchObject({
      error: {
        message: 'The call to the server "files" exceeded its time limit, including the wait for input',
      },
      isOutage: false,
    });
    expect(explainFailure(new Error('ECONNRESET'), call)).toMatchObject({ isOutage: true });
  });

  it('sends other methods an error with the same text (GATE-02)', () => {
    const { error } = explain({ code: 'REQUEST_TIMEOUT' }, createContext('resources/read'));
    expect(error).toBeInstanceOf(McpError);
    expect(error).toMatchObject({ code: -32603, message: 'The server "files" did not respond in time' });
  });

  it('lets a client of the stateless protocol declare what is missing (GATE-02)', () => {
    const missing = new McpCapabilityMissingError('files', { sampling: {} }, undefined);
    const { error } = explain(missing, createContext('tools/call', 'perRequest'));
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: {} } },
      httpStatus: 400,
    });
  });

  it('passes on refused arguments, without the prefix of the official client (GATE-02)', () => {
    expect(explain({ code: -32602, message: 'MCP error -32602: "a" is wrong' })).toMatchObject({
      error: { code: -32602, message: '"a" is wrong' },
      isOutage: false,
    });
  });

  it('names a missing resource as the gateway does (GATE-02)', () => {
    const { error } = explain({ code: -32002, message: 'note://1' }, createContext('resources/read'));
    expect(error).toMatchObject({ code: -32002, data: { uri: 'files+note://1' } });
  });

  it('passes on limits and pages (GATE-02)', () => {
    const limited = new McpClientLimitedError('files', { retryAfterMs: 70 }, undefined);
    expect(explain(limited)).toMatchObject({
      error: { code: -32023, message: 'The server "files" is rate limiting calls: try again later' },
      isOutage: false,
    });
    const page = { mode: 'url', elicitationId: '7', url: 'https://a.example/pay', message: 'Pay' } as const;
    const required = new McpUrlElicitationRequiredError('files', [page], undefined);
    expect(explain(required)).toMatchObject({ error: { pages: [page] }, isOutage: false });
  });

  it('passes on what this server itself refuses (GATE-02)', () => {
    const own = new AuthError(403, 'closed to guests');
    expect(explain(new Error('x', { cause: own }))).toEqual({ error: own, isOutage: false });
  });

  it('gives the reason of a cancellation (GATE-02)', () => {
    const stop = new AbortController();
    stop.abort('cancelled');
    expect(explain(new Error('x'), createContext('tools/call', 'handshake', stop.signal))).toEqual({
      error: 'cancelled',
      isOutage: false,
    });
  });

  it('limits the length of what a server says (GATE-02)', () => {
    const { error } = explain({ code: -32603, message: 'x'.repeat(5000) });
    expect((error as Error).message.length).toBeLessThan(1100);
  });
});
