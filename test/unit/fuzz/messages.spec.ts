import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { McpError } from '../../../lib/core/protocol/mcp.error.js';
import { MetaKey } from '../../../lib/core/protocol/meta-keys.js';
import { findRequestId, parseJson, parseMessage } from '../../../lib/core/protocol/parse-message.js';
import { parsePerRequestClaim } from '../../../lib/core/protocol/headers/per-request-claim.js';
import { parseBatch } from '../../../lib/server/transport/http/handlers/requests.js';
import { formatHeaderValue } from '../../../lib/core/protocol/headers/header-value.js';
import { anyText, assertProperty, wellFormedText } from './assert-property.js';

const VERSION = '2026-07-28';

const id = fc.oneof(anyText, fc.maxSafeInteger());
const params = fc.dictionary(anyText, fc.jsonValue());
const request = fc.record({
  jsonrpc: fc.constant('2.0' as const),
  id,
  method: fc.string({ minLength: 1 }),
  params,
});

/** A member of a message is what it never is. */
const spoilt = fc
  .tuple(request, fc.constantFrom('jsonrpc', 'id', 'method', 'params'), fc.jsonValue())
  .map(([message, member, value]) => ({ ...message, [member]: value }));

function catchRefusal(parse: () => unknown): McpError | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (error instanceof McpError) return error;
    throw error;
  }
}

describe('Any message (JSON-RPC 2.0 §4)', () => {
  it('is a request with every id, method and parameters that may be (SAFE-01) (CORE-01)', () => {
    assertProperty([request], (message) => {
      delete (message.params as Record<string, unknown>)['_meta'];
      const parsed = parseMessage(parseJson(JSON.stringify(message)));
      expect(parsed.kind).toBe('request');
      expect(JSON.stringify(parsed.message)).toBe(JSON.stringify(message));
      expect(findRequestId(message)).toBe(message.id);
    });
  });

  it('is a notification without its id (SAFE-01) (CORE-01)', () => {
    assertProperty([request], ({ id: _id, params: _params, ...message }) => {
      expect(parseMessage(message).kind).toBe('notification');
    });
  });

  it('is taken or refused with a published code where a member is anything else (SAFE-01)', () => {
    assertProperty([spoilt], (message) => {
      const refusal = catchRefusal(() => parseMessage(message));
      if (refusal === undefined) return;
      expect([-32600, -32602]).toContain(refusal.code);
      expect(refusal.httpStatus).toBe(400);
      expect(refusal.message.length).toBeLessThan(300);
    });
  });

  it('is refused where it is any other value, and so is a batch with it (SAFE-01)', () => {
    assertProperty([fc.jsonValue(), request], (value, message) => {
      const isNone = catchRefusal(() => parseMessage(value)) !== undefined;
      const isRefused = catchRefusal(() => parseBatch([message, value], 2)) !== undefined;
      expect(isRefused || !isNone).toBe(true);
    });
  });

  it('is none where the text is no JSON, whatever it is (SAFE-01)', () => {
    assertProperty([anyText], (text) => {
      const refusal = catchRefusal(() => parseJson(`${text}{`));
      expect(refusal?.code).toBe(-32700);
    });
  });
});

describe('Any call of the stateless wire (MCP 2026-07-28 basic/transports)', () => {
  const capabilities = fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()));

  function build(name: string, declared: object, extra: object = {}) {
    const _meta = { ...extra, [MetaKey.protocolVersion]: VERSION, [MetaKey.clientCapabilities]: declared };
    const message = { jsonrpc: '2.0' as const, id: 1, method: 'tools/call', params: { name, _meta } };
    const headers = {
      'mcp-protocol-version': VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': formatHeaderValue(name),
    };
    return { message, headers };
  }

  it('makes its claim with every name that it can have (SAFE-01)', () => {
    assertProperty([wellFormedText, capabilities], (name, declared) => {
      const { message, headers } = build(name, declared);
      const claim = parsePerRequestClaim(message, headers);
      expect(claim?.revision.version).toBe(VERSION);
      expect(claim?.capabilities).toEqual(declared);
    });
  });

  it('is refused where a header says anything else (SAFE-01)', () => {
    const names = fc.constantFrom('mcp-protocol-version', 'mcp-method', 'mcp-name');
    assertProperty([names, anyText], (header, text) => {
      const { message, headers } = build('greet', {});
      fc.pre(text.trim() !== headers[header]);
      const refusal = catchRefusal(() => parsePerRequestClaim(message, { ...headers, [header]: text }));
      expect(refusal?.code).toBe(-32020);
      expect(refusal?.httpStatus).toBe(400);
    });
  });
});
