import type { HandlerFacts, HandlerKind } from '../handler-kind.interface.js';

function formatHandler({ className, constant, called, title, name, words, extension }: HandlerFacts): string {
  return `import { Injectable } from '@nestjs/common';
import { App, Tool } from 'nestjs-mcp';
import { ${constant}_PAGE } from './${name}.page${extension}';

/** A starting point: replace the result of the tool, and how the page displays it. */
@Injectable()
export class ${className} {
  @App({ name: '${called}', title: '${title}' })
  page() {
    return ${constant}_PAGE;
  }

  @Tool({
    name: 'show_${called}',
    title: '${title}',
    description: 'Shows the ${words}',
    ui: '${called}',
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  show() {
    return { entries: [{ id: 'first', title: 'The first entry' }] };
  }
}
`;
}

function formatPage({ constant, title, dashed }: HandlerFacts): string {
  return `/** The page that hosts display: a self-contained document that exchanges messages with its host, as SEP-1865 specifies. */
export const ${constant}_PAGE = \`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>${title}</title>
    <style>
      :root { color-scheme: light dark; font-family: system-ui, sans-serif; }
      body { margin: 1rem; }
    </style>
  </head>
  <body>
    <h1>${title}</h1>
    <ul id="entries"></ul>
    <p id="note" role="status"></p>
    <script>
      const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
      const note = document.getElementById('note');

      function show({ structuredContent }) {
        const entries = structuredContent?.entries ?? [];
        const rows = entries.map(({ title }) => {
          const row = document.createElement('li');
          row.textContent = title;
          return row;
        });
        document.getElementById('entries').replaceChildren(...rows);
        note.textContent = entries.length === 0 ? 'Nothing to show' : '';
      }

      addEventListener('message', ({ source, data }) => {
        if (source !== parent || data?.jsonrpc !== '2.0') return;
        if (data.id === 1 && data.method === undefined) send({ method: 'ui/notifications/initialized', params: {} });
        else if (data.method === 'ui/notifications/tool-result') show(data.params);
        else if (data.id !== undefined && data.method !== undefined) send({ id: data.id, result: {} });
      });

      send({
        id: 1,
        method: 'ui/initialize',
        params: {
          protocolVersion: '2026-01-26',
          appInfo: { name: '${dashed}', version: '1.0.0' },
          appCapabilities: {},
        },
      });
    </script>
  </body>
</html>
\`;
`;
}

function formatTests({ called, title }: HandlerFacts): string {
  return `it('has a tool whose result the page displays', async () => {
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === 'show_${called}');
  expect(tool?._meta).toHaveProperty('ui.resourceUri');
  const result = await client.callTool({ name: 'show_${called}' });
  expect(result.structuredContent).toEqual({
    entries: [{ id: 'first', title: 'The first entry' }],
  });
});

it('has a page', async () => {
  const { resources } = await client.listResources();
  const page = resources.find(({ name }) => name === '${called}');
  const { contents } = await client.readResource({ uri: page?.uri ?? '' });
  expect(contents).toMatchObject([{ mimeType: 'text/html;profile=mcp-app' }]);
  expect(JSON.stringify(contents)).toContain('<title>${title}</title>');
});`;
}

/** An app: a page that hosts display, with the tool that opens it. */
export const app: HandlerKind = {
  suffix: 'app',
  isAssigned: true,
  formatTool: ({ called }) => `show_${called}`,
  build: (facts) => ({
    handler: formatHandler(facts),
    others: { page: formatPage(facts) },
    spec: {
      clientOptions: `{
    client: {
      capabilities: {
        extensions: {
          'io.modelcontextprotocol/ui': {
            mimeTypes: ['text/html;profile=mcp-app'],
          },
        },
      },
    },
  }`,
      tests: formatTests(facts),
    },
    identity: { decorator: 'App', member: 'name', value: facts.called },
  }),
};
