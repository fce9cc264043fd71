import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';

/** Shows what clients see of a REST API: its routes as tools, with the refusals of its guard and its pipes. */
export async function tour(url: URL, say: (line: string) => void): Promise<void> {
  const customer = await connect(url, {});
  const { tools } = await customer.listTools();
  for (const { name, annotations } of tools) {
    say(`Listed:  ${name}${annotations?.readOnlyHint === true ? ', which only reads' : ''}`);
  }
  const call = async (client: Client, name: string, args: Record<string, unknown>) =>
    say(`Called:  ${name} ${textOf(await client.callTool({ name, arguments: args }))}`);
  await call(customer, 'articles_search', { name: 'boots' });
  await call(customer, 'articles_get', { id: 7 });
  await call(customer, 'articles_add', { name: 'Umbrella', price: 20 });
  await customer.close();
  const staff = await connect(url, { 'x-api-key': 'staff-key' });
  await call(staff, 'articles_add', { name: 'Umbrella', price: -20 });
  await call(staff, 'articles_add', { name: 'Umbrella', price: 20 });
  await staff.close();
  const response = await fetch(new URL('/articles/3', url));
  say(`Fetched: ${await response.text()}`);
}

async function connect(url: URL, headers: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'visitor', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

function textOf({ content, isError }: CallToolResult): string {
  const [block] = content;
  const text = block?.type === 'text' ? block.text : '';
  return isError === true ? `fails: ${text}` : text;
}
