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

/** The parts that show an app, and the handlers of its requests. */
export interface AppHandlers {
  readonly connection: Connection;
  readonly tool: Tool;
  readonly given: Record<string, unknown>;
  readonly result: CallToolResult;
  /** The app has begun to speak with the page. */
  readonly onBegin: () => void;
  readonly onSize: (pixels: number) => void;
  readonly onLink: (link: string) => void;
  /** Its user wants the app to be gone. */
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

/** Puts the page of an app into a frame, and speaks with it by the official bridge. */
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
    // The frame has an origin of its own that has no name.
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
  // With the client, it would call any tool, and take what the page hears of changed lists.
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

/** Has an app list and read what the user of the page could. */
function letAppAsk(bridge: AppBridge, client: Client): void {
  bridge.onlistresources = (params, { mcpReq }) => client.listResources(params, fresh(mcpReq));
  bridge.onlistresourcetemplates = (params, { mcpReq }) =>
    client.listResourceTemplates(params, fresh(mcpReq));
  bridge.onreadresource = (params, { mcpReq }) => client.readResource(params, fresh(mcpReq));
  bridge.onlistprompts = (params, { mcpReq }) => client.listPrompts(params, fresh(mcpReq));
}

/** Whoever asks wants to see what is there now. */
function fresh({ signal }: { readonly signal: AbortSignal }): CacheableRequestOptions {
  return { signal, cacheMode: 'refresh' };
}

/**
 * Calls tools for an app: none that is for the model alone (SEP-1865, "Visibility"), and one that may change something only if the
 * user allows it.
 *
 * @param closed is aborted when the app is gone
 */
function createToolCaller(
  client: Client,
  { connection, tool: { name: app }, onClose }: AppHandlers,
  closed: AbortSignal,
): NonNullable<AppBridge['oncalltool']> {
  return async (params, { mcpReq }) => {
    const { name, arguments: args = {} } = params;
    // What is offered may have changed since the app was opened.
    const tool = connection.offer.tools.find((one) => one.name === name);
    if (tool !== undefined && isToolVisibilityModelOnly(tool)) {
      throw new Error(`The tool "${name}" is not for apps`);
    }
    const signal = AbortSignal.any([mcpReq.signal, closed]);
    const reason = explainRisk(tool);
    if (reason !== undefined) {
      const asked = { app, tool: name, reason, args };
      const isAllowed = await connection.inputRequests.ask<boolean>(
        (answer) => ({ kind: 'call', params: asked, answer, closeApp: onClose }),
        { signal, withdrawn: false },
      );
      if (!isAllowed) throw new Error(`The user refused the call of "${name}"`);
    }
    return client.callTool(params, { signal });
  };
}

/** Says why a call needs the user's permission. Returns `undefined` if the tool says that it only reads. */
function explainRisk(tool: Tool | undefined): string | undefined {
  if (tool === undefined) return 'is not in the list of tools';
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
  if (destructiveHint === true) return 'may destroy';
  return readOnlyHint === true ? undefined : 'does not say that it only reads';
}

async function readPage(client: Client | undefined, uri: string | undefined): Promise<string> {
  if (client === undefined || uri === undefined) return '';
  const { contents } = await client.readResource({ uri });
  const [page] = contents;
  if (page === undefined) return '';
  if ('text' in page) return page.text;
  return new TextDecoder().decode(decodeBase64(page.blob));
}

/** Loads the document that the page of an app is written into. */
function load(frame: HTMLIFrameElement, endpoint: URL): Promise<void> {
  return new Promise((resolve) => {
    frame.addEventListener('load', () => resolve(), { once: true });
    frame.src = endpoint.pathname + APP_FRAME_QUERY;
  });
}
