import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { McpModule, Tool, type McpContext } from 'nestjs-mcp';
import { McpTestingModule } from '../../../lib/testing/index.js';

@Injectable()
class Tools {
  @Tool()
  greet(_: object, context: McpContext) {
    context.progress(1, 2);
    return `hello, ${context.auth.claims?.sub ?? 'stranger'}`;
  }
}

describe('A client of the test kit', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const)(
    'speaks %s without a socket (KIT-01)',
    async (revision) => {
      const moduleRef = await Test.createTestingModule({
        imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
        providers: [Tools],
      }).compile();
      await moduleRef.init();
      const client = await McpTestingModule.createClient(moduleRef, { revision });
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      expect(await client.callTool({ name: 'greet', arguments: {} })).toMatchObject({
        content: [{ type: 'text', text: 'hello, stranger' }],
      });
      await client.close();
      await moduleRef.close();
    },
  );
});
