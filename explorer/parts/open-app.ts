import type { CacheableRequestOptions, CallToolResult, Client, Tool } from '@modelcontextprotocol/client';
import {
  AppBridge,
  isToolVisibilityModelOnly,
  PostMessageTransport,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import { APP_FRAME_QUERY, type AppPageMessage } from '../../lib/core/explorer/page-contract.js';
import { decodeBase64 } from '../../lib/core/protocol/base64.js';
import type { Connection } from '../connection/connection.js';
import { readOwnInfo } from '../facts.js';
import { findApp } from './find-app.js';

/** The parts that show an app, and the handlers for its requests. */
export interface AppHandlers {
  readonly connection: Connection;
  readonly tool: Tool;
  readonly given: Record<string, unknown>;
  readonly result: CallToolResult;
  /** Called when the app has connected to the page. */
  readonly onBegin: () => void;
  readonly onSize: (pixels: number) => void;
  readonly onLink: (link: string) => void;
  /** Called when the app requests to be closed. */
  readonly onClose: () => void;
}

/** An app in a frame. */
export interface OpenApp {
  /** Resolves once its page is in the frame. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

const CAPABILITIES = {
  openLinks: {},
  serverTools: {},
  serverResources: {},
  logging: {},
  message: { text: {} },
};

/** Loads an app's page into a frame, and connects to it with the official bridge. */
export function openApp(frame: HTMLIFrameElement, surroundings: AppHandlers): OpenApp {
  const { connection, tool } = surroundings;
  const closing = new AbortController();
  let bridge: AppBridge | undefined;
  const open = async (): Promise<void> => {
    const { client } = connection;
    const [html] = await Promise.all([readPage(client, findApp(tool)), load(frame, connection.endpoint)]);
    if (client === undefined || frame.contentWindow === null) return;
    bridge = createBridge(surroundings);
    letAppAsk(bridge, client);
    bridge.oncalltool = createToolCaller(client, surroundings, closing.signal);
    await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
    // The frame has an opaque origin.
    frame.contentWindow.postMessage({ explorer: 'app', html } satisfies AppPageMessage, '*');
  };
  const close = async (): Promise<void> => {
    closing.abort();
    await bridge?.close();
  };
  return { ready: open(), close };
}

function createBridge(surroundings: AppHandlers): AppBridge {
  const { connection, tool, given, result, onBegin, onSize, onLink } = surroundings;
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  // With the client, the bridge would call any tool, and consume notifications of changed lists.
  const bridge = new AppBridge(null, readOwnInfo(), CAPABILITIES, {
    hostContext: { theme, toolInfo: { tool } },
  });
  bridge.oninitialized = () => {
    onBegin();
    void bridge.sendToolInput({ arguments: given }).then(() => bridge.sendToolResult(result));
  };
  bridge.onsizechange = ({ height }) => height !== undefined && onSize(height);
  bridge.onmessage = (message) => Promise.resolve(note('ui/message', message));
  bridge.onopenlink = ({ url }) => {
    if (!/^https?:\/\//i.test(url)) return Promise.resolve({ isError: true });
    onLink(url);
    return Promise.resolve({});
  };
  bridge.onloggingmessage = (params) => void note('notifications/message', params);
  return bridge;

  function note(method: string, params: unknown): Record<string, never> {
    connection.journal.note('app', { jsonrpc: '2.0', method, params });
    return {};
  }
}

/** Lets an app list and read everything that the page's user can. */
function letAppAsk(bridge: AppBridge, client: Client): void {
  bridge.onlistresources = (params, { mcpReq }) => client.listResources(params, fresh(mcpReq));
  bridge.onlistresourcetemplates = (params, { mcpReq }) =>
    client.listResourceTemplates(params, fresh(mcpReq));
  bridge.onreadresource = (params, { mcpReq }) => client.readResource(params, fresh(mcpReq));
  bridge.onlistprompts = (params, { mcpReq }) => client.listPrompts(params, fresh(mcpReq));
}

/** Apps receive fresh results, not cached ones. */
function fresh({ signal }: { readonly signal: AbortSignal }): CacheableRequestOptions {
  return { signal, cacheMode: 'refresh' };
}

/**
 * Calls tools for an app. Tools that are only for the model are rejected (SEP-1865, "Visibility"), and tools that may
 * change something require the user's permission.
 *
 * @param closed aborted when the app is closed
 */
function createToolCaller(
  client: Client,
  { connection, tool: { name: app }, onClose }: AppHandlers,
  closed: AbortSignal,
): NonNullable<AppBridge['oncalltool']> {
  return async (params, { mcpReq }) => {
    const { name, arguments: args = {} } = params;
    // The tool list may have changed since the app was opened.
    const tool = connection.offer.tools.find((one) => one.name === name);
    if (tool !== undefined && isToolVisibilityModelOnly(tool)) {
      throw new Error(`Apps may not call the tool "${name}"`);
    }
    const signal = AbortSignal.any([mcpReq.signal, closed]);
    const reason = explainRisk(tool);
    if (reason !== undefined) {
      const asked = { app, tool: name, reason, args };
      const isAllowed = await connection.inputRequests.ask<boolean>(
        (answer) => ({ kind: 'call', params: asked, answer, closeApp: onClose }),
        { signal, withdrawn: false },
      );
      if (!isAllowed) throw new Error(`The user did not allow the call to "${name}"`);
    }
    return client.callTool(params, { signal });
  };
}

/** Describes why a call needs the user's permission. Returns `undefined` if the tool declares that it is read-only. */
function explainRisk(tool: Tool | undefined): string | undefined {
  if (tool === undefined) return 'is not in the list of tools';
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
  if (destructiveHint === true) return 'may destroy';
  return readOnlyHint === true ? undefined : 'does not declare that it is read-only';
}

async function readPage(client: Client | undefined, uri: string | undefined): Promise<string> {
  if (client === undefined || uri === undefined) return '';
  const { contents } = await client.readResource({ uri });
  const [page] = contents;
  if (page === undefined) return '';
  if ('text' in page) return page.text;
  return new TextDecoder().decode(decodeBase64(page.blob));
}

/** Loads the document into which an app page is written. */
function load(frame: HTMLIFrameElement, endpoint: URL): Promise<void> {
  return new Promise((resolve) => {
    frame.addEventListener('load', () => resolve(), { once: true });
    frame.src = endpoint.pathname + APP_FRAME_QUERY;
  });
}
