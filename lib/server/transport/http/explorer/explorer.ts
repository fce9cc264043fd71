import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpException, type CanActivate, type OnModuleInit, type Type } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { from, isObservable, lastValueFrom, map, takeUntil, timer } from 'rxjs';
import { APP_FRAME_QUERY, type AppPageMessage } from '../../../../core/explorer/page-contract.js';
import { Logger } from '../../../../core/logger/logger.js';
import { readOwnPackage } from '../../../../core/package/own-package.js';
import {
  isRepeated,
  namesEventStream,
  namesMediaType,
} from '../../../../core/protocol/headers/http-headers.js';
import { isOfThisMachine } from '../../../context/is-of-this-machine.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { OriginPolicy } from '../edge/origin-policy.js';
import type { EndpointPath } from '../endpoint-path.js';
import { ExplorerPage, sendPageResponse, type PageResponse } from './explorer-page.js';
import { isForLoginRelay, LoginRelay } from './login-relay.js';

/** Headers that only MCP clients send with a GET. */
const OF_CLIENTS = ['mcp-session-id', 'mcp-protocol-version', 'last-event-id', 'origin'];

/**
 * Whether a GET is a browser navigation. It accepts HTML explicitly and no event stream. Embedded and fetched resources do
 * not count.
 *
 * @see Fetch Metadata §2.1, §2.2
 */
function isNavigation({ headers }: IncomingMessage): boolean {
  if (!namesMediaType(headers.accept, 'text/html') || namesEventStream(headers.accept)) return false;
  if (OF_CLIENTS.some((name) => headers[name] !== undefined)) return false;
  const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': destination = 'document' } = headers;
  return mode === 'navigate' && destination === 'document';
}

/** The guard took too long. */
class SlowGuardError extends Error {
  override readonly name = 'SlowGuardError';

  constructor(longestMs: number) {
    super(`The explorer guard did not decide within ${longestMs} ms`);
  }
}

/**
 * Awaits a guard's decision, which may be a value, a promise or an Observable. The wait is limited because it
 * occupies a connection.
 *
 * @throws {SlowGuardError} if the guard takes longer
 */
async function awaitDecision(answer: unknown, longestMs: number): Promise<unknown> {
  const decision$ = isObservable(answer) ? answer : from(Promise.resolve(answer));
  const tooLate$ = timer(longestMs).pipe(
    map(() => {
      throw new SlowGuardError(longestMs);
    }),
  );
  return lastValueFrom(decision$.pipe(takeUntil(tooLate$)));
}

const MARK: AppPageMessage['explorer'] = 'app';

/**
 * An app's frame: the page writes the app's HTML into this document, which has an opaque origin and loads nothing.
 *
 * @see SEP-1865, "Sandbox proxy"
 */
const FRAME = Buffer.from(`<!doctype html>
<title>App</title>
<script>
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || data?.explorer !== '${MARK}') return;
    document.open();
    document.write(data.html);
    document.close();
  });
</script>
`);

const HEADERS = {
  'Content-Security-Policy': [
    'sandbox allow-scripts allow-forms',
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'media-src data: blob:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Length': FRAME.length,
} as const;

/** Whether a GET comes from the page's app frame. No other page can send it. */
function isForAppFrame({ url = '', headers }: IncomingMessage): boolean {
  if (!url.endsWith(APP_FRAME_QUERY) || !namesMediaType(headers.accept, 'text/html')) return false;
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, 'sec-fetch-site': site } = headers;
  return mode === 'navigate' && destination === 'iframe' && site === 'same-origin';
}

/** The response with the frame. */
const APP_FRAME: PageResponse = { status: 200, headers: HEADERS, body: FRAME };

/** Creates a response; never rejects. */
type Find = () => Promise<PageResponse>;

/**
 * Serves a page to browsers that open the endpoint. The page is an ordinary client. It needs no token itself, and
 * prompts for one when the endpoint requires it.
 */
export class Explorer implements OnModuleInit {
  readonly #policy: OriginPolicy;
  readonly #logger = new Logger('McpExplorer');
  readonly #page: ExplorerPage | undefined;
  readonly #relay: LoginRelay | undefined;
  #guard: CanActivate | undefined;

  constructor(
    private readonly settings: ServerSettings,
    private readonly endpoint: EndpointPath,
    private readonly moduleRef: ModuleRef,
  ) {
    this.#policy = new OriginPolicy(settings);
    const { explorer, auth, limits } = settings;
    const issuers = auth?.authorizationServers ?? [];
    if (explorer === undefined) return;
    const relaysLogin = explorer.loginRelay && issuers.length > 0;
    if (relaysLogin && auth !== undefined) this.#relay = new LoginRelay(auth, limits.transferTimeoutMs);
    const { version } = readOwnPackage();
    const isGuarded = explorer.guard !== undefined;
    const facts = {
      issuers,
      asksForToken: auth !== undefined,
      isOfThisMachine: !isGuarded,
      relaysLogin,
      version,
    };
    this.#page = new ExplorerPage(facts, this.#logger);
  }

  async onModuleInit(): Promise<void> {
    const guard = this.settings.explorer?.guard;
    if (guard !== undefined) this.#guard = await this.moduleRef.create(guard as Type<CanActivate>);
  }

  /** Handles a request for the page. Returns whether it did; other requests are left untouched. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const find = this.#select(request);
    if (find === undefined) return false;
    if (this.endpoint.isSse(request.url ?? '') || isRepeated(request.rawHeaders, 'host')) return false;
    if (this.settings.explorer?.guard === undefined) {
      if (!isOfThisMachine(request)) return false;
      void find().then((answer) => this.#send(response, answer));
      return true;
    }
    if (!this.#policy.allowsHost(request)) return false;
    void this.#judge(find, request, response).then((answer) => this.#send(response, answer));
    return true;
  }

  /** Selects a request's handler; most have none. */
  #select(request: IncomingMessage): Find | undefined {
    const [page, relay] = [this.#page, this.#relay];
    if (page === undefined) return undefined;
    if (request.method === 'POST') {
      return relay !== undefined && isForLoginRelay(request) ? () => relay.answer(request) : undefined;
    }
    if (request.method !== 'GET') return undefined;
    if (isNavigation(request)) return () => page.find();
    return isForAppFrame(request) ? () => Promise.resolve(APP_FRAME) : undefined;
  }

  #send(response: ServerResponse, answer: PageResponse): void {
    sendPageResponse(response, answer, this.settings.limits.transferTimeoutMs);
  }

  /** Runs the handler if the guard allows it; never rejects. */
  async #judge(find: Find, request: IncomingMessage, response: ServerResponse): Promise<PageResponse> {
    try {
      return (await this.#admits(request, response)) ? await find() : refuse(403, 'Forbidden');
    } catch (error) {
      if (error instanceof HttpException) return refuse(error.getStatus(), error.message);
      if (error instanceof SlowGuardError) {
        this.#logger.warn(error.message);
        return refuse(503, 'Try again later');
      }
      this.#logger.error('The explorer guard failed', error instanceof Error ? error.stack : String(error));
      return refuse(500, 'Internal error');
    }
  }

  async #admits(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    // Nothing is allowed before the guard is created.
    if (this.#guard === undefined) return false;
    const context = new ExecutionContextHost([request, response], Explorer, Explorer.prototype.handle);
    // The declared return type is not reliable, so only `true` admits a request.
    const answer: unknown = this.#guard.canActivate(context);
    return (await awaitDecision(answer, this.settings.limits.transferTimeoutMs)) === true;
  }
}

/** A guard exception's status may come from another server, or be missing. */
function refuse(given: number, body: string): PageResponse {
  const status = Number.isInteger(given) && given >= 400 && given <= 599 ? given : 500;
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  };
  return { status, headers, body };
}
