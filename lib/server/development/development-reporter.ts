import type { Server } from 'node:net';
import { Server as SecureServer } from 'node:tls';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { merge, Subscription } from 'rxjs';
import { Logger } from '../../core/logger/logger.js';
import { findInvitation } from '../../core/development/invitation.js';
import type { OfferedEndpoint } from '../../core/development/report.interface.js';
import { PER_REQUEST_VERSIONS, REVISIONS } from '../../core/protocol/revisions.js';
import { AuditTrail } from '../audit/audit-trail.js';
import {
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../catalogue/registries.js';
import type { RequestContext } from '../context/request-context.js';
import { findSubject } from '../context/find-subject.js';
import { FailureMapper } from '../dispatch/failure-mapper.js';
import { EventsExtension } from '../extensions/events/events.extension.js';
import { SkillShelf } from '../extensions/skills/skill-shelf.js';
import { SERVER_IDENTITY, SERVER_SETTINGS, type ServerIdentity } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { EndpointPath } from '../transport/http/endpoint-path.js';
import { buildFailure } from './build-failure.js';
import { describeOffer } from './describe-offer.js';
import { DevelopmentLink } from './development-link.js';
import { ReportedCalls } from './reported-calls.js';
import { ReturningClients } from './returning-clients.js';

/** What is needed of the application's server. */
type ListeningServer = Partial<Pick<Server, 'once' | 'address'>>;

const UNANSWERED =
  '"NESTJS_MCP_DEV" is set, and no "nestjs-mcp-cli dev" answers there: unset it, since it changes the defaults of options';

/** Reports what a server offers and does to `nestjs-mcp-cli dev`, if that has started the application. */
@Injectable()
export class DevelopmentReporter implements OnModuleInit, OnModuleDestroy {
  readonly #logger = new Logger('McpDevelopment');
  readonly #subscription = new Subscription();
  #isReportPending = false;

  constructor(
    private readonly tools: ToolRegistry,
    private readonly resources: ResourceRegistry,
    private readonly templates: ResourceTemplateRegistry,
    private readonly prompts: PromptRegistry,
    private readonly skills: SkillShelf,
    private readonly events: EventsExtension,
    private readonly trail: AuditTrail,
    private readonly failures: FailureMapper,
    private readonly calls: ReportedCalls,
    private readonly returning: ReturningClients,
    private readonly endpoint: EndpointPath,
    private readonly host: HttpAdapterHost,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
    @Inject(SERVER_IDENTITY) private readonly identity: ServerIdentity,
  ) {}

  /** The application listens afterwards: by then its port is free again. */
  async onModuleInit(): Promise<void> {
    const invitation = findInvitation(process.env);
    if (invitation === undefined) return;
    const link = await DevelopmentLink.open(invitation);
    if (link === undefined) return this.#logger.warn(UNANSWERED);
    this.failures.onFailure = (failure, context) => link.send(this.#describeFailure(failure, context));
    this.#subscription.add(() => (this.failures.onFailure = undefined));
    this.#subscription.add(this.calls.report(this.trail, link));
    if (link.isRestart) this.#subscription.add(this.returning.tell());
    this.#whenListening(() => this.#begin(link));
  }

  onModuleDestroy(): void {
    this.#subscription.unsubscribe();
  }

  /** What an application adds itself is there when it listens. */
  #begin(link: DevelopmentLink): void {
    this.#report(link);
    const { tools, resources, templates, prompts } = this;
    const lists = [tools, resources, templates, prompts, this.events.sources?.feeds];
    const changes = lists.flatMap((list) => (list === undefined ? [] : [list.changes$]));
    this.#subscription.add(merge(...changes).subscribe(() => this.#reportSoon(link)));
  }

  #whenListening(act: () => void): void {
    const server = this.#findServer();
    const isListening = (server?.address?.() ?? undefined) !== undefined;
    // A command or a worker has no adapter: it begins when its modules are ready.
    if (isListening || server?.once === undefined) setImmediate(act);
    else server.once('listening', act);
  }

  /** Changes that are made in one go are told once. */
  #reportSoon(link: DevelopmentLink): void {
    if (this.#isReportPending) return;
    this.#isReportPending = true;
    setImmediate(() => {
      this.#isReportPending = false;
      this.#report(link);
    });
  }

  #report(link: DevelopmentLink): void {
    const entries = describeOffer({
      tools: this.tools.list(),
      resources: this.resources.list().filter((entry) => !this.skills.has(entry)),
      templates: this.templates.list(),
      prompts: this.prompts.list(),
      skills: this.skills.skills.map(({ uri, parts }) => ({ uri, frontmatter: parts.frontmatter })),
      events: this.events.sources?.feeds.listAll() ?? [],
    });
    link.send({ type: 'offer', server: this.identity.server, endpoint: this.#describeEndpoint(), entries });
  }

  #describeEndpoint(): OfferedEndpoint | undefined {
    const server = this.#findServer();
    const address = server?.address?.();
    if (address === undefined || address === null) return undefined;
    const { stateless, auth, explorer } = this.settings;
    const { path, ssePath } = this.endpoint;
    return {
      ...(typeof address === 'object' && { host: address.address, port: address.port }),
      isSecure: server instanceof SecureServer,
      path,
      ssePath,
      revisions: stateless ? PER_REQUEST_VERSIONS : REVISIONS.map(({ version }) => version),
      needsToken: auth !== undefined,
      hasExplorer: explorer !== undefined,
    };
  }

  #findServer(): ListeningServer | undefined {
    return (this.host.httpAdapter?.getHttpServer() as ListeningServer | null | undefined) ?? undefined;
  }

  #describeFailure(failure: unknown, { method, params }: RequestContext) {
    return buildFailure(failure, { server: this.identity.server, method, target: findSubject(params) });
  }
}
