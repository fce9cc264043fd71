import { describe, expect, it } from '@jest/globals';
import type { McpClient } from '../../../../lib/client/module/index.js';
import { EntryHandlers } from '../../../../lib/gateway/calls/entry-handlers.js';
import type { SendRequest, ServerCalls } from '../../../../lib/gateway/calls/server-calls.js';
import { EntryNames } from '../../../../lib/gateway/entries/entry-names.js';
import type { McpContext } from '../../../../lib/index.js';

const NAMES = new EntryNames('files_', 'files+', () => true);
const CONTENT = [{ type: 'text', text: 'no luck' }];

/** Creates handlers whose server gives these results, and returns the requests to it. */
function createHandlers(result: object) {
  const requests: unknown[] = [];
  const note = async (...request: readonly unknown[]) => {
    requests.push(request[0]);
    return result;
  };
  const client = { callTool: note, complete: note } as unknown as McpClient;
  const forward = (_: McpContext, send: SendRequest) => send(client, {});
  const calls = { forward } as unknown as ServerCalls;
  return { handlers: new EntryHandlers('files', calls, NAMES), requests };
}

describe('EntryHandlers', () => {
  const tool = { name: 'read', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } } as const;
  const context = {} as McpContext;

  it('passes on errors and metadata of a tool, even without structured content (GATE-01)', async () => {
    const failed = { content: CONTENT, isError: true, _meta: { 'com.example/a': 1 } };
    expect(await createHandlers(failed).handlers.createTool(tool)({}, context)).toEqual(failed);
  });

  it('refuses a result without the structured content that the tool lists (GATE-01)', async () => {
    const call = createHandlers({ content: CONTENT }).handlers.createTool(tool)({}, context);
    await expect(call).rejects.toThrow('The server "files" returned no structured content');
  });

  it('completes with the arguments that have a value (GATE-01)', async () => {
    const { handlers, requests } = createHandlers({ values: [] });
    const complete = handlers.createCompletion({ prompt: 'write' });
    await complete({ name: 'to', value: 'A', arguments: { from: 'Bob', count: 7 } }, context);
    expect(requests).toEqual([
      { ref: { prompt: 'write' }, argument: { name: 'to', value: 'A' }, settled: { from: 'Bob' } },
    ]);
  });
});
