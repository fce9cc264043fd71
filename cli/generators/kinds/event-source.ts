import type { HandlerFacts, HandlerKind } from '../handler-kind.interface.js';
import { formatAnything } from './format-anything.js';

const ZOD = {
  type: `const Payload = z.object({ id: z.string(), title: z.string() });
const Input = z.object({
  word: z.string().optional().describe('A word that the title must contain'),
});`,
  payload: 'z.infer<typeof Payload>',
};

const JSON_SCHEMA = {
  type: `const Payload = {
  type: 'object',
  properties: { id: { type: 'string' }, title: { type: 'string' } },
  required: ['id', 'title'],
} as const;

const Input = {
  type: 'object',
  properties: {
    word: { type: 'string', description: 'A word that the title must contain' },
  },
} as const;`,
  payload: '{ id: string; title: string }',
};

const dotted = ({ dashed }: Pick<HandlerFacts, 'dashed'>) => dashed.replaceAll('-', '.');

function formatHandler(facts: HandlerFacts): string {
  const { className, withZod, title, words } = facts;
  const { type, payload } = withZod ? ZOD : JSON_SCHEMA;
  return `import { Injectable } from '@nestjs/common';
import { EventSource } from 'nestjs-mcp';
import { Subject } from 'rxjs';
${withZod ? "import { z } from 'zod';\n" : ''}
${type}

type Entry = ${payload};

/** A starting point: replace the payload, and call \`emit()\` for each event. */
@Injectable()
export class ${className} {
  private readonly entries = new Subject<Entry>();

  @EventSource<Entry>({
    name: '${dotted(facts)}',
    title: '${title}',
    description: 'Fires for each ${words}',
    inputSchema: Input,
    payloadSchema: Payload,
    eventId: ({ id }) => id,
    filter: ({ title }, { arguments: { word } }) =>
      typeof word !== 'string' || title.includes(word),
  })
  events() {
    return this.entries.asObservable();
  }

  emit(entry: Entry) {
    this.entries.next(entry);
  }
}
`;
}

function formatTests(facts: HandlerFacts): string {
  const name = dotted(facts);
  return `it('delivers the events that match the arguments', async () => {
  const poll = (cursor: unknown) =>
    client.request(
      {
        method: 'events/poll',
        params: { name: '${name}', arguments: { word: 'tea' }, cursor },
      },
      anything,
    );
  const { cursor } = await poll(null);
  provider.emit({ id: '1', title: 'A cup of coffee' });
  provider.emit({ id: '2', title: 'A pot of tea' });
  expect(await poll(cursor)).toMatchObject({
    events: [{ name: '${name}', data: { id: '2' } }],
  });
});`;
}

/** An event source, which requires the server option \`events\`. */
export const eventSource: HandlerKind = {
  suffix: 'event-source',
  isAssigned: true,
  findOption: () => ({ name: 'events', value: 'true', isClass: false }),
  build: (facts) => ({
    handler: formatHandler(facts),
    spec: {
      before: formatAnything(facts),
      imports: facts.withZod ? [`import { z } from 'zod';`] : [],
      serverOptions: 'events: true',
      withProvider: true,
      tests: formatTests(facts),
    },
    identity: { decorator: 'EventSource', member: 'name', value: dotted(facts) },
  }),
};
