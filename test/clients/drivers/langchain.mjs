import { MultiServerMCPClient } from '@langchain/mcp-adapters';

/** LangChain's adapters, whose tools are LangChain's. */
export async function connect({ transport, url, command, args }) {
  const desk = transport === 'stdio' ? { transport, command, args } : { transport, url };
  const client = new MultiServerMCPClient({ mcpServers: { desk }, onConnectionError: 'throw' });
  const tools = await client.getTools();
  return {
    listTools: async () => tools.map(({ name }) => name),
    callTool: async (name, given) => {
      const result = await tools.find((tool) => tool.name === name).invoke(given);
      return typeof result === 'string' ? result : JSON.stringify(result);
    },
    readResource: async (uri) => (await client.readResource('desk', uri))[0].text,
    getPrompt: async (name, given) => {
      const { messages } = await (await client.getClient('desk')).getPrompt({ name, arguments: given });
      return JSON.stringify(messages);
    },
    close: () => client.close(),
  };
}
