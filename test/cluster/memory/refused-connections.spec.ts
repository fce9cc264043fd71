import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { ADAPTERS } from '../../support/applications/boot.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { textOfCall } from '../../support/clients/tools.js';
import { sessionAt, startProcesses, type Processes } from '../../support/cluster/processes.js';
import { until } from '../../support/until.js';

const WORD = z.object({ word: z.string() });

@Injectable()
class AskingTool {
  @Tool()
  async ask(_arguments: object, context: McpContext): Promise<string> {
    const answer = await context.elicit({ message: 'a word', schema: WORD });
    return answer.action === 'accept' ? answer.content.word : answer.action;
  }
}

describe.each(ADAPTERS)('A process that ends beside others, on %s', (adapter) => {
  let processes: Processes;
  let closing: Promise<void>;

  beforeEach(async () => {
    processes = await startProcesses({
      adapter,
      providers: [AskingTool],
      options: { shutdown: { drainMs: 10, graceMs: 30_000 } },
      nest: { forceCloseConnections: false },
    });
  });

  afterEach(async () => {
    await closing;
    await processes.close();
  });

  it('refuses connections once it takes no more requests, and its calls still come to their end (RELAY-08)', async () => {
    const [ending, other] = processes.servers;
    const session = await initialize(ending.url, { capabilities: { elicitation: {} } });
    const stream = await session.start('tools/call', { name: 'ask' }).stream();
    const question = await stream.nextMessage(({ method }) => method === 'elicitation/create');
    closing = ending.close();
    const isRefused = () =>
      sendHttp(ending.url, { method: 'GET' }).then(
        () => false,
        ({ code }: NodeJS.ErrnoException) => code === 'ECONNREFUSED',
      );
    await until(isRefused, 'a connection that is refused');
    const result = { action: 'accept', content: { word: 'folio' } };
    const posted = await sessionAt(other, session).post({ jsonrpc: '2.0', id: question.id, result });
    expect(posted.status).toBe(202);
    const answer = await stream.nextMessage(({ method }) => method === undefined);
    expect(textOfCall(answer.result)).toBe('folio');
  });
});
