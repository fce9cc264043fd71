import type { Client, Tool } from '@modelcontextprotocol/client';

/** Lists the tools of a server; none where it has no such capability, of which it is not asked then. */
export async function listTools(client: Client, patienceMs: number): Promise<readonly Tool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const { tools } = await client.listTools(undefined, { timeout: patienceMs });
  return tools;
}
