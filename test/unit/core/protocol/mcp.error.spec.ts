import { describe, expect, it } from '@jest/globals';
import { ErrorCode } from '../../../../lib/core/protocol/error-codes.js';
import { McpError } from '../../../../lib/core/protocol/mcp.error.js';

describe('McpError (JSON-RPC 2.0 §5.1)', () => {
  it.each<[string, McpError, object, number | undefined]>([
    [
      'parseError',
      McpError.parseError(),
      { code: -32700, message: 'Parse error: the body is not JSON' },
      400,
    ],
    ['invalidRequest', McpError.invalidRequest('x'), { code: -32600, message: 'Invalid request: x' }, 400],
    [
      'invalidRequest',
      McpError.invalidRequest('x', 404),
      { code: -32600, message: 'Invalid request: x' },
      404,
    ],
    [
      'methodNotFound',
      McpError.methodNotFound('a/b'),
      { code: -32601, message: 'Method not found: "a/b"' },
      200,
    ],
    ['invalidParams', McpError.invalidParams('x'), { code: -32602, message: 'Invalid params: x' }, 200],
    [
      'invalidParams',
      McpError.invalidParams('x', { at: 1 }, 400),
      { code: -32602, message: 'Invalid params: x', data: { at: 1 } },
      400,
    ],
    ...(
      [
        ['unknownTool', McpError.unknownTool('x'), 'unknown tool "x"'],
        ['unknownPrompt', McpError.unknownPrompt('x'), 'unknown prompt "x"'],
        ['unknownArgument', McpError.unknownArgument('x'), 'the prompt has no argument "x"'],
        ['unknownTemplate', McpError.unknownTemplate('x://{n}'), 'unknown resource template "x://{n}"'],
        ['unknownVariable', McpError.unknownVariable('x'), 'the template has no variable "x"'],
      ] as const
    ).map(([name, error, text]): [string, McpError, object, number] => [
      name,
      error,
      { code: -32602, message: `Invalid params: ${text}` },
      200,
    ]),
    [
      'noBatches',
      McpError.noBatches(),
      { code: -32600, message: 'Invalid request: the revision does not support batches' },
      400,
    ],
    [
      'noBatches',
      McpError.noBatches('2025-11-25'),
      { code: -32600, message: 'Invalid request: revision 2025-11-25 does not support batches' },
      400,
    ],
    ['internal', McpError.internal(), { code: -32603, message: 'Internal error' }, undefined],
    [
      'internal',
      McpError.internal('ab12'),
      { code: -32603, message: 'Internal error (incident ab12)' },
      undefined,
    ],
    [
      'resourceNotFound',
      McpError.resourceNotFound(-32002, 'desk://1'),
      { code: -32002, message: 'Resource not found: "desk://1"', data: { uri: 'desk://1' } },
      undefined,
    ],
    ['headerMismatch', McpError.headerMismatch('x'), { code: -32020, message: 'Header mismatch: x' }, 400],
    [
      'unsupportedVersion',
      McpError.unsupportedVersion('v9', ['2026-07-28']),
      {
        code: -32022,
        message: 'Unsupported protocol version: "v9"',
        data: { supported: ['2026-07-28'], requested: 'v9' },
      },
      400,
    ],
    [
      'missingCapability',
      McpError.missingCapability({ elicitation: {} }),
      {
        code: -32021,
        message: 'The client did not declare a required capability: elicitation',
        data: { requiredCapabilities: { elicitation: {} } },
      },
      400,
    ],
  ])('%s has its published code and status (CORE-01, VER-04)', (_name, error, json, status) => {
    expect(JSON.parse(JSON.stringify(error))).toEqual(json);
    expect(error.httpStatus).toBe(status);
  });

  it('is an error with a stack, none of which it serializes (CORE-01)', () => {
    const error = new McpError(-1, 'Rejected', { why: 'no' });
    expect(error).toBeInstanceOf(Error);
    expect(error.stack).toContain('mcp.error.spec');
    expect(Object.keys(error.toJSON())).toEqual(['code', 'message', 'data']);
  });

  it('quotes only the beginning of what a caller sent (CORE-01)', () => {
    const text = 'm'.repeat(100_000);
    for (const error of [
      McpError.methodNotFound(text),
      McpError.unsupportedVersion(text, []),
      McpError.resourceNotFound(-32002, text),
      McpError.unknownTool(text),
      McpError.unknownPrompt(text),
      McpError.unknownArgument(text),
      McpError.unknownTemplate(text),
      McpError.unknownVariable(text),
    ]) {
      expect(error.message.length).toBeLessThan(300);
    }
  });

  it('uses only published codes, and that of SEP-3304 (CORE-01) (OPS-04)', () => {
    expect(Object.values(ErrorCode).toSorted((one, other) => one - other)).toEqual([
      -32700, -32603, -32602, -32601, -32600, -32042, -32023, -32022, -32021, -32020, -32002,
    ]);
  });
});
