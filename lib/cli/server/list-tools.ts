import type { Client, RequestOptions, Tool } from '@modelcontextprotocol/client';

/** Lists the tools of a server; none if it has no such capability, of which it is not asked then. */
export async function listTools(client: Client, options: RequestOptions): Promise<readonly Tool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const { tools } = await client.listTools(undefined, options);
  return tools;
}
