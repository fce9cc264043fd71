import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';

/** Shows what a client sees of two servers behind one endpoint. */
export async function tour(url: URL, say: (line: string) => void): Promise<void> {
  const client = new Client(
    { name: 'visitor', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => {
    say(`Asked:   ${params.message}`);
    return { action: 'accept', content: { sure: true } };
  });
  await client.connect(new StreamableHTTPClientTransport(url));
  const { tools } = await client.listTools();
  say(
    `Listed:  ${tools
      .map(({ name }) => name)
      .toSorted()
      .join(', ')}`,
  );
  const call = async (name: string, args: Record<string, unknown> = {}) =>
    say(`Called:  ${textOf(await client.callTool({ name, arguments: args }))}`);
  await call('weather_forecast', { place: 'Oslo' });
  await call('notes_add', { text: 'milk' });
  await call('notes_clear');
  const { contents } = await client.readResource({ uri: 'weather+weather://stations' });
  const [first] = contents;
  say(`Read:    ${first !== undefined && 'text' in first ? first.text.replace('\n', ', ') : ''}`);
  await client.close();
}

function textOf({ content }: CallToolResult): string {
  const [block] = content;
  return block?.type === 'text' ? block.text : '';
}
