import type { CallToolResult, Client, Tool } from '@modelcontextprotocol/client';
import {
  AppBridge,
  getToolUiResourceUri,
  isToolVisibilityModelOnly,
  PostMessageTransport,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import { APP_FRAME_QUERY, type AppPageMessage } from '../../core/explorer/page-contract.js';
import { decodeBase64 } from '../../core/protocol/base64.js';
import type { Connection } from '../connection/connection.js';
import { readOwnInfo } from '../facts.js';

/** The parts that show an app, and the handlers of its requests. */
export interface AppSurroundings {
  readonly connection: Connection;
  readonly tool: Tool;
  readonly given: Record<string, unknown>;
  readonly result: CallToolResult;
  /** The app has begun to speak with the page. */
  readonly onBegin: () => void;
  readonly onSize: (pixels: number) => void;
  readonly onLink: (link: string) => void;
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

/** Returns the URI of the app of a tool, if it has one that is any. */
export function findApp(tool: Tool): string | undefined {
  try {
    return getToolUiResourceUri(tool);
  } catch {
    return undefined;
  }
}

/** Puts the page of an app into a frame, and speaks with it by the official bridge. */
export function openApp(frame: HTMLIFrameElement, surroundings: AppSurroundings): OpenApp {
  const { connection, tool } = surroundings;
  let bridge: AppBridge | undefined;
  const open = async (): Promise<void> => {
    const { client } = connection;
    const [html] = await Promise.all([readPage(client, findApp(tool)), load(frame, connection.endpoint)]);
    if (client === undefined || frame.contentWindow === null) return;
    bridge = createBridge(client, surroundings);
    await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
    // The frame has an origin of its own that has no name.
    frame.contentWindow.postMessage({ explorer: 'app', html } satisfies AppPageMessage, '*');
  };
  return { ready: open(), close: async () => bridge?.close() };
}

function createBridge(client: Client, surroundings: AppSurroundings): AppBridge {
  const { connection, tool, given, result, onBegin, onSize, onLink } = surroundings;
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const bridge = new AppBridge(client, readOwnInfo(), CAPABILITIES, {
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
  guardTools(bridge, connection);
  return bridge;

  function note(method: string, params: unknown): Record<string, never> {
    connection.journal.note(method, params);
    return {};
  }
}

/** Refuses an app what is for the model alone (SEP-1865, "Visibility"). */
function guardTools(bridge: AppBridge, connection: Connection): void {
  const call = bridge.oncalltool;
  if (call === undefined) return;
  // The bridge warns about a handler that replaces its own.
  bridge.oncalltool = undefined;
  bridge.oncalltool = (params, extra) => {
    // What is offered may have changed since the app was opened.
    const tool = connection.offer.tools.find(({ name }) => name === params.name);
    if (tool !== undefined && isToolVisibilityModelOnly(tool)) {
      return Promise.reject(new Error(`The tool "${params.name}" is not for apps`));
    }
    return call(params, extra);
  };
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
