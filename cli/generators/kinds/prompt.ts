import type { HandlerFacts, HandlerKind } from '../handler-kind.interface.js';

const ZOD_SCHEMA = `const Input = z.object({
  subject: z.string().min(1).describe('What to write about'),
  style: z.string().optional().describe('How to write, such as "formal"'),
});`;

const ARGUMENTS = `[
      { name: 'subject', description: 'What to write about', required: true },
      { name: 'style', description: 'How to write, such as "formal"' },
    ]`;

function formatHandler({ className, method, called, title, withZod }: HandlerFacts): string {
  const type = withZod ? 'z.infer<typeof Input>' : 'Input';
  const schema = withZod ? ZOD_SCHEMA : 'interface Input {\n  subject: string;\n  style?: string;\n}';
  return `import { Injectable } from '@nestjs/common';
import { Prompt } from 'nestjs-mcp';
${withZod ? "import { z } from 'zod';\n" : ''}
${schema}

/** A starting point: replace the arguments and the message. */
@Injectable()
export class ${className} {
  @Prompt({
    name: '${called}',
    title: '${title}',
    description: 'Asks for a paragraph about a subject',
    arguments: ${withZod ? 'Input' : ARGUMENTS},
  })
  ${method}({ subject, style = 'plain' }: ${type}) {
    return \`Write one paragraph about \${subject}, in a \${style} style.\`;
  }
}
`;
}

function formatTests({ called }: HandlerFacts): string {
  return `it('builds its message from the arguments', async () => {
  const { messages } = await client.getPrompt({
    name: '${called}',
    arguments: { subject: 'tides' },
  });
  const text = 'Write one paragraph about tides, in a plain style.';
  expect(messages).toEqual([
    { role: 'user', content: { type: 'text', text } },
  ]);
});

it('requires a subject', async () => {
  await expect(
    client.getPrompt({ name: '${called}', arguments: {} }),
  ).rejects.toThrow('subject');
});`;
}

/** A prompt with named arguments. */
export const prompt: HandlerKind = {
  suffix: 'prompt',
  isAssigned: true,
  build: (facts) => ({
    handler: formatHandler(facts),
    spec: { tests: formatTests(facts) },
    identity: { decorator: 'Prompt', member: 'name', value: facts.called },
  }),
};
