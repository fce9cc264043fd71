import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';

/** The AI SDK's client, whose tools are the AI SDK's. */
export async function connect({ transport, url, command, args }) {
  const client = await createMCPClient({
    transport:
      transport === 'stdio'
        ? new Experimental_StdioMCPTransport({ command, args })
        : { type: transport, url },
  });
  const tools = await client.tools();
  return {
    listTools: async () => Object.keys(tools),
    callTool: async (name, given) => {
      const { content } = await tools[name].execute(given, { toolCallId: 'call', messages: [] });
      return content.map(({ text }) => text).join('');
    },
    readResource: async (uri) => (await client.readResource({ uri })).contents[0].text,
    getPrompt: async (name, given) =>
      JSON.stringify((await client.getPrompt({ name, arguments: given })).messages),
    close: () => client.close(),
  };
}
