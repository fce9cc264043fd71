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

/** An extension to begin with: replace "com.example" by a domain of yours, and its method by what clients need. */
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
      throw new McpError(ErrorCode.InvalidParams, '"subject" must be a text');
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

it('answers clients that declare it', async () => {
  expect(await describeSubject({ subject: 'tides' })).toMatchObject({
    subject: 'tides',
    length: 5,
  });
});

it('says which member is wrong', async () => {
  await expect(describeSubject({})).rejects.toThrow('subject');
});`;
}

/** An extension of the protocol, with a method. */
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
