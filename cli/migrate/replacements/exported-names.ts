import type { NameReplacement } from './replacement.interface.js';
import type { DecisionKey } from './decisions.js';

/** The module specifier of this package. */
export const OURS = 'nestjs-mcp';

/** The package to migrate from. */
export const THEIR_PACKAGE = '@rekog/mcp-nest';

/** Its authorization server's package, since release 2. */
export const THEIR_AUTHORIZATION = '@rekog/mcp-nest-auth';

const NEST = '@nestjs/common';

const type = (name: string): NameReplacement => ({ kind: 'moved', name, isType: true });
const moved = (name: string): NameReplacement => ({ kind: 'moved', name });
const ofNest = (name: string): NameReplacement => ({ kind: 'moved', name, from: NEST });
const wiring = (decision: DecisionKey): NameReplacement => ({ kind: 'wiring', decision });
const none = (decision: DecisionKey): NameReplacement => ({ kind: 'none', decision });
const stays: NameReplacement = { kind: 'stays', decision: 'authorizationServer' };

/** The application's guards determine what they add to the request. */
const REQUEST_WITH_USER =
  'type McpRequestWithUser = { user: any; headers: Record<string, any>; [member: string]: any }';

/** The exports of both releases, with their replacements. Missing exports have no counterpart. */
export const EXPORTED_NAMES: Readonly<Record<string, NameReplacement>> = {
  // Decorators of handlers and classes.
  Tool: moved('Tool'),
  Resource: moved('Resource'),
  ResourceTemplate: moved('ResourceTemplate'),
  Prompt: moved('Prompt'),
  McpController: ofNest('Controller'),
  // Access.
  PublicTool: moved('Public'),
  ToolScopes: moved('RequireScope'),
  ToolGuards: ofNest('UseGuards'),
  ToolRoles: none('roles'),
  // Parameters.
  McpRawRequest: ofNest('Req'),
  Context: type('McpContext'),
  McpContext: type('McpContext'),
  // The server.
  McpModule: moved('McpModule'),
  McpOptions: type('McpOptions'),
  McpAsyncOptions: type('McpOptions'),
  McpServerOptions: type('McpOptions'),
  McpModuleAsyncOptions: type('McpModuleAsyncOptions'),
  McpOptionsFactory: type('McpOptionsFactory'),
  McpStrategy: wiring('wiring'),
  MCP_STRATEGY: wiring('dynamicCapabilities'),
  McpTransportType: wiring('transports'),
  StreamableHttpTransport: wiring('transports'),
  StdioTransport: wiring('transports'),
  McpHttpControllerFor: none('ownController'),
  StreamableHttpController: none('ownController'),
  McpStreamableHttpService: none('ownController'),
  McpSseService: none('ownController'),
  createStreamableHttpController: none('ownController'),
  createSseController: none('ownController'),
  // Handlers that are added at run time.
  McpRegistryService: moved('McpCatalog'),
  // Types of options.
  ToolOptions: type('ToolOptions'),
  ResourceOptions: type('ResourceOptions'),
  ResourceTemplateOptions: type('ResourceTemplateOptions'),
  PromptOptions: type('PromptOptions'),
  ToolAnnotations: type('ToolAnnotations'),
  Icon: type('Icon'),
  // Errors.
  McpExceptionFilter: none('errors'),
  // The authorization server, which is a separate package in release 2.
  McpAuthModule: stays,
  McpAuthJwtGuard: stays,
  McpUser: stays,
  McpRequestWithUser: { kind: 'declared', declaration: REQUEST_WITH_USER },
  McpUserPayload: stays,
  AuthenticatedRequest: stays,
  GitHubOAuthProvider: stays,
  GoogleOAuthProvider: stays,
  AzureADOAuthProvider: stays,
  IOAuthStore: stays,
  MemoryStore: stays,
  JwtTokenService: stays,
  OAuthClient: stays,
  OAuthProviderConfig: stays,
  OAuthUserProfile: stays,
  OAuthUserModuleOptions: stays,
  OAuthModuleOptions: stays,
  OAuthModuleDefaults: stays,
  OAuthSession: stays,
  AuthorizationCode: stays,
  createMcpOAuthController: stays,
};

/** Finds the replacement of a name. */
export function findReplacement(name: string): NameReplacement {
  return Object.hasOwn(EXPORTED_NAMES, name)
    ? (EXPORTED_NAMES[name] ?? none('internals'))
    : none('internals');
}
