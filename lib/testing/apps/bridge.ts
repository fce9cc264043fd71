import type { Client } from '@modelcontextprotocol/client';
import type { AppBridge, McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { HostPackages } from './load-host-packages.js';
import type { AskedOfHost } from './opened-app.js';
import type { AppDocument } from './read-app.js';

type BridgePackage = HostPackages['bridge'];
type Asked = { -readonly [Name in keyof AskedOfHost]: AskedOfHost[Name][number][] };

/** A bridge, and the requests that apps send through it. */
export interface OpenBridge {
  readonly bridge: AppBridge;
  readonly asked: AskedOfHost;
  /** Resolves once the sandbox accepts a page. */
  readonly isReady: Promise<void>;
  /** Resolves once the app has completed its handshake. */
  readonly isInitialized: Promise<void>;
}

/** What the host can do for an app. */
const CAPABILITIES = {
  openLinks: {},
  serverTools: {},
  serverResources: {},
  logging: {},
  message: { text: {} },
  updateModelContext: { text: {}, structuredContent: {} },
};

/** Creates the official bridge, which fulfills the requests of apps and records them. */
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

/** Makes the bridge refuse calls from an app to tools that are only for the model (SEP-1865, "Visibility"). */
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
      throw new Error(`The tool "${params.name}" is not for apps`);
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
