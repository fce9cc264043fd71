import { existsSync } from 'node:fs';
import type { CallToolResult, Client, JSONRPCMessage, Tool, Transport } from '@modelcontextprotocol/client';
import type { AppBridge, McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { INestApplicationContext } from '@nestjs/common';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  asserting,
  list,
  milliseconds,
  nonEmptyString,
  object,
  string,
} from '../../core/checks/option-checks.js';
import { optionGroup } from '../../core/checks/option-group.js';
import { APP_MIME_TYPE, APPS_EXTENSION_ID } from '../../core/protocol/apps/app-meta.js';
import { withTimeout } from '../../core/async/timeouts.js';
import { McpConfigurationError, type AppCsp } from '../../index.js';
import { McpTestingModule, type TestClientOptions } from '../mcp-testing-module.js';
import {
  type AppDocument,
  buildResourceReady,
  findTool,
  guardTools,
  type HostPackages,
  loadHostPackages,
  openBridge,
  readApp,
} from './bridge.js';
import { OpenedApp } from './opened-app.js';

/** The origins of the host's pages. They have no DNS entries, because the browser gets their content from here. */
const HOST_ORIGIN = 'https://host.nestjs-mcp.test';
const SANDBOX_ORIGIN = 'https://sandbox.nestjs-mcp.test';
const VIEW_ORIGIN = 'https://view.nestjs-mcp.test';

/** The sandbox flags of a host's frames. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms';

/**
 * The host's page. It passes messages between the bridge, which is outside the browser, and the frame.
 *
 * @see SEP-1865, "Sandbox proxy"
 */
const HOST_PAGE = `<!doctype html>
<title>Host</title>
<style>
  html, body, iframe { border: 0; height: 100%; margin: 0; width: 100%; }
</style>
<script>
  const inbox = [];
  let wake;
  addEventListener('message', ({ source, data }) => {
    if (source !== document.querySelector('iframe')?.contentWindow) return;
    inbox.push(data);
    wake?.();
  });
  window.takeMessages = async () => {
    if (inbox.length === 0) await new Promise((resolve) => { wake = resolve; });
    return inbox.splice(0);
  };
  window.sendMessage = (message) => {
    document.querySelector('iframe').contentWindow.postMessage(message, '${SANDBOX_ORIGIN}');
  };
</script>
<iframe src="${SANDBOX_ORIGIN}/" sandbox="${SANDBOX}" allow="camera *; microphone *; geolocation *; clipboard-write *"></iframe>
`;

/** The sandbox between the host and the app, at a different origin. It shows the app in an inner frame. */
const SANDBOX_PAGE = `<!doctype html>
<title>Sandbox</title>
<style>
  html, body, iframe { border: 0; height: 100%; margin: 0; width: 100%; }
</style>
<script>
  let view;
  const features = { camera: 'camera', microphone: 'microphone', geolocation: 'geolocation', clipboardWrite: 'clipboard-write' };
  const show = ({ sandbox = '${SANDBOX}', permissions = {} }) => {
    view = document.createElement('iframe');
    view.setAttribute('sandbox', sandbox);
    view.setAttribute('allow', Object.keys(permissions).map((name) => features[name]).join('; '));
    view.src = '${VIEW_ORIGIN}/';
    document.body.append(view);
  };
  addEventListener('message', ({ source, data }) => {
    if (source === parent) {
      if (data.method === 'ui/notifications/sandbox-resource-ready') show(data.params);
      else view?.contentWindow.postMessage(data, '${VIEW_ORIGIN}');
    } else if (source === view?.contentWindow) {
      parent.postMessage(data, '${HOST_ORIGIN}');
    }
  });
  addEventListener('DOMContentLoaded', () => {
    const method = 'ui/notifications/sandbox-proxy-ready';
    parent.postMessage({ jsonrpc: '2.0', method, params: {} }, '${HOST_ORIGIN}');
  });
</script>
<body></body>
`;

/** Passes messages between the bridge, which is outside the browser, and the host's page. */
class PageTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  #isClosed = false;

  constructor(private readonly page: Page) {}

  /** Reads messages until the page is closed; the bridge does not wait for this. */
  async start(): Promise<void> {
    void this.#take();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    await this.page.evaluate(`sendMessage(${JSON.stringify(message)})`);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  async #take(): Promise<void> {
    try {
      while (!this.#isClosed) {
        const messages = await this.page.evaluate<JSONRPCMessage[]>('takeMessages()');
        for (const message of messages) this.onmessage?.(message);
      }
    } catch {
      // The page is closed.
      await this.close();
    }
  }
}

/** Options of `McpAppHost.launch()`. */
export interface AppHostOptions {
  /** An open Playwright browser, which is not closed. @default a new one is started */
  readonly browser?: Browser;
  /** The path to Chromium. @default the environment's `CHROMIUM`, `/usr/bin/chromium`, or Playwright's Chromium */
  readonly executablePath?: string;
  /** Further command-line switches. @default none */
  readonly args?: readonly string[];
  /** How long an app may take to contact its host, in milliseconds. @default 30_000 */
  readonly patienceMs?: number;
}

/** Options of `McpAppHost.open()`. */
export interface OpenAppOptions extends Omit<TestClientOptions, 'client'> {
  /** The tool to call. Its app is shown. */
  readonly tool: string;
  /** The call's arguments. @default {} */
  readonly arguments?: Record<string, unknown>;
  /** The context that the host provides to the app, such as theme, locale and size. @default { theme: 'light' } */
  readonly hostContext?: McpUiHostContext;
}

/** Where the system's Chromium usually is. */
const CHROMIUM = '/usr/bin/chromium';

/** The default is long because pages start slowly on a busy machine. */
export const APP_HOST = optionGroup<AppHostOptions, 'browser' | 'executablePath'>({
  browser: object,
  executablePath: nonEmptyString,
  args: [list(string), []],
  patienceMs: [milliseconds, 30_000],
});

/**
 * A host for app tests. It calls a tool and shows its app in Chromium. As in other hosts, the app runs in a sandbox
 * with its own policy, and the host communicates with it through the official bridge.
 *
 * @example
 * const host = await McpAppHost.launch();
 * const app = await host.open(moduleRef, { tool: 'show_board' });
 * await app.click('Close ticket 1');
 * await app.waitForText('No open tickets');
 * await host.close();
 */
export class McpAppHost {
  readonly #clients = new Set<Client>();
  readonly #contexts = new Set<BrowserContext>();

  private constructor(
    private readonly browser: Browser,
    private readonly packages: HostPackages,
    private readonly own: { readonly isStarted: boolean; readonly patienceMs: number },
  ) {}

  /**
   * Starts the host with its browser.
   *
   * @throws {Error} if `@modelcontextprotocol/ext-apps` or `playwright-core` is not installed, or there is no Chromium
   */
  static async launch(options: AppHostOptions = {}): Promise<McpAppHost> {
    asserting(McpConfigurationError, () => APP_HOST.check('McpAppHost.launch', options));
    const { browser, executablePath, args, patienceMs } = APP_HOST.build(options);
    const packages = await loadHostPackages();
    if (browser !== undefined) return new McpAppHost(browser, packages, { isStarted: false, patienceMs });
    const given = executablePath ?? process.env['CHROMIUM'] ?? (existsSync(CHROMIUM) ? CHROMIUM : undefined);
    const started = await packages.playwright.chromium.launch({
      ...(given !== undefined && { executablePath: given }),
      // In containers, the browser's own sandbox has no user namespaces.
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', ...args],
    });
    return new McpAppHost(started, packages, { isStarted: true, patienceMs });
  }

  /**
   * Calls one of the application's tools and shows its app.
   *
   * @param source an application under test, or a connected official client that declares app support
   * @throws {Error} if the tool has no app, or the app does not contact its host
   */
  async open(source: INestApplicationContext | Client, options: OpenAppOptions): Promise<OpenedApp> {
    const client = isClient(source) ? source : await this.#connect(source, options);
    const tool = await findTool(client, options.tool);
    const uri = this.packages.bridge.getToolUiResourceUri(tool);
    if (uri === undefined) throw new Error(`The tool "${options.tool}" has no app: set its "ui" option`);
    return this.#show(client, { tool, document: await readApp(client, uri), options });
  }

  /** Closes all apps, and the browser if the host started it. */
  async close(): Promise<void> {
    for (const context of this.#contexts) await context.close();
    for (const client of this.#clients) await client.close();
    if (this.own.isStarted) await this.browser.close();
  }

  async #connect(application: INestApplicationContext, options: OpenAppOptions): Promise<Client> {
    const { tool: _, arguments: __, hostContext: ___, ...connecting } = options;
    const extensions = { [APPS_EXTENSION_ID]: { mimeTypes: [APP_MIME_TYPE] } };
    const client = await McpTestingModule.createClient(application, {
      ...connecting,
      client: { capabilities: { extensions } },
    });
    this.#clients.add(client);
    return client;
  }

  async #show(client: Client, { tool, document, options }: Shown): Promise<OpenedApp> {
    const context = await this.browser.newContext();
    this.#contexts.add(context);
    const page = await context.newPage();
    const seen = watchPage(page);
    await servePages(page, document);
    const { hostContext = { theme: 'light' } } = options;
    const { bridge, asked, isReady, isInitialized } = openBridge(this.packages.bridge, client, {
      toolInfo: { tool },
      ...hostContext,
    });
    await page.goto(`${HOST_ORIGIN}/`);
    await bridge.connect(new PageTransport(page));
    guardTools(this.packages.bridge, bridge, client);
    const { patienceMs } = this.own;
    await withTimeout(isReady, patienceMs, () => new Error("The host's sandbox did not start"));
    await bridge.sendSandboxResourceReady(buildResourceReady(document));
    await withTimeout(
      isInitialized,
      patienceMs,
      () => new Error(`The app for "${tool.name}" did not initialize${explain(seen)}`),
    );
    const result = await callTool(bridge, client, options);
    const close = async (): Promise<void> => {
      await bridge.close();
      this.#contexts.delete(context);
      await context.close();
    };
    const tearDown = async (): Promise<void> => void (await bridge.teardownResource({}));
    return new OpenedApp({ page, result, asked, ...seen, tearDown, close });
  }
}

/** The displayed app, and its tool call. */
interface Shown {
  readonly tool: Tool;
  readonly document: AppDocument;
  readonly options: OpenAppOptions;
}

/** Passes the arguments to the app, calls the tool, and passes the result to the app. */
async function callTool(
  bridge: AppBridge,
  client: Client,
  { tool: name, arguments: args = {} }: OpenAppOptions,
): Promise<CallToolResult | undefined> {
  await bridge.sendToolInput({ arguments: args });
  try {
    const result = await client.callTool({ name, arguments: args });
    await bridge.sendToolResult(result);
    return result;
  } catch (error) {
    await bridge.sendToolCancelled({ reason: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}

interface PageProblems {
  readonly blocked: string[];
  readonly errors: string[];
}

function watchPage(page: Page): PageProblems {
  const seen: PageProblems = { blocked: [], errors: [] };
  page.on('pageerror', ({ message }) => seen.errors.push(message));
  page.on('console', (line) => {
    if (line.text().includes('Content Security Policy')) seen.blocked.push(line.text());
  });
  return seen;
}

function explain({ blocked, errors }: PageProblems): string {
  const causes = [...errors, ...blocked];
  return causes.length === 0 ? ': have it call "app.connect()"' : `: ${causes.join('; ')}`;
}

function isClient(source: INestApplicationContext | Client): source is Client {
  return 'callTool' in source;
}

/** Serves the host's pages and the app with its declared policy to the browser, without any network. */
async function servePages(page: Page, { html, meta }: AppDocument): Promise<void> {
  const policy = formatCsp(meta.csp ?? {});
  const documents: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
    [HOST_ORIGIN, HOST_PAGE, {}],
    [SANDBOX_ORIGIN, SANDBOX_PAGE, {}],
    [VIEW_ORIGIN, html, { 'content-security-policy': policy }],
  ];
  for (const [origin, body, headers] of documents) {
    await page.route(`${origin}/**`, (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname !== '/') return route.fulfill({ status: 404, body: '' });
      return route.fulfill({ body, headers: { 'content-type': 'text/html; charset=utf-8', ...headers } });
    });
  }
}

/**
 * Formats the header that a host uses to restrict a page to its declaration.
 *
 * @see SEP-1865, "Content Security Policy Enforcement"
 */
function formatCsp({
  connectDomains = [],
  resourceDomains = [],
  frameDomains = [],
  baseUriDomains = [],
}: AppCsp): string {
  const directives: readonly (readonly [string, readonly string[]])[] = [
    ['default-src', ["'none'"]],
    ['script-src', ["'self'", "'unsafe-inline'", ...resourceDomains]],
    ['style-src', ["'self'", "'unsafe-inline'", ...resourceDomains]],
    ['connect-src', ["'self'", ...connectDomains]],
    ['img-src', ["'self'", 'data:', ...resourceDomains]],
    ['font-src', ["'self'", ...resourceDomains]],
    ['media-src', ["'self'", 'data:', ...resourceDomains]],
    ['frame-src', orElse(frameDomains, "'none'")],
    ['object-src', ["'none'"]],
    ['base-uri', orElse(baseUriDomains, "'self'")],
  ];
  return directives.map(([name, sources]) => `${name} ${sources.join(' ')}`).join('; ');
}

function orElse(sources: readonly string[], none: string): readonly string[] {
  return sources.length === 0 ? [none] : sources;
}
