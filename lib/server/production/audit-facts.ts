import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { AuditTrail } from '../audit/audit-trail.js';
import { McpAudit } from '../audit/mcp-audit.js';
import { findDependencies } from '../catalogue/discovery/find-dependencies.js';
import { selectDefaultServer } from '../catalogue/discovery/select-default-server.js';
import { SERVER_IDENTITY, type ServerIdentity } from '../settings/mcp.constants.js';
import { getAuditToken } from '../settings/server-tokens.js';

/** The audit of one server. */
export interface AuditFacts {
  readonly server: string;
  /** Whether each operation must be audited. */
  readonly isRequired: boolean;
  /** Whether it has a subscriber, or is injected to get one when the application starts. */
  readonly isHeard: boolean;
}

/** Reads the subscribers of each server's audit. Nothing has to be started for this. */
export function readAuditFacts(app: INestApplicationContext): readonly AuditFacts[] {
  const injected = listInjected(app.get(ModulesContainer, { strict: false }));
  const identities = app.get<ServerIdentity>(SERVER_IDENTITY, { strict: false, each: true });
  const byDefault = selectDefaultServer(identities);
  return app.get(AuditTrail, { strict: false, each: true }).map(({ server, isRequired, isHeard }) => {
    const tokens = [getAuditToken(server), ...(server === byDefault ? [McpAudit, getAuditToken()] : [])];
    return { server, isRequired, isHeard: isHeard || tokens.some((token) => injected.has(token)) };
  });
}

/** An alias leads to what somebody else injects. */
function listInjected(modules: ModulesContainer): ReadonlySet<unknown> {
  const hosts = [...modules.values()].flatMap(({ controllers, providers }) => [
    ...controllers.values(),
    ...providers.values(),
  ]);
  const own = hosts.filter(({ isAlias }) => !isAlias);
  return new Set(own.flatMap((host) => findDependencies(host).map(({ token }) => token)));
}
