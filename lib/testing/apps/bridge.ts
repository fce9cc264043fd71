import type { Client, Tool } from '@modelcontextprotocol/client';
import type * as AppBridgePackage from '@modelcontextprotocol/ext-apps/app-bridge';
import type { AppBridge, McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge';
import type * as Playwright from 'playwright-core';
import { type AppResourceMeta, isAppMimeType, UI_META_KEY } from '../../core/protocol/apps/app-meta.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import { quoteAll } from '../../core/words/words.js';
import type { AskedOfHost } from './opened-app.js';
import { explainMissingTestPackage } from '../explain-absence-in-tests.js';

/** The packages required for an app host in a browser. */
export interface HostPackages {
  readonly bridge: typeof AppBridgePackage;
  readonly playwright: typeof Playwright;
}

/**
 * Loads the official bridge and the browser driver, which applications install only for their tests. The `try` shows
 * bundlers that they may be absent.
 *
 * @throws {Error} if one of them is not installed, with what to do
 */
export async function loadHostPackages(): Promise<HostPackages> {
  const [bridge, playwright] = await Promise.all([loadBridge(), loadPlaywright()]);
  return { bridge, playwright };
}

async function loadBridge(): Promise<HostPackages['bridge']> {
  try {
    return await import('@modelcontextprotocol/ext-apps/app-bridge');
  } catch (cause) {
    throw explainMissingTestPackage('McpAppHost', '@modelcontextprotocol/ext-apps', cause);
  }
}

async function loadPlaywright(): Promise<HostPackages['playwright']> {
  try {
    return await import('playwright-core');
  } catch (cause) {
    throw explainMissingTestPackage('McpAppHost', 'playwright-core', cause);
  }
}

type BridgePackage = HostPackages['bridge'];
type Asked = { -readonly [Name in keyof AskedOfHost]: AskedOfHost[Name][number][] };

/** A bridge, and the requests that apps send through it. */
export interface OpenBridge {
  readonly bridge: AppBridge;
  readonly asked: AskedOfHost;
  /** Resolves once the sandbox accepts a page. */
  readonly isReady: Promise<void>;
  /** Resolves once the app has completed its initialization. */
  readonly isInitialized: Promise<void>;
}

/** The host's capabilities for an app. */
const CAPABILITIES = {
  openLinks: {},
  serverTools: {},
  serverResources: {},
  logging: {},
  message: { text: {} },
  updateModelContext: { text: {}, structuredContent: {} },
};

/** Creates the official bridge, which fulfills and records apps' requests. */
export function openBridge(
  { AppBridge: Bridge }: BridgePackage,
  client: Client,
  hostContext: McpUiHostContext,
): OpenBridge {
  const info = { name: 'nestjs-mcp-test-host', version: '1.0.0' };
  const bridge = new Bridge(client, info, CAPABILITIES, { hostContext });
  const asked: Asked = { messages: [], modelContexts: [], links: [], logs: [] };
  bridge.onmessage = async (message) => {
    asked.messages.push(message);
    return {};
  };
  bridge.onupdatemodelcontext = async (context) => {
    asked.modelContexts.push(context);
    return {};
  };
  bridge.onopenlink = async ({ url }) => {
    asked.links.push(url);
    return {};
  };
  bridge.onloggingmessage = (entry) => void asked.logs.push(entry);
  const isReady = new Promise<void>((resolve) => {
    bridge.onsandboxready = () => resolve();
  });
  const isInitialized = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve();
  });
  return { bridge, asked, isReady, isInitialized };
}

/** Makes the bridge refuse calls from an app to model-only tools (SEP-1865, "Visibility"). */
export function guardTools(
  { isToolVisibilityModelOnly }: BridgePackage,
  bridge: AppBridge,
  client: Client,
): void {
  const call = bridge.oncalltool;
  if (call === undefined) return;
  // The bridge warns about a handler that replaces its own.
  bridge.oncalltool = undefined;
  bridge.oncalltool = async (params, extra) => {
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === params.name);
    if (tool !== undefined && isToolVisibilityModelOnly(tool)) {
      throw new Error(`Apps may not call the tool "${params.name}"`);
    }
    return call(params, extra);
  };
}

/** Builds the message with the page for the sandbox. */
export function buildResourceReady({
  html,
  meta,
}: AppDocument): Parameters<AppBridge['sendSandboxResourceReady']>[0] {
  const { csp, permissions } = meta;
  return {
    html,
    ...(csp && { csp: copy(csp) }),
    ...(permissions && { permissions: copy(permissions) }),
  };
}

function copy<Value extends object>(value: Value): { -readonly [Name in keyof Value]: never } {
  return structuredClone(value) as { -readonly [Name in keyof Value]: never };
}

/** A page as returned by a server, with its declarations. */
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
  throw new Error(`The server lists no tool "${name}", only ${quoteAll(tools.map((one) => one.name))}`);
}

/**
 * Reads an app page, as a host does: the declarations in the page's `_meta` take precedence over the list.
 *
 * @throws {Error} if it is not an app page
 */
export async function readApp(client: Client, uri: string): Promise<AppDocument> {
  const { contents } = await client.readResource({ uri });
  const [page] = contents;
  if (page === undefined || !isAppMimeType(page.mimeType)) {
    throw new Error(`"${uri}" has the media type "${page?.mimeType ?? 'none'}", which hosts do not display`);
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
