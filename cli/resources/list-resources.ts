import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import type { AskingClient } from '../server/asking-client.js';

/** What a server has to read. */
export interface ListedResources {
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplateType[];
}

/** Lists the resources of a server and their templates. A server without the capability is not asked, and the list is empty. */
export async function listResources({ client, options }: AskingClient): Promise<ListedResources> {
  if (client.getServerCapabilities()?.resources === undefined)
    return { resources: [], resourceTemplates: [] };
  const { resources } = await client.listResources(undefined, options);
  const { resourceTemplates } = await client.listResourceTemplates(undefined, options);
  return { resources, resourceTemplates };
}
