import { createParamDecorator, type ExecutionContext, type PipeTransform, type Type } from '@nestjs/common';
import type { Claims as TokenClaims } from '../../core/oauth/access-token.js';
import { MCP_CONTEXT_TYPE, PARAMETER_METADATA } from '../settings/mcp.constants.js';
import 'reflect-metadata';

/**
 * Passes the call's arguments to a parameter, after the pipes have run.
 *
 * @example
 * class TicketTools { @Tool({ inputSchema: SearchDto })
 *   search(@Arguments() query: SearchDto, @Context() context: McpContext) {}
 * }
 */
export function Arguments(...pipes: Pipe[]): ParameterDecorator;
/**
 * Passes one argument of the call to a parameter, after the pipes have run. A missing argument is `undefined`.
 *
 * @example
 * class TicketTools { @Tool({ inputSchema: z.object({ id: z.string() }) })
 *   close(@Arguments('id', ParseIntPipe) id: number) {}
 * }
 */
export function Arguments(field: string, ...pipes: Pipe[]): ParameterDecorator;
export function Arguments(first?: string | Pipe, ...rest: Pipe[]): ParameterDecorator {
  if (typeof first === 'string') {
    return addParameterMetadata(ParameterKind.Arguments, { data: first, pipes: rest });
  }
  const pipes = first === undefined ? rest : [first, ...rest];
  return addParameterMetadata(ParameterKind.Arguments, { pipes, takesAll: true });
}

/**
 * Passes the call's context to a parameter. Pipes do not see it.
 *
 * @example
 * class TicketTools { @Tool()
 *   export(@Context() context: McpContext) {
 *     context.progress(1, 2);
 *   }
 * }
 */
export function Context(): ParameterDecorator {
  return addParameterMetadata(ParameterKind.Context, { pipes: [] });
}

/** The claims in a request's validated token, which identify the caller. */
export type Claims = TokenClaims;

interface Authenticated {
  readonly auth?: { readonly claims?: TokenClaims | undefined };
}

/** Returns the claims of an MCP handler's caller, or of a controller behind `McpAuthGuard`. */
export function readClaims(member: keyof TokenClaims | undefined, context: ExecutionContext): unknown {
  const isMcp = context.getType<string>() === MCP_CONTEXT_TYPE;
  const authenticated = isMcp
    ? context.switchToRpc().getContext<Authenticated>()
    : context.switchToHttp().getRequest<Authenticated>();
  return selectClaims(authenticated, member);
}

/** Returns all claims, or one of them. */
export function selectClaims({ auth }: Authenticated, member: unknown): unknown {
  const claims = auth?.claims;
  return member === undefined ? claims : claims?.[member as keyof TokenClaims];
}

/**
 * Passes the claims in the caller's token, or one claim, to a handler parameter. The parameter is `undefined` if
 * there is no token. The decorator works in controllers behind `McpAuthGuard` too.
 *
 * @example
 * class TicketTools { @Tool()
 *   mine(@Claims('sub') owner: string) {
 *     return this.tickets.findOf(owner);
 *   }
 * }
 */
export const Claims = createParamDecorator(readClaims);

/**
 * The kinds of handler parameters, with the numbers of Nest's own decorators (`RouteParamtypes`), because Nest's
 * pipes check the number. Arguments have the number of `@Body()`, so a `ValidationPipe` validates them. The context
 * has a number that Nest does not use, which pipes see as `custom` and skip.
 */
export const ParameterKind = {
  Request: 0,
  Response: 1,
  Next: 2,
  Arguments: 3,
  Query: 4,
  Path: 5,
  Headers: 6,
  Session: 7,
  File: 8,
  Files: 9,
  Host: 10,
  Ip: 11,
  RawBody: 12,
  Ack: 13,
  Cookies: 14,
  SignedCookies: 15,
  Context: 1000,
} as const;

/** A pipe: an instance, or a class to inject. */
type Pipe = PipeTransform | Type<PipeTransform>;

/** The metadata of one parameter decorator, in Nest's format. */
export interface ParameterMetadata {
  readonly index: number;
  /** The name of the single argument to pass; absent if all are passed. */
  readonly data?: unknown;
  readonly pipes?: readonly Pipe[];
  /** Whether all arguments are passed, including those that other parameters name. */
  readonly takesAll?: boolean;
  /** The function that provides the value, for a decorator created with `createParamDecorator()`. */
  readonly factory?: unknown;
}

/** A method's parameters, keyed `<kind>:<index>`, in Nest's format. */
export type ParameterMetadataMap = { readonly [key: string]: ParameterMetadata };

/** The arguments for a handler without parameter decorators. */
export const POSITIONAL_PARAMETERS: ParameterMetadataMap = {
  [`${ParameterKind.Arguments}:0`]: { index: 0, pipes: [] },
  [`${ParameterKind.Context}:1`]: { index: 1, pipes: [] },
};

/** Creates a decorator that adds one parameter to the method's metadata. */
function addParameterMetadata(kind: number, parameter: Omit<ParameterMetadata, 'index'>): ParameterDecorator {
  return (prototype, methodName, index) => {
    if (methodName === undefined) return;
    const { constructor } = prototype;
    const present: ParameterMetadataMap = Reflect.getOwnMetadata(PARAMETER_METADATA, constructor, methodName);
    const parameters = { ...present, [`${kind}:${index}`]: { index, ...parameter } };
    Reflect.defineMetadata(PARAMETER_METADATA, parameters, constructor, methodName);
  };
}

/**
 * Reads a parameter's kind from its key. Parameters from `createParamDecorator()` have no kind, and their random keys
 * may start with a digit.
 */
export function findKind(key: string): number | undefined {
  return /^\d+:\d+$/.test(key) ? Number.parseInt(key, 10) : undefined;
}
