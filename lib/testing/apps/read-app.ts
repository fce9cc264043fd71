import type { Client, Tool } from '@modelcontextprotocol/client';
import { isAppMimeType, UI_META_KEY, type AppResourceMeta } from '../../core/protocol/apps/app-meta.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import { quoteAll } from '../../core/words/quote-all.js';

/** A page as a server returns it, with its declarations. */
export interface AppDocument {
  readonly html: string;
  readonly meta: AppResourceMeta;
}

/**
 * Finds a tool in the server's list, as a host does.
 *
 * @throws {Error} if the client does not see such a tool
 */
export async function findTool(client: Client, name: string): Promise<Tool> {
  const { tools } = await client.listTools();
  const tool = tools.find((one) => one.name === name);
  if (tool !== undefined) return tool;
  throw new Error(`The server lists no tool "${name}", but ${quoteAll(tools.map((one) => one.name))}`);
}

/**
 * Reads the page of an app, as a host does: the declarations in the page's `_meta` take precedence over the list.
 *
 * @throws {Error} if it is not the page of an app
 */
export async function readApp(client: Client, uri: string): Promise<AppDocument> {
  const { contents } = await client.readResource({ uri });
  const [page] = contents;
  if (page === undefined || !isAppMimeType(page.mimeType)) {
    throw new Error(`"${uri}" has the media type "${page?.mimeType ?? 'none'}", and no host shows that`);
  }
  const html = 'text' in page ? page.text : Buffer.from(page.blob, 'base64').toString();
  const meta = findMeta(page._meta) ?? findMeta(await findListedMeta(client, uri)) ?? {};
  return { html, meta };
}

async function findListedMeta(client: Client, uri: string): Promise<unknown> {
  const { resources } = await client.listResources();
  return resources.find((resource) => resource.uri === uri)?._meta;
}

function findMeta(meta: unknown): AppResourceMeta | undefined {
  const ui = isObject(meta) ? meta[UI_META_KEY] : undefined;
  return isObject(ui) ? ui : undefined;
}
