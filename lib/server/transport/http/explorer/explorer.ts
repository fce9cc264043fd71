import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  HttpException,
  Inject,
  Injectable,
  Logger,
  type CanActivate,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { isObservable, lastValueFrom } from 'rxjs';
import { isRepeated } from '../../../../core/protocol/headers/repeated-header.js';
import { SERVER_SETTINGS } from '../../../settings/mcp.constants.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { OriginPolicy } from '../edge/origin-policy.js';
import { EndpointPath } from '../endpoint-path.js';
import { isForAppFrame, sendAppFrame } from './app-frame.js';
import { ExplorerPage } from './explorer-page.js';
import { isNavigation } from './is-navigation.js';
import { isOfThisMachine } from './is-of-this-machine.js';

/** Answers with what is asked for. */
type Send = (response: ServerResponse) => void | Promise<void>;

/**
 * Answers browsers that open the endpoint with a page, which is a client like any other. The page is nothing that needs a token: it asks
 * for one when the endpoint does.
 */
@Injectable()
export class Explorer implements OnModuleInit {
  readonly #policy: OriginPolicy;
  readonly #logger = new Logger('McpExplorer');
  readonly #page: ExplorerPage | undefined;
  #guard: CanActivate | undefined;

  constructor(
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
    private readonly endpoint: EndpointPath,
    private readonly moduleRef: ModuleRef,
  ) {
    this.#policy = new OriginPolicy(settings);
    const { explorer, auth } = settings;
    const issuers = auth?.authorizationServers ?? [];
    const facts = { issuers, isOfThisMachine: explorer?.guard === undefined };
    this.#page = explorer && new ExplorerPage(facts, this.#logger);
  }

  async onModuleInit(): Promise<void> {
    const guard = this.settings.explorer?.guard;
    if (guard !== undefined) this.#guard = await this.moduleRef.create(guard as Type<CanActivate>);
  }

  /** Takes a request that is for the page, and tells whether it did; all others stay as they are. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET') return false;
    const send = this.#select(request);
    if (send === undefined) return false;
    if (this.endpoint.isSse(request.url ?? '') || isRepeated(request.rawHeaders, 'host')) return false;
    if (this.settings.explorer?.guard === undefined) {
      if (!isOfThisMachine(request)) return false;
      void send(response);
      return true;
    }
    if (!this.#policy.allowsHost(request)) return false;
    void this.#sendGuarded(send, request, response);
    return true;
  }

  /** Selects what a request is for; most are for nothing of this. */
  #select(request: IncomingMessage): Send | undefined {
    const page = this.#page;
    if (page === undefined) return undefined;
    if (isNavigation(request)) return (response) => page.send(response);
    return isForAppFrame(request) ? sendAppFrame : undefined;
  }

  async #sendGuarded(send: Send, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (await this.#admits(request, response)) return await send(response);
      refuse(response, 403, 'Forbidden');
    } catch (error) {
      if (error instanceof HttpException) return refuse(response, error.getStatus(), error.message);
      this.#logger.error(
        'The guard of the explorer failed',
        error instanceof Error ? error.stack : String(error),
      );
      refuse(response, 500, 'Internal error');
    }
  }

  async #admits(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    // Before the guard is there, nobody is let in.
    if (this.#guard === undefined) return false;
    const context = new ExecutionContextHost([request, response], Explorer, Explorer.prototype.take);
    // Its type is a promise of whoever wrote it: what is not true lets nobody in.
    const answer: unknown = this.#guard.canActivate(context);
    return (isObservable(answer) ? await lastValueFrom(answer) : await answer) === true;
  }
}

function refuse(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent || response.writableEnded) return;
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(text);
}
