import type { Server } from 'node:net';
import { Server as SecureServer } from 'node:tls';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { merge, Subscription } from 'rxjs';
import { Logger } from '../../core/logger/logger.js';
import { findDevConnection } from '../../core/development/dev-connection.js';
import type { OfferedEndpoint, OfferedEntry, OfferKind } from '../../core/development/report.js';
import { PER_REQUEST_VERSIONS, REVISIONS } from '../../core/protocol/revisions.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Registries } from '../catalog/registries.js';
import type { RequestContext } from '../context/request-context.js';
import { findSubject } from '../context/find-subject.js';
import type { FailureMapper } from '../dispatch/failure-mapper.js';
import type { EventsExtension } from '../extensions/events/events.extension.js';
import type { SkillRegistry } from '../extensions/skills/skill-registry.js';
import type { ServerIdentity } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { EndpointPath } from '../transport/http/endpoint-path.js';
import { buildFailure, DevelopmentLink } from './development-link.js';
import type { ReportedCalls } from './reported-calls.js';
import { createHash } from 'node:crypto';
import type { CatalogEntry } from '../catalog/entries.js';
import { isDigested } from '../catalog/listing/list-digests.js';
import { buildListChanged, CHANGES, LIST_FILTERS } from '../notifications/change-notifications.js';
import type { ListenerRegistry } from '../notifications/listener-registry.js';
import type { SessionRegistry } from '../sessions/session-registry.js';
import type { Session } from '../sessions/session.js';

/** The required parts of the application's server. */
type ListeningServer = Partial<Pick<Server, 'once' | 'address'>>;

const UNANSWERED =
  '"NESTJS_MCP_DEV" is set, but no "nestjs-mcp-cli dev" responds at its address: unset it, because it changes option defaults';

/** The offer's sources. */
interface OfferParts {
  readonly registries: Registries;
  readonly skills: SkillRegistry;
  readonly events: EventsExtension;
}

/** The sources of usage reports. */
interface UseParts {
  readonly trail: AuditTrail;
  readonly failures: FailureMapper;
  readonly calls: ReportedCalls;
  readonly returning: ReturningClients;
}

/** Reports what a server offers and does to `nestjs-mcp-cli dev`, if that command started the application. */
export class DevelopmentReporter implements OnModuleInit, OnModuleDestroy {
  readonly #logger = new Logger('McpDevelopment');
  readonly #subscription = new Subscription();
  #isReportPending = false;

  constructor(
    private readonly offer: OfferParts,
    private readonly use: UseParts,
    private readonly endpoint: EndpointPath,
    private readonly host: HttpAdapterHost,
    private readonly settings: ServerSettings,
    private readonly identity: ServerIdentity,
  ) {}

  /** Runs before the application listens, when its port is free again. */
  async onModuleInit(): Promise<void> {
    const invitation = findDevConnection(process.env);
    if (invitation === undefined) return;
    const link = await DevelopmentLink.open(invitation);
    if (link === undefined) return this.#logger.warn(UNANSWERED);
    const { failures, calls, trail, returning } = this.use;
    failures.onFailure = (failure, context) => link.send(this.#describeFailure(failure, context));
    this.#subscription.add(() => (failures.onFailure = undefined));
    this.#subscription.add(calls.report(trail, link));
    if (link.isRestart) this.#subscription.add(returning.tell());
    this.#whenListening(() => this.#begin(link));
  }

  onModuleDestroy(): void {
    this.#subscription.unsubscribe();
  }

  /** By the time the application listens, it has added its dynamic handlers. */
  #begin(link: DevelopmentLink): void {
    this.#report(link);
    const { tools, resources, templates, prompts } = this.offer.registries;
    const lists = [tools, resources, templates, prompts, this.offer.events.sources?.feeds];
    const changes = lists.flatMap((list) => (list === undefined ? [] : [list.changes$]));
    this.#subscription.add(merge(...changes).subscribe(() => this.#reportSoon(link)));
  }

  #whenListening(act: () => void): void {
    const server = this.#findServer();
    const isListening = (server?.address?.() ?? undefined) !== undefined;
    // A command or a worker has no adapter: it starts when its modules are ready.
    if (isListening || server?.once === undefined) setImmediate(act);
    else server.once('listening', act);
  }

  /** Combines changes from the same tick into one report. */
  #reportSoon(link: DevelopmentLink): void {
    if (this.#isReportPending) return;
    this.#isReportPending = true;
    setImmediate(() => {
      this.#isReportPending = false;
      this.#report(link);
    });
  }

  #report(link: DevelopmentLink): void {
    const { tools, resources, templates, prompts } = this.offer.registries;
    const { skills } = this.offer;
    const entries = describeOffer({
      tools: tools.list(),
      resources: resources.list().filter((entry) => !skills.has(entry)),
      templates: templates.list(),
      prompts: prompts.list(),
      skills: skills.skills.map(({ uri, parts }) => ({ uri, frontmatter: parts.frontmatter })),
      events: this.offer.events.sources?.feeds.listAll() ?? [],
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

/** The report's sources: a server's registries, and the extensions' lists. */
export interface Offered {
  readonly tools: readonly Defined[];
  readonly resources: readonly Defined[];
  readonly templates: readonly Defined[];
  readonly prompts: readonly Defined[];
  readonly skills: readonly { readonly uri: string; readonly frontmatter: object }[];
  readonly events: readonly { readonly name: string }[];
}

/** A list entry. */
type Defined = Pick<CatalogEntry, 'key' | 'access' | 'isOwn'> & {
  readonly definition: object;
  readonly app?: object;
};

/** Describes what a server offers. */
export function describeOffer(offered: Offered): readonly OfferedEntry[] {
  return [
    ...offered.tools.flatMap((entry) => describe('tool', entry)),
    ...offered.resources.flatMap((entry) => describe(entry.app === undefined ? 'resource' : 'app', entry)),
    ...offered.templates.flatMap((entry) => describe(entry.app === undefined ? 'template' : 'app', entry)),
    ...offered.prompts.flatMap((entry) => describe('prompt', entry)),
    ...offered.skills.map(({ uri, frontmatter }) => build('skill', uri, frontmatter)),
    ...offered.events.map((definition) => build('event', definition.name, definition)),
  ];
}

/** Built-in entries are not part of the application. */
function describe(
  kind: OfferKind,
  { key, definition, app, access, isOwn }: Defined,
): readonly OfferedEntry[] {
  if (isOwn === true) return [];
  const scopes = access && { scopes: access.scopes, isPublic: access.isPublic };
  return [build(kind, key, { ...definition, ...(app && { app }), ...(scopes && { access: scopes }) })];
}

function build(kind: OfferKind, name: string, definition: object): OfferedEntry {
  const parts = Object.entries(definition).map(([member, value]) => [member, digest(value)] as const);
  return { kind, name, parts: Object.fromEntries(parts) };
}

function digest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64url')
    .slice(0, 11);
}

/**
 * Notifies clients that reconnect after a restart that lists may have changed, because it is unknown which lists they
 * have.
 */
export class ReturningClients {
  constructor(
    private readonly sessions: SessionRegistry,
    private readonly listeners: ListenerRegistry,
  ) {}

  /** Starts to notify reconnecting clients. */
  tell(): Subscription {
    const subscription = this.sessions.events$.subscribe(({ type, session }) => {
      const opened = type === 'opened' ? this.sessions.find(session.id) : undefined;
      if (opened?.isRecovered === true) this.#tellSession(opened);
    });
    this.listeners.onAdded = ({ send, filter, subscriptionId }) => {
      // The client first receives the granted filter.
      queueMicrotask(() => {
        for (const name of LIST_FILTERS) {
          if (filter[name] === true) send(buildListChanged(name).taggedFor(subscriptionId));
        }
      });
    };
    subscription.add(() => (this.listeners.onAdded = undefined));
    return subscription;
  }

  /** Session ids contain digests of these lists, which reveal changes. */
  #tellSession(session: Session): void {
    for (const filter of LIST_FILTERS) {
      if (isDigested(filter) || !CHANGES[filter].isDeclared(session.declared)) continue;
      session.emit(buildListChanged(filter));
    }
  }
}
