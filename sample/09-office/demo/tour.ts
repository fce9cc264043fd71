import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';

/** Shows what a client sees of the office: its list, its search, a cart, and the other door. */
export async function tour(url: URL, adminUrl: URL, say: (line: string) => void): Promise<void> {
  const client = await connect(url);
  say(`Listed:  ${await list(client)}`);

  const found = await client.callTool({
    name: 'search_tools',
    arguments: { query: 'travel figures of the year' },
  });
  const [best = ''] = namesOf(found);
  say(`Found:   ${namesOf(found).join(', ')}`);
  say(`Called:  ${textOf(await client.callTool({ name: best }))}`);

  const opened = await client.callTool({ name: 'call_tool', arguments: { name: 'open_cart' } });
  const { cart } = opened.structuredContent as { readonly cart: string };
  for (const item of ['tea', 'biscuits']) {
    const call = { name: 'add_to_cart', arguments: { cart, item } };
    say(`Cart:    ${textOf(await client.callTool({ name: 'call_tool', arguments: call }))}`);
  }
  await client.close();

  const admin = await connect(adminUrl);
  say(`Admin:   ${await list(admin)}`);
  await admin.close();
}

async function connect(url: URL): Promise<Client> {
  const client = new Client({ name: 'visitor', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(url));
  return client;
}

async function list(client: Client): Promise<string> {
  const { tools } = await client.listTools();
  return tools.map(({ name }) => name).join(', ');
}

function namesOf({ structuredContent }: CallToolResult): readonly string[] {
  const { tools } = structuredContent as { readonly tools: readonly { readonly name: string }[] };
  return tools.map(({ name }) => name);
}

function textOf({ content }: CallToolResult): string {
  const [block] = content;
  return block?.type === 'text' ? block.text : '';
}
