import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { describe, expect, it } from '@jest/globals';
import {
  HandlerCall,
  HandlerExecutionContext,
  McpExecutionContext,
} from '../../../../../lib/server/catalog/invocation/execution-context.js';
import { buildContext } from '../boot-catalog.js';

function host(type: string, ...args: unknown[]) {
  const created = new ExecutionContextHost(args);
  created.setType(type);
  return created;
}

describe('McpExecutionContext', () => {
  it('gives the arguments and the context of the call (MOD-03)', () => {
    const [args, context] = [{ id: 7 }, buildContext()];
    const ofNest = host('mcp', new HandlerCall(args, context));
    const call = McpExecutionContext.create(HandlerExecutionContext.from(ofNest));
    expect(call.getArguments()).toBe(args);
    expect(call.getContext()).toBe(context);
  });

  it('refuses the context of something else (MOD-03)', () => {
    expect(() => McpExecutionContext.create(host('http', {}, {}))).toThrow(
      'The execution context is of type "http", not "mcp": check "getType()" before reading it',
    );
  });
});
