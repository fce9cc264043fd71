import { MCPServerSSE, MCPServerStdio, MCPServerStreamableHttp } from '@openai/agents';

/** The sample starts its database before it answers over a pipe. */
const PATIENCE = { clientSessionTimeoutSeconds: 60 };

/** OpenAI's agents, as far as they are clients: no model is asked. */
export async function connect({ transport, url, command, args }) {
  const server = createServer();
  await server.connect();
  return {
    listTools: async () => (await server.listTools()).map(({ name }) => name),
    callTool: async (name, given) => {
      const content = await server.callTool(name, given);
      return content.map(({ text }) => text).join('');
    },
    readResource: async (uri) => (await server.readResource(uri)).contents[0].text,
    close: () => server.close(),
  };

  function createServer() {
    if (transport === 'stdio') return new MCPServerStdio({ name: 'desk', command, args, ...PATIENCE });
    return transport === 'sse'
      ? new MCPServerSSE({ name: 'desk', url, ...PATIENCE })
      : new MCPServerStreamableHttp({ name: 'desk', url, ...PATIENCE });
  }
}
