import { createMcpClient } from '@genkit-ai/mcp';
import { genkit } from 'genkit';

/** Genkit's client, whose tools are Genkit's. */
export async function connect({ transport, url, command, args }) {
  const ai = genkit({});
  const client = createMcpClient({
    name: 'desk',
    mcpServer: transport === 'stdio' ? { command, args } : { url },
    rawToolResponses: true,
  });
  await client.ready();
  const tools = await client.getActiveTools(ai);
  return {
    listTools: async () => tools.map(({ __action: { name } }) => name.replace(/^desk\//, '')),
    callTool: async (name, given) => {
      const tool = tools.find(({ __action }) => __action.name === `desk/${name}`);
      return JSON.stringify(await tool(given));
    },
    readResource: async (uri) => {
      const resources = await client.getActiveResources(ai);
      const { content } = await resources.find((resource) => resource.matches({ uri }))({ uri });
      return JSON.stringify(content);
    },
    getPrompt: async (name, given) =>
      JSON.stringify((await (await client.getPrompt(ai, name)).render(given)).messages),
    close: () => client.disable(),
  };
}
