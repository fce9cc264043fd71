import { Injectable } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpModule, Tool, type McpContext } from 'nestjs-mcp';
import { McpTestingModule } from 'nestjs-mcp/testing';
import { z } from 'zod';
import '../../support/mcp-matchers.js';
import { startTestingModule } from '../../support/applications/testing-desk.js';

@Injectable()
class Tools {
  @Tool()
  async book(_: object, context: McpContext) {
    const answer = await context.elicit({ message: 'How many?', schema: z.object({ seats: z.int() }) });
    return answer.action === 'accept' ? `${answer.content.seats} seats` : answer.action;
  }

  @Tool()
  async rhyme(_: object, context: McpContext) {
    const { content } = await context.sample({
      messages: [{ role: 'user', content: { type: 'text', text: 'Rhyme' } }],
      maxTokens: 10,
    });
    return JSON.stringify(content);
  }
}

/** Forms are of 2025-06-18 and later; the model can be asked in every revision. */
describe.each(['2025-06-18', '2025-11-25', '2026-07-28'] as const)(
  'A client of the test kit that is asked in %s',
  (revision) => {
    let moduleRef: TestingModule;

    beforeAll(async () => {
      moduleRef = await startTestingModule({
        imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
        providers: [Tools],
      });
    });

    afterAll(() => moduleRef.close());

    it('answers forms by a handler of the test (KIT-01)', async () => {
      const asked: string[] = [];
      const client = await McpTestingModule.createClient(moduleRef, {
        revision,
        client: { capabilities: { elicitation: { form: {} } } },
        prepare: (one) =>
          one.setRequestHandler('elicitation/create', ({ params }) => {
            asked.push(params.message);
            return { action: 'accept', content: { seats: 2 } };
          }),
      });
      expect(await client.callTool({ name: 'book' })).toHaveText('2 seats');
      expect(asked).toEqual(['How many?']);
      await client.close();
    });

    it('answers for its model by a handler of the test (KIT-01)', async () => {
      const client = await McpTestingModule.createClient(moduleRef, {
        revision,
        client: { capabilities: { sampling: {} } },
      });
      client.setRequestHandler('sampling/createMessage', () => ({
        role: 'assistant',
        model: 'm1',
        content: { type: 'text', text: 'thyme' },
      }));
      expect(await client.callTool({ name: 'rhyme' })).toHaveText(/thyme/);
      await client.close();
    });

    it('is not asked what it did not declare (KIT-01)', async () => {
      const client = await McpTestingModule.createClient(moduleRef, { revision });
      const call = client.callTool({ name: 'book' }).then(
        ({ isError }) => (isError ? 'refused' : 'answered'),
        () => 'refused',
      );
      expect(await call).toBe('refused');
      await client.close();
    });
  },
);
