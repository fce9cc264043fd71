import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Connects an official client that prefers the newest revision that both sides know. */
export async function connect(url: URL, name: string): Promise<Client> {
  const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(url));
  return client;
}

/** Resolves when the client is told that a resource changed; the returned `stop` ends the subscription. */
export async function watch(client: Client, uri: string) {
  const changed = new Promise<string>((resolve) => {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      if (params.uri === uri) resolve(params.uri);
    });
  });
  const subscription = await client.listen({ resourceSubscriptions: [uri] });
  return { changed, stop: () => subscription.close() };
}
