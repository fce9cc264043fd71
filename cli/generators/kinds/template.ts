import type { HandlerFacts, HandlerKind } from '../handler-kind.interface.js';

function formatHandler({ className, called, title, scheme, dashed, words }: HandlerFacts): string {
  return `import { Injectable, NotFoundException } from '@nestjs/common';
import { Complete, ResourceTemplate } from 'nestjs-mcp';

const URI_TEMPLATE = '${scheme}://${dashed}/{id}';

/** A starting point: replace the map with your data. */
@Injectable()
export class ${className} {
  private readonly entries = new Map([
    ['first', { id: 'first', title: 'The first entry' }],
    ['second', { id: 'second', title: 'The second entry' }],
  ]);

  @ResourceTemplate({
    uriTemplate: URI_TEMPLATE,
    name: '${called}',
    title: '${title}',
    description: 'One entry, as JSON',
    mimeType: 'application/json',
  })
  read({ id }: { id: string }) {
    const entry = this.entries.get(id);
    if (entry === undefined) {
      throw new NotFoundException(\`There is no ${words} "\${id}"\`);
    }
    return entry;
  }

  @Complete({ resourceTemplate: URI_TEMPLATE, argument: 'id' })
  completeId({ value }: { value: string }) {
    return [...this.entries.keys()].filter((id) => id.startsWith(value));
  }
}
`;
}

function formatTests({ scheme, dashed }: HandlerFacts): string {
  const uri = `${scheme}://${dashed}`;
  return `it('returns the entry that the URI names', async () => {
  const { contents } = await client.readResource({
    uri: '${uri}/second',
  });
  expect(contents).toMatchObject([
    { text: JSON.stringify({ id: 'second', title: 'The second entry' }) },
  ]);
});

it('rejects an unknown id', async () => {
  await expect(
    client.readResource({ uri: '${uri}/unknown' }),
  ).rejects.toThrow();
});

it('completes ids', async () => {
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: '${uri}/{id}' },
    argument: { name: 'id', value: 'f' },
  });
  expect(completion.values).toEqual(['first']);
});`;
}

/** A resource template with completion for its variable. */
export const template: HandlerKind = {
  suffix: 'template',
  isAssigned: true,
  build: (facts) => ({
    handler: formatHandler(facts),
    spec: { tests: formatTests(facts) },
    identity: {
      decorator: 'ResourceTemplate',
      member: 'name',
      value: facts.called,
    },
  }),
};
