import type { HandlerFacts, HandlerKind } from '../handler-kind.interface.js';
import { formatAnything } from './format-anything.js';

function formatHandler({ className, dashed }: HandlerFacts): string {
  return `import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  ErrorCode,
  McpError,
  McpExtensions,
  type ExtensionContext,
} from 'nestjs-mcp';

/** A starting point: replace "com.example" with your domain, and the method with what clients need. */
@Injectable()
export class ${className} implements OnModuleInit {
  constructor(private readonly extensions: McpExtensions) {}

  onModuleInit() {
    this.extensions.register({
      id: 'com.example/${dashed}',
      specVersion: '0.1.0',
      stability: 'experimental',
      methods: [
        {
          method: '${dashed}/describe',
          handle: (context) => this.describe(context),
        },
      ],
    });
  }

  private describe({ params }: ExtensionContext) {
    const subject = params['subject'];
    if (typeof subject !== 'string') {
      throw new McpError(ErrorCode.InvalidParams, '"subject" must be a string');
    }
    return { subject, length: subject.length };
  }
}
`;
}

function formatTests({ dashed }: HandlerFacts): string {
  return `const describeSubject = (params: Record<string, unknown>) =>
  client.request({ method: '${dashed}/describe', params }, anything);

it('is declared', () => {
  expect(client.getServerCapabilities()?.extensions).toHaveProperty([
    'com.example/${dashed}',
  ]);
});

it('responds to clients that declare it', async () => {
  expect(await describeSubject({ subject: 'tides' })).toMatchObject({
    subject: 'tides',
    length: 5,
  });
});

it('names the invalid member', async () => {
  await expect(describeSubject({})).rejects.toThrow('subject');
});`;
}

/** A protocol extension with a method. */
export const extension: HandlerKind = {
  suffix: 'extension',
  isAssigned: false,
  build: (facts) => ({
    handler: formatHandler(facts),
    spec: {
      before: formatAnything(facts),
      imports: facts.withZod ? [`import { z } from 'zod';`] : [],
      clientOptions: `{
    client: {
      capabilities: { extensions: { 'com.example/${facts.dashed}': {} } },
    },
  }`,
      tests: formatTests(facts),
    },
    identity: { decorator: 'Injectable', member: 'id', value: `com.example/${facts.dashed}` },
  }),
};
