import type { HandlerFacts, HandlerKind } from '../handler-kind.interface.js';

const ZOD_SCHEMAS = `const Input = z.object({
  text: z.string().min(1).describe('The text to split'),
  limit: z.int().min(1).max(100).default(10).describe('How many words to list'),
});

const Output = z.object({
  words: z.array(z.string()),
  total: z.int().describe('The number of words in the text'),
});`;

const JSON_SCHEMAS = `const Input = {
  type: 'object',
  properties: {
    text: { type: 'string', minLength: 1, description: 'The text to split' },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      description: 'How many words to list; 10 by default',
    },
  },
  required: ['text'],
  additionalProperties: false,
} as const;

const Output = {
  type: 'object',
  properties: {
    words: { type: 'array', items: { type: 'string' } },
    total: { type: 'integer', description: 'The number of words in the text' },
  },
  required: ['words', 'total'],
} as const;`;

function formatHandler({ className, method, called, title, withZod }: HandlerFacts): string {
  const parameter = withZod
    ? '{ text, limit }: z.infer<typeof Input>'
    : '{ text, limit = 10 }: { text: string; limit?: number }';
  return `import { Injectable } from '@nestjs/common';
import { Tool } from 'nestjs-mcp';
${withZod ? "import { z } from 'zod';\n" : ''}
${withZod ? ZOD_SCHEMAS : JSON_SCHEMAS}

/** A starting point: replace the schemas and the method. */
@Injectable()
export class ${className} {
  @Tool({
    name: '${called}',
    title: '${title}',
    description: 'Splits text into words',
    inputSchema: Input,
    outputSchema: Output,
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  ${method}(${parameter}) {
    const words = text.split(/\\s+/).filter((word) => word !== '');
    return { words: words.slice(0, limit), total: words.length };
  }
}
`;
}

function formatTests({ called }: HandlerFacts): string {
  return `it('returns what its output schema describes', async () => {
  const result = await client.callTool({
    name: '${called}',
    arguments: { text: 'one two three', limit: 2 },
  });
  expect(result.structuredContent).toEqual({
    words: ['one', 'two'],
    total: 3,
  });
});

it('names the invalid argument to the model', async () => {
  const result = await client.callTool({
    name: '${called}',
    arguments: { text: '' },
  });
  expect(result.isError).toBe(true);
  expect(JSON.stringify(result.content)).toContain('text');
});`;
}

/** A tool with named arguments and structured content. */
export const tool: HandlerKind = {
  suffix: 'tool',
  isAssigned: true,
  formatTool: ({ called }) => called,
  build: (facts) => ({
    handler: formatHandler(facts),
    spec: { tests: formatTests(facts) },
    identity: { decorator: 'Tool', member: 'name', value: facts.called },
  }),
};
