import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Type } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { Test } from '@nestjs/testing';
import { findCarrier, type AuthState } from '../../../lib/server/auth/auth-state.js';
import type { AuthenticatedRequest } from '../../../lib/server/auth/mcp-auth.guard.js';
import { McpAuthenticator } from '../../../lib/server/auth/mcp-authenticator.js';
import { McpCatalog } from '../../../lib/server/catalog/mcp-catalog.js';
import { McpModule } from '../../../lib/server/mcp.module.js';
import type { AuthOptions } from '../../../lib/server/settings/auth/auth-options.js';
import { MCP_CONTROLLER } from '../../../lib/server/settings/mcp.constants.js';
import { CapturedLog } from './captured-log.js';
import { SERVER_INFO as serverInfo } from './settings.js';

/** Boots the parts of a server that a guard needs; nothing listens. */
export async function bootAuth(auth?: AuthOptions) {
  const imports = [McpModule.forRoot({ serverInfo, ...(auth && { auth }) })];
  const module = await Test.createTestingModule({ imports }).setLogger(new CapturedLog()).compile();
  await module.init();
  return {
    authenticator: module.get(McpAuthenticator),
    catalog: module.get(McpCatalog),
    controller: module.get<Type>(MCP_CONTROLLER, { strict: false }),
  };
}

/** Builds a request with these headers, names and values in turn; Node shows the first of those of one name. */
export function buildRequest(...rawHeaders: string[]): AuthenticatedRequest {
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers[rawHeaders[index]!.toLowerCase()] ??= rawHeaders[index + 1]!;
  }
  return { headers, rawHeaders };
}

/** Creates a response that leads nowhere. */
export function buildResponse(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

/** Builds what a guard sees of a request to a method of a controller. */
export function buildContext(
  args: readonly [request: object, response: object],
  classRef: Type,
  name = 'handle',
): ExecutionContextHost {
  const handler = (classRef.prototype as Record<string, () => unknown>)[name] ?? buildContext;
  return new ExecutionContextHost([...args], classRef, handler as () => unknown);
}

/** Gives what the guard left on a request. */
export function readState(request: AuthenticatedRequest): AuthState | undefined {
  return findCarrier(request.raw ?? request)?.authState;
}
