import type { Client, RequestOptions, Tool } from '@modelcontextprotocol/client';

/** Lists the tools of a server. A server without the capability is not asked, and the list is empty. */
export async function listTools(client: Client, options: RequestOptions): Promise<readonly Tool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const { tools } = await client.listTools(undefined, options);
  return tools;
}
