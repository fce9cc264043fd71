import { describe, expect, it } from '@jest/globals';
import type { JsonRpcRequest } from '../../../../../lib/core/protocol/json-rpc.js';
import { McpError } from '../../../../../lib/core/protocol/mcp.error.js';
import { MetaKey } from '../../../../../lib/core/protocol/meta-keys.js';
import {
  namesPerRequestVersion,
  parsePerRequestClaim,
  type RequestHeaders,
} from '../../../../../lib/core/protocol/headers/per-request-claim.js';

type Meta = { readonly [key: string]: unknown };

const CLAIM: Meta = { [MetaKey.protocolVersion]: '2026-07-28', [MetaKey.clientCapabilities]: {} };

function buildCall(meta: Meta | undefined, params: object = { name: 'echo' }, method = 'tools/call') {
  return {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { ...params, ...(meta && { _meta: meta }) },
  } as JsonRpcRequest;
}

function buildHeaders(changes: RequestHeaders = {}): RequestHeaders {
  return {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'echo',
    ...changes,
  };
}

function refuse(request: JsonRpcRequest, headers?: RequestHeaders): McpError {
  try {
    parsePerRequestClaim(request, headers);
  } catch (error) {
    if (error instanceof McpError) return error;
    throw error;
  }
  throw new Error('Expected a refusal');
}

const without = (key: string): Meta =>
  Object.fromEntries(Object.entries(CLAIM).filter(([name]) => name !== key));

describe('parsePerRequestClaim (MCP 2026-07-28 basic/transports)', () => {
  it('gives revision, capabilities, client and level of a request of the stateless wire (VER-01)', () => {
    const meta = {
      ...CLAIM,
      [MetaKey.clientCapabilities]: { roots: {} },
      [MetaKey.clientInfo]: { name: 'client', version: '1' },
      [MetaKey.logLevel]: 'warning',
    };
    const claim = parsePerRequestClaim(buildCall(meta), buildHeaders());
    expect(claim).toMatchObject({
      capabilities: { roots: {} },
      info: { name: 'client', version: '1' },
      logLevel: 'warning',
    });
    expect(claim?.revision.version).toBe('2026-07-28');
  });

  it('asks for neither the client nor a level (VER-04)', () => {
    const claim = parsePerRequestClaim(buildCall(CLAIM), buildHeaders());
    expect(Object.keys(claim ?? {})).toEqual(['revision', 'capabilities']);
  });

  it('drops capabilities that are none (VER-04)', () => {
    const meta = {
      ...CLAIM,
      [MetaKey.clientCapabilities]: { sampling: null, roots: {}, elicitation: false },
    };
    expect(parsePerRequestClaim(buildCall(meta), buildHeaders())?.capabilities).toEqual({ roots: {} });
  });

  it('drops what cannot be a client (VER-04)', () => {
    const meta = { ...CLAIM, [MetaKey.clientInfo]: 'somebody' };
    expect(parsePerRequestClaim(buildCall(meta), buildHeaders())).not.toHaveProperty('info');
  });

  it.each([
    ['no header and no _meta', undefined, {}],
    ['no header and an empty _meta', {}, {}],
    ['a handshake version in the header', undefined, { 'mcp-protocol-version': '2025-11-25' }],
    ['an unknown old version in the header', undefined, { 'mcp-protocol-version': '2024-01-01' }],
    ['a header that is no version', undefined, { 'mcp-protocol-version': 'v3' }],
    ['capabilities alone', { [MetaKey.clientCapabilities]: {} }, {}],
    ['a progress token alone', { progressToken: 1 }, { 'mcp-protocol-version': '2025-06-18' }],
  ])('leaves a request with %s to the handshake revisions (VER-01)', (_what, meta, headers) => {
    expect(parsePerRequestClaim(buildCall(meta), headers)).toBeUndefined();
    expect(parsePerRequestClaim(buildCall(meta, {}, 'initialize'), headers)).toBeUndefined();
  });

  it('classifies by the body even where the method is "initialize" (VER-01)', () => {
    const request = buildCall(CLAIM, {}, 'initialize');
    const claim = parsePerRequestClaim(request, buildHeaders({ 'mcp-method': 'initialize' }));
    expect(claim?.revision.kind).toBe('perRequest');
  });

  it.each<[string, Meta | undefined, number]>([
    ['no _meta', undefined, -32602],
    ['an empty _meta', {}, -32602],
    ['a _meta without the version', without(MetaKey.protocolVersion), -32602],
    ['a version that is no text', { ...CLAIM, [MetaKey.protocolVersion]: 20260728 }, -32602],
    ['the version null', { ...CLAIM, [MetaKey.protocolVersion]: null }, -32602],
    ['no capabilities', without(MetaKey.clientCapabilities), -32602],
    ['capabilities that are an array', { ...CLAIM, [MetaKey.clientCapabilities]: [] }, -32602],
    ['the capabilities null', { ...CLAIM, [MetaKey.clientCapabilities]: null }, -32602],
  ])('answers %s with %d and HTTP status 400 (VER-04)', (_what, meta, code) => {
    expect(refuse(buildCall(meta), buildHeaders())).toMatchObject({ code, httpStatus: 400 });
  });

  it('answers "initialize" under a header of the stateless wire with -32020 (VER-04)', () => {
    const request = buildCall(undefined, {}, 'initialize');
    expect(refuse(request, buildHeaders())).toMatchObject({ code: -32020, httpStatus: 400 });
  });

  it.each<[string, RequestHeaders]>([
    ['no version header', { 'mcp-protocol-version': undefined }],
    ['another version in the header', { 'mcp-protocol-version': '2025-11-25' }],
    ['no Mcp-Method', { 'mcp-method': undefined }],
    ['another Mcp-Method', { 'mcp-method': 'tools/list' }],
    ['an Mcp-Method in other case', { 'mcp-method': 'Tools/Call' }],
    ['no Mcp-Name', { 'mcp-name': undefined }],
    ['another Mcp-Name', { 'mcp-name': 'Echo' }],
    ['an Mcp-Name with broken base64', { 'mcp-name': '=?base64?ZWNobw=?=' }],
    ['an Mcp-Name twice', { 'mcp-name': 'echo, echo' }],
  ])('answers %s with -32020 and HTTP status 400 (VER-04)', (_what, headers) => {
    expect(refuse(buildCall(CLAIM), buildHeaders(headers))).toMatchObject({ code: -32020, httpStatus: 400 });
  });

  it.each(['2025-11-25', '2024-11-05', '2027-01-01', 'v999.0.0', ''])(
    'answers the version %j with -32022, what is served and what was asked for (VER-04)',
    (version) => {
      const meta = { ...CLAIM, [MetaKey.protocolVersion]: version };
      expect(refuse(buildCall(meta), buildHeaders({ 'mcp-protocol-version': version }))).toMatchObject({
        code: -32022,
        httpStatus: 400,
        data: { supported: ['2026-07-28'], requested: version },
      });
    },
  );

  /** Each rung is wrong together with all below it: the topmost decides. */
  it.each<[string, Meta, RequestHeaders, number, string]>([
    ['_meta', { [MetaKey.protocolVersion]: 'v9' }, {}, -32602, 'clientCapabilities'],
    ['absent header', { ...CLAIM, [MetaKey.protocolVersion]: 'v9' }, {}, -32020, 'is missing'],
    [
      'different header',
      { ...CLAIM, [MetaKey.protocolVersion]: 'v9' },
      { 'mcp-protocol-version': '2026-07-28' },
      -32020,
      'differs from the version',
    ],
    [
      'version not served',
      { ...CLAIM, [MetaKey.protocolVersion]: 'v9' },
      { 'mcp-protocol-version': 'v9' },
      -32022,
      'v9',
    ],
    ['Mcp-Method', CLAIM, { 'mcp-protocol-version': '2026-07-28' }, -32020, 'Mcp-Method'],
    [
      'Mcp-Name',
      { ...CLAIM, [MetaKey.logLevel]: 'loud' },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' },
      -32020,
      'Mcp-Name',
    ],
    ['log level', { ...CLAIM, [MetaKey.logLevel]: 'loud' }, buildHeaders(), -32602, 'logLevel'],
  ])('checks in the published order: %s (VER-04)', (_rung, meta, headers, code, text) => {
    const error = refuse(buildCall(meta), headers);
    expect(error.code).toBe(code);
    expect(error.message).toContain(text);
  });

  it('checks no headers where the transport has none (VER-04)', () => {
    expect(parsePerRequestClaim(buildCall(CLAIM))?.revision.version).toBe('2026-07-28');
    expect(refuse(buildCall({ ...CLAIM, [MetaKey.protocolVersion]: 'v9' })).code).toBe(-32022);
  });

  it.each([
    ['tools/call', { name: 'échelle 🔧' }, '=?base64?w6ljaGVsbGUg8J+Upw==?='],
    ['prompts/get', { name: 'greet' }, 'greet'],
    ['prompts/get', { name: 'greet' }, '=?base64?Z3JlZXQ=?='],
    ['resources/read', { uri: 'desk://1' }, 'desk://1'],
  ])('compares the decoded Mcp-Name of %s (VER-04)', (method, params, name) => {
    const headers = buildHeaders({ 'mcp-method': method, 'mcp-name': name });
    expect(parsePerRequestClaim(buildCall(CLAIM, params, method), headers)).toBeDefined();
  });

  it.each<[string, object, string]>([
    ['text that only looks encoded', { name: '=?base64?ZWNobw==?=' }, '=?base64?ZWNobw==?='],
    ['a character that no header may have', { name: 'é' }, 'é'],
    ['a name that is no text', { name: 7 }, '7'],
    ['no name', {}, 'undefined'],
  ])('does not take for the same: %s (VER-04)', (_what, params, name) => {
    expect(refuse(buildCall(CLAIM, params), buildHeaders({ 'mcp-name': name })).code).toBe(-32020);
  });

  it('asks for Mcp-Name only where the method has a name (VER-04)', () => {
    const headers = buildHeaders({ 'mcp-method': 'tools/list', 'mcp-name': undefined });
    expect(parsePerRequestClaim(buildCall(CLAIM, {}, 'tools/list'), headers)).toBeDefined();
  });

  it('takes no inherited member for a claim (VER-01)', () => {
    const params = JSON.parse(
      `{"_meta":{"__proto__":{"${MetaKey.protocolVersion}":"2026-07-28"}}}`,
    ) as object;
    expect(parsePerRequestClaim(buildCall(undefined, params))).toBeUndefined();
  });
});

describe('namesPerRequestVersion', () => {
  it.each<[string | string[] | undefined, boolean]>([
    ['2026-07-28', true],
    ['2099-01-01', true],
    ['2025-11-25', false],
    ['2024-11-05', false],
    ['v2026-07-28', false],
    ['2026-07-28 ', false],
    ['2026-7-28', false],
    ['', false],
    [undefined, false],
    [['2026-07-28', '2026-07-28'], false],
  ])('%j: %p (VER-01)', (header, isNamed) => {
    expect(namesPerRequestVersion(header)).toBe(isNamed);
  });
});
