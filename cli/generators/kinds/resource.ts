import type { HandlerFacts, HandlerKind } from '../handler-kind.interface.js';

function formatHandler({ className, called, title, scheme, dashed }: HandlerFacts): string {
  return `import { Injectable } from '@nestjs/common';
import { Resource } from 'nestjs-mcp';

/** A starting point: replace the entries with your data. */
@Injectable()
export class ${className} {
  @Resource({
    uri: '${scheme}://${dashed}',
    name: '${called}',
    title: '${title}',
    description: 'All entries, as JSON',
    mimeType: 'application/json',
  })
  read() {
    return { entries: [{ id: 'first', title: 'The first entry' }] };
  }
}
`;
}

function formatTests({ scheme, dashed }: HandlerFacts): string {
  return `const uri = '${scheme}://${dashed}';

it('is listed', async () => {
  const { resources } = await client.listResources();
  expect(resources.map((resource) => resource.uri)).toContain(uri);
});

it('is read as JSON', async () => {
  const { contents } = await client.readResource({ uri });
  expect(contents).toEqual([
    {
      uri,
      mimeType: 'application/json',
      text: JSON.stringify({
        entries: [{ id: 'first', title: 'The first entry' }],
      }),
    },
  ]);
});`;
}

/** A resource at a URI. */
export const resource: HandlerKind = {
  suffix: 'resource',
  isAssigned: true,
  build: (facts) => ({
    handler: formatHandler(facts),
    spec: { tests: formatTests(facts) },
    identity: { decorator: 'Resource', member: 'uri', value: `${facts.scheme}://${facts.dashed}` },
  }),
};
