import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import { describe, expect, it } from '@jest/globals';
import { TaskEndedError } from '../../../../cli/call/task.errors.js';
import { ProbeError } from '../../../../lib/core/doctor/probe/probe-wire.js';
import { explainFailure, ServerFailureError } from '../../../../cli/server/explain-failure.js';
import { LoginNeededError } from '../../../../cli/server/stored-login-source.js';
import {
  DiscoveryFailedError,
  NoAuthorizationServerError,
  RedirectRefusedError,
  RegistrationUnavailableError,
} from '../../../../lib/client/authorization/index.js';
import { UsageError } from '../../../../cli/usage.error.js';

const URL_OF_DESK = 'https://desk.example.com/mcp';
const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' });

/** Gives what is thrown for a text that is no JSON. */
function findFault(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

/** Builds what the official client throws for an answer, of which the server says why; a proxy does not. */
function buildHttpError(code: SdkErrorCode, status: number, message?: string) {
  const answer = JSON.stringify({ jsonrpc: '2.0', error: { code: -32603, message } });
  const text = message === undefined ? '<html>' : answer;
  return new SdkHttpError(code, `HTTP ${status}`, { status, statusText: '', text });
}

describe('explainFailure', () => {
  it.each<[string, unknown, number, string]>([
    [
      'a wrong call',
      new UsageError('Missing argument: the endpoint URL'),
      2,
      'Missing argument: the endpoint URL',
    ],
    [
      'a login that is needed',
      new LoginNeededError({ serverUrl: URL_OF_DESK }),
      3,
      `  npx nestjs-mcp-cli login ${URL_OF_DESK}`,
    ],
    [
      'nowhere to log in',
      new NoAuthorizationServerError(URL_OF_DESK),
      3,
      'a fixed token to the other commands with "--token-env"',
    ],
    [
      'a client that is not known',
      new RegistrationUnavailableError(URL_OF_DESK, 'none'),
      3,
      'pass its ID as "--client-id"',
    ],
    [
      'no answer where one could log in',
      new DiscoveryFailedError({ url: URL_OF_DESK, problem: 'responded with status 401', status: 401 }),
      3,
      'or pass a token to the other commands with "--token-env"',
    ],
    [
      'a redirect',
      new RedirectRefusedError(URL_OF_DESK, 'https://desk.example.com/mcp/'),
      3,
      'if you trust the target, pass that URL',
    ],
    ['a redirect to nowhere', new RedirectRefusedError(URL_OF_DESK, undefined), 3, 'pass another URL'],
    [
      'a port that "fetch" asks nobody at',
      new TypeError('fetch failed', { cause: new Error('bad port') }),
      4,
      'The server has a port that web clients refuse to connect to: choose another',
    ],
    [
      'a page that the user has to open first',
      new UrlElicitationRequiredError(
        [
          {
            mode: 'url',
            elicitationId: '7',
            url: 'https://desk.example.com/connect',
            message: 'Connect\nit',
          },
        ],
        'Not connected',
      ),
      1,
      'open a page before you call again: Connect it at https://desk.example.com/connect',
    ],
    ['401 without a login', Object.assign(new Error('http'), { status: 401 }), 3, '401 Unauthorized'],
    [
      '403 with a reason',
      buildHttpError(SdkErrorCode.ClientHttpForbidden, 403, '"Host" is not allowed'),
      3,
      '403 Forbidden: "Host" is not allowed',
    ],
    [
      '503 with a reason',
      buildHttpError(SdkErrorCode.EraNegotiationFailed, 503, 'Tokens cannot\nbe checked'),
      4,
      'The server responds with 503: Tokens cannot be checked',
    ],
    [
      '503 of a proxy',
      buildHttpError(SdkErrorCode.EraNegotiationFailed, 503),
      4,
      'The server responds with 503: check its log, or the log of the proxy in front of it',
    ],
    ['403 without a scope', Object.assign(new Error('http'), { status: 403 }), 3, '403 Forbidden: '],
    [
      'a token that lacks a scope',
      new InsufficientScopeError({ requiredScope: 'desk:write' }),
      3,
      'does not allow "desk:write"',
    ],
    [
      'a token that lacks something',
      new InsufficientScopeError({}),
      3,
      'does not allow what the call requires',
    ],
    [
      'an error of JSON-RPC',
      new ProtocolError(-32_602, 'No such\u001b tool'),
      1,
      'rejected the request with -32602: No such',
    ],
    ['a task without a result', new TaskEndedError('t', 'failed', undefined), 1, 'has no result'],
    [
      'a port that is closed',
      refused,
      4,
      'The server refuses connections: start it, or check the host and port of its URL',
    ],
    [
      'a host without an address',
      Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }),
      4,
      'has a host name that does not exist in DNS: check the host of its URL',
    ],
    [
      'a URL where nothing is',
      new SdkError(SdkErrorCode.ClientHttpNotImplemented, 'Error POSTing', {
        status: 404,
        text: '{"message":"Cannot POST /"}',
      }),
      4,
      'Nothing serves MCP at this URL, which returns 404: check its path, which is often "/mcp"',
    ],
    ['a silent server', new ProbeError('did not respond within 5 ms'), 4, 'did not respond within 5 ms'],
    ['a time-out', new SdkError(SdkErrorCode.RequestTimeout, 'late'), 4, 'more time with "--timeout 120000"'],
    [
      'a time-out that is known',
      new SdkError(SdkErrorCode.RequestTimeout, 'late', { timeout: 5000 }),
      4,
      'more time with "--timeout 10000"',
    ],
    [
      'a page instead of an answer',
      new SdkError(SdkErrorCode.EraNegotiationFailed, 'unusable reply (Unexpected content type: text/html)'),
      4,
      'returns a web page instead of JSON-RPC: check the path of its URL',
    ],
    [
      'another type',
      new SdkError(SdkErrorCode.EraNegotiationFailed, 'unusable (Unexpected content type: text/plain)'),
      4,
      'it is "text/plain" instead of JSON',
    ],
    [
      'an answer without a type',
      new SdkError(SdkErrorCode.EraNegotiationFailed, 'unusable (Unexpected content type: null)'),
      4,
      'it has no "Content-Type"',
    ],
    [
      '400 in words',
      new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'Error POSTing', {
        status: 400,
        statusText: '',
        text: 'No session\nhere',
      }),
      4,
      'The server responds with 400: No session here',
    ],
    [
      '500 in words',
      new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'Error POSTing', {
        status: 500,
        statusText: '',
        text: 'boom',
      }),
      4,
      'The server responds with 500 (boom): check its log',
    ],
    [
      'the findings of a parser',
      new SdkError(SdkErrorCode.EraNegotiationFailed, 'failed: [ { "code": "invalid_union" } ]'),
      4,
      'it is not a JSON-RPC message',
    ],
    [
      'a connection that ended',
      new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'),
      4,
      'closed the connection before it responded',
    ],
    [
      'a refusal by HTTP+SSE',
      new Error('Error POSTing to endpoint (HTTP 404): <html>'),
      4,
      'Nothing serves MCP at this URL, which returns 404',
    ],
    [
      'a certificate that has expired',
      Object.assign(new Error('expired'), { code: 'CERT_HAS_EXPIRED' }),
      4,
      'has an expired certificate: renew it',
    ],
    ['another protocol', new SdkError(SdkErrorCode.InvalidResult, 'what'), 4, 'an unusable response: what'],
    ['an answer that is no JSON', findFault('<html>\u001b[31m'), 4, 'an unusable response: it is not JSON'],
    ['an answer without any text', findFault(''), 4, 'an unusable response: it is not JSON'],
    [
      'an answer of another form',
      JSONRPCMessageSchema.safeParse({ ok: true }).error,
      4,
      'an unusable response: it is not a JSON-RPC message',
    ],
  ])('gives %s its sentence and its exit code (CLI-20)', (_case, error, exitCode, message) => {
    expect(explainFailure(error)).toMatchObject({ exitCode, message: expect.stringContaining(message) });
    expect(explainFailure(error)?.message).not.toContain('\u001b');
  });

  it('finds the reason within what it is wrapped in (CLI-20)', () => {
    const fetchFailed = new TypeError('fetch failed', { cause: refused });
    const inData = new SdkError(SdkErrorCode.EraNegotiationFailed, 'no era', { cause: fetchFailed });
    expect(explainFailure(inData)).toEqual({
      exitCode: 4,
      message: expect.stringContaining('The server refuses connections'),
    });
    const login = new LoginNeededError({ serverUrl: URL_OF_DESK });
    expect(explainFailure(new Error('outer', { cause: login }))?.exitCode).toBe(3);
  });

  it('names the server that gave no answer (CLI-20)', () => {
    const place = 'http://desk.example.com/mcp';
    expect(explainFailure(new ServerFailureError(place, refused))?.message).toBe(
      `The server at "${place}" refuses connections: start it, or check the host and port of its URL`,
    );
    const nowhere = new SdkError(SdkErrorCode.ClientHttpNotImplemented, 'x', { status: 404 });
    expect(explainFailure(new ServerFailureError(place, nowhere))?.message).toContain(
      `Nothing serves MCP at "${place}", which returns 404`,
    );
  });

  it('cuts pages that come instead of answers (CLI-20)', () => {
    const error = new SdkError(SdkErrorCode.InvalidResult, 'x'.repeat(5_000));
    expect(explainFailure(error)?.message.length).toBeLessThan(400);
  });

  it.each([
    new TypeError('a fault of the program'),
    new DOMException('aborted', 'AbortError'),
    'text',
    undefined,
  ])('leaves %p to the program: it is no condition (CLI-20)', (error) => {
    expect(explainFailure(error)).toBeUndefined();
  });
});

describe('LoginNeededError', () => {
  it('names the scopes that the kept login lacks (CLI-20)', () => {
    const { message } = new LoginNeededError({ serverUrl: URL_OF_DESK, scopes: ['desk:read', 'a', 'b'] }, [
      'a',
      'b',
    ]);
    expect(message).toMatch(/^The login lacks the scopes "a", "b": run the following/);
  });

  it('quotes scopes that a shell would obey (CLI-20)', () => {
    const { message } = new LoginNeededError({
      serverUrl: URL_OF_DESK,
      scopes: ['desk:read', "$(reboot)';x"],
    });
    expect(message).toContain(`--scope=desk:read '--scope=$(reboot)'\\'';x'`);
  });
});
