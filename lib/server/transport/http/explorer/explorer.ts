import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  HttpException,
  Inject,
  Injectable,
  type CanActivate,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { Logger } from '../../../../core/logger/logger.js';
import { readOwnPackage } from '../../../../core/package/own-package.js';
import { isRepeated } from '../../../../core/protocol/headers/repeated-header.js';
import { SERVER_SETTINGS } from '../../../settings/mcp.constants.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { OriginPolicy } from '../edge/origin-policy.js';
import { EndpointPath } from '../endpoint-path.js';
import { APP_FRAME, isForAppFrame } from './app-frame.js';
import { awaitDecision, SlowGuardError } from './await-decision.js';
import { ExplorerPage } from './explorer-page.js';
import { isNavigation } from './is-navigation.js';
import { isOfThisMachine } from '../../../context/is-of-this-machine.js';
import { LoginRelay } from './login-relay.js';
import { isForLoginRelay } from './relay-request.js';
import { sendAnswer, type WholeAnswer } from './send-answer.js';

/** Finds what is asked for; it never rejects. */
type Find = () => Promise<WholeAnswer>;

/**
 * Answers browsers that open the endpoint with a page, which is a client like any other. The page is nothing that needs a token: it asks
 * for one when the endpoint does.
 */
@Injectable()
export class Explorer implements OnModuleInit {
  readonly #policy: OriginPolicy;
  readonly #logger = new Logger('McpExplorer');
  readonly #page: ExplorerPage | undefined;
  readonly #relay: LoginRelay | undefined;
  #guard: CanActivate | undefined;

  constructor(
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
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

  /** Takes a request that is for the page, and tells whether it did; all others stay as they are. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
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

  /** Selects what a request is for; most are for nothing of this. */
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

  #send(response: ServerResponse, answer: WholeAnswer): void {
    sendAnswer(response, answer, this.settings.limits.transferTimeoutMs);
  }

  /** Finds what is asked for if the guard lets its caller in, else why not; it never rejects. */
  async #judge(find: Find, request: IncomingMessage, response: ServerResponse): Promise<WholeAnswer> {
    try {
      return (await this.#admits(request, response)) ? await find() : refuse(403, 'Forbidden');
    } catch (error) {
      if (error instanceof HttpException) return refuse(error.getStatus(), error.message);
      if (error instanceof SlowGuardError) {
        this.#logger.warn(error.message);
        return refuse(503, 'Try again later');
      }
      this.#logger.error(
        'The guard of the explorer failed',
        error instanceof Error ? error.stack : String(error),
      );
      return refuse(500, 'Internal error');
    }
  }

  async #admits(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    // Before the guard is there, nobody is let in.
    if (this.#guard === undefined) return false;
    const context = new ExecutionContextHost([request, response], Explorer, Explorer.prototype.take);
    // The guard's return type may be wrong, so only `true` admits a request.
    const answer: unknown = this.#guard.canActivate(context);
    return (await awaitDecision(answer, this.settings.limits.transferTimeoutMs)) === true;
  }
}

/** The status of a guard's error may come from another server, or be missing. */
function refuse(given: number, body: string): WholeAnswer {
  const status = Number.isInteger(given) && given >= 400 && given <= 599 ? given : 500;
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  };
  return { status, headers, body };
}
