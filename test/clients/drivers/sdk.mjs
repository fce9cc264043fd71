/** The official client in the version that `sdk` names. */
export async function connect({ sdk, transport, url, command, args }) {
  const { Client } = await import(`${sdk}/client/index.js`);
  const client = new Client({ name: sdk, version: '1.0.0' });
  await client.connect(await createTransport());
  return {
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    callTool: async (name, given) => {
      const { content } = await client.callTool({ name, arguments: given });
      return content.map(({ text }) => text).join('');
    },
    readResource: async (uri) => (await client.readResource({ uri })).contents[0].text,
    getPrompt: async (name, given) =>
      JSON.stringify((await client.getPrompt({ name, arguments: given })).messages),
    close: () => client.close(),
  };

  async function createTransport() {
    switch (transport) {
      case 'http': {
        const { StreamableHTTPClientTransport } = await import(`${sdk}/client/streamableHttp.js`);
        return new StreamableHTTPClientTransport(new URL(url));
      }
      case 'sse': {
        const { SSEClientTransport } = await import(`${sdk}/client/sse.js`);
        return new SSEClientTransport(new URL(url));
      }
      default: {
        const { StdioClientTransport } = await import(`${sdk}/client/stdio.js`);
        return new StdioClientTransport({ command, args, stderr: 'inherit' });
      }
    }
  }
}
