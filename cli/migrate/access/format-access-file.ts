import type { Release } from '../replacements/replacement.interface.js';

/** What a file with the access of tools needs to have. */
export interface AccessFile {
  readonly release: Release;
  /** Whether guards inject the options of the server that there was. */
  readonly hasGuardOptions: boolean;
}

/** Writes the file that decides who may call tools, by what guards leave at the request, as the other package did. */
export function formatAccessFile({ release, hasGuardOptions }: AccessFile): string {
  const ofNest = hasGuardOptions ? 'SetMetadata, type DynamicModule' : 'SetMetadata';
  const imports = [
    `import { ${ofNest} } from '@nestjs/common';`,
    `import { Reflector } from '@nestjs/core';`,
    `import type { HandlerVisibility, VisibilityContext, VisibleHandler } from 'nestjs-mcp';`,
  ];
  // Standard input and output have no request: one release let everybody call there, and the other nobody.
  const withoutRequest = release === 1 ? '\n  if (context.http === undefined) return true;' : '';
  return `${imports.join('\n')}
${CODE.replace('/* without a request */', withoutRequest)}${hasGuardOptions ? GUARD_OPTIONS : ''}`;
}

const CODE = `
/** What a caller must have. It is looked for in \`user\` of the request, which a guard sets. */
export interface ToolRequirements {
  isPublic?: boolean;
  scopes?: string[];
  scopesMatch?: 'all' | 'any';
  roles?: string[];
  rolesMatch?: 'all' | 'any';
}

export interface ToolAccessOptions {
  /** Whether callers without a user reach public tools, and no others. */
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

/** The requirements of a tool that is added while the application runs. */
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
/** What guards inject as \`MCP_OPTIONS\`. */
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
