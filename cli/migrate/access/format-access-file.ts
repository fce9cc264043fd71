import type { Release } from '../replacements/replacement.interface.js';

/** The required contents of the file with the tool access rules. */
export interface AccessFile {
  readonly release: Release;
  /** Whether guards inject the former server's options. */
  readonly hasGuardOptions: boolean;
}

/** Formats the file that decides who may call tools, based on the user that guards set on the request, as in the other package. */
export function formatAccessFile({ release, hasGuardOptions }: AccessFile): string {
  const ofNest = hasGuardOptions ? 'SetMetadata, type DynamicModule' : 'SetMetadata';
  const imports = [
    `import { ${ofNest} } from '@nestjs/common';`,
    `import { Reflector } from '@nestjs/core';`,
    `import type { HandlerVisibility, VisibilityContext, VisibleHandler } from 'nestjs-mcp';`,
  ];
  // With stdio there is no request: release 1 allowed all calls, and release 2 treated callers as unauthenticated.
  const withoutRequest = release === 1 ? '\n  if (context.http === undefined) return true;' : '';
  return `${imports.join('\n')}
${CODE.replace('/* without a request */', withoutRequest)}${hasGuardOptions ? GUARD_OPTIONS : ''}`;
}

const CODE = `
/** The access requirements of a tool, compared with the request's \`user\`, which a guard sets. */
export interface ToolRequirements {
  isPublic?: boolean;
  scopes?: string[];
  scopesMatch?: 'all' | 'any';
  roles?: string[];
  rolesMatch?: 'all' | 'any';
}

export interface ToolAccessOptions {
  /** Whether callers without a user can call only public tools. */
  allowUnauthenticatedAccess?: boolean;
}

interface User {
  scope?: string;
  scopes?: string[];
  roles?: string[];
  user_data?: { roles?: string[] };
}

type Match = { match?: 'all' | 'any' };

const PUBLIC = 'tool-access:public';
const SCOPES = 'tool-access:scopes';
const ROLES = 'tool-access:roles';

export const PublicTool = () => SetMetadata(PUBLIC, { isPublic: true });

export const ToolScopes = (scopes: string[], { match }: Match = {}) =>
  SetMetadata(SCOPES, { scopes, scopesMatch: match });

export const ToolRoles = (roles: string[], { match }: Match = {}) =>
  SetMetadata(ROLES, { roles, rolesMatch: match });

/** Hides tools from callers who may not call them, in lists and in calls. */
export class ToolAccess implements HandlerVisibility {
  private readonly reflector = new Reflector();

  constructor(private readonly options: ToolAccessOptions = {}) {}

  isVisible({ kind, method, options }: VisibleHandler, context: VisibilityContext): boolean {
    if (kind !== 'tool') return true;
    const read = (key: string): ToolRequirements | undefined =>
      method && this.reflector.get(key, method);
    const added = (options.visible as { requirements?: ToolRequirements } | undefined)?.requirements;
    return isAllowed({ ...added, ...read(PUBLIC), ...read(SCOPES), ...read(ROLES) }, context, this.options);
  }
}

/** The requirements of a tool that is added at run time. */
export function visibleFor(requirements: ToolRequirements) {
  const visible = (context: VisibilityContext): boolean => isAllowed(requirements, context);
  return Object.assign(visible, { requirements });
}

function isAllowed(
  { isPublic, scopes = [], scopesMatch, roles = [], rolesMatch }: ToolRequirements,
  context: VisibilityContext,
  { allowUnauthenticatedAccess = false }: ToolAccessOptions = {},
): boolean {
  if (isPublic) return true;/* without a request */
  const user = (context.http?.request as { user?: User } | undefined)?.user;
  if (!user) return scopes.length === 0 && roles.length === 0 && !allowUnauthenticatedAccess;
  const ownScopes = user.scope ? user.scope.split(' ') : user.scopes;
  const ownRoles = user.roles ?? user.user_data?.roles;
  return hasAll(ownScopes, scopes, scopesMatch) && hasAll(ownRoles, roles, rolesMatch);
}

function hasAll(own: string[] = [], wanted: string[], match: 'all' | 'any' = 'all'): boolean {
  if (match === 'any' && wanted.length > 0) return wanted.some((one) => own.includes(one));
  return wanted.every((one) => own.includes(one));
}
`;

const GUARD_OPTIONS = `
/** The options that guards inject as \`MCP_OPTIONS\`. */
export interface GuardOptions extends ToolAccessOptions {
  [name: string]: any;
}

export class GuardOptionsModule {
  static register(options: GuardOptions): DynamicModule {
    const provider = { provide: 'MCP_OPTIONS', useValue: options };
    return { module: GuardOptionsModule, global: true, providers: [provider], exports: [provider] };
  }
}
`;
