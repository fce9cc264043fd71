import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type InputRequiredResult, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';

const Text = z.object({ text: z.string() });

@Injectable()
class Mixed {
  /** Asks by the context first, and then by a result of its own. */
  @Tool()
  async both(_arguments: object, context: McpContext): Promise<string | InputRequiredResult> {
    const first = await context.elicit({ key: 'first', message: 'First?', schema: Text });
    const second = context.inputResponses['second'] as { content?: { text?: string } } | undefined;
    if (second === undefined) {
      const params = { message: 'Second?', requestedSchema: { type: 'object', properties: {} } };
      return {
        resultType: 'input_required',
        inputRequests: { second: { method: 'elicitation/create', params } },
        requestState: 'asked twice',
      };
    }
    const given = first.action === 'accept' ? first.content.text : first.action;
    return `${given}, ${second.content?.text}, ${context.requestState}`;
  }
}

describe('A handler that asks by the context and by a result of its own', () => {
  let server: RunningApp;

  beforeAll(async () => {
    server = await bootServer({ providers: [Mixed] });
  });

  afterAll(() => server.close());

  it('keeps the answers of every round (REV-02)', async () => {
    const client = perRequest(server.url, { capabilities: { elicitation: {} } });
    const call = (round: object) => client.request('tools/call', { name: 'both', ...round });
    const accept = (text: string) => ({ action: 'accept', content: { text } });
    const first = await call({});
    const second = await call({
      inputResponses: { first: accept('one') },
      requestState: first.result?.['requestState'],
    });
    expect(Object.keys(second.result?.['inputRequests'] as object)).toEqual(['second']);
    const third = await call({
      inputResponses: { second: accept('two') },
      requestState: second.result?.['requestState'],
    });
    expect(third.result).toMatchObject({ content: [{ text: 'one, two, asked twice' }] });
  });
});
