import { describe, expect, it } from '@jest/globals';
import { buildNamedCall, findHarmlessCall } from '../../../../cli/bench/select-call.js';

const readOnly = { annotations: { readOnlyHint: true } };
const noArguments = { inputSchema: { type: 'object' } };

describe('findHarmlessCall()', () => {
  it('takes the first tool that only reads and needs no arguments', () => {
    const tools = [
      { name: 'deletes', ...noArguments },
      { name: 'denies', ...noArguments, annotations: { readOnlyHint: false } },
      { name: 'reaches-out', ...noArguments, annotations: { readOnlyHint: true, openWorldHint: true } },
      { name: 'asks', ...readOnly, inputSchema: { type: 'object', required: ['query'] } },
      { name: 'runs', ...readOnly, ...noArguments, execution: { taskSupport: 'required' } },
      { name: 'lists', ...readOnly, inputSchema: { type: 'object', properties: { page: {} }, required: [] } },
      { name: 'reads', ...readOnly, ...noArguments },
    ];
    expect(findHarmlessCall(tools)?.params).toEqual({ name: 'lists', arguments: {} });
  });

  it.each([
    [[]],
    [[{ name: 'odd', annotations: 'readOnlyHint', inputSchema: { type: 'object' } }]],
    [[{ name: 'odd', ...readOnly, inputSchema: { required: 'query' } }]],
    [[{ ...readOnly, ...noArguments }]],
  ])('takes none of %j', (tools) => {
    expect(findHarmlessCall(tools)).toBeUndefined();
  });
});

describe('buildNamedCall()', () => {
  const region = { type: 'string', 'x-mcp-header': 'Region' };
  const tools = [{ name: 'find', inputSchema: { type: 'object', properties: { region } } }];

  it('mirrors the arguments that the server wants in headers', () => {
    const call = buildNamedCall({ tool: 'find', arguments: { region: 'Zürich' } }, tools);
    expect(call.mirrored).toEqual({ 'mcp-param-region': '=?base64?WsO8cmljaA==?=' });
  });

  it('refuses a tool that the server does not list, and names those that it does', () => {
    expect(() => buildNamedCall({ tool: 'fnd', arguments: {} }, tools)).toThrow(
      'The server has no tool "fnd": it has "find"',
    );
  });
});
