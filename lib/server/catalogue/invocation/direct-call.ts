import { isObservable } from 'rxjs';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { McpContext } from '../../context/mcp-context.interface.js';
import { readClaims, selectClaims } from '../../decorators/claims.decorator.js';
import { ParameterKind, type ParameterMetadataMap } from '../../decorators/parameter-metadata.js';
import type { Invoke } from '../entries.js';
import { takeLastValue } from './take-last-value.js';

/** A handler as a plain function. */
export type HandlerFunction = (...args: unknown[]) => unknown;

type Extract = (args: unknown, context: McpContext) => unknown;

/** Calls a function with the arguments and the context, without any part of Nest's chain. */
export function buildDirectCall(handler: HandlerFunction): Invoke {
  return (args, context) => settle(handler(args, context), context);
}

/** Calls a method whose parameters have decorators, without any part of Nest's chain. */
export function buildDecoratedCall(handler: HandlerFunction, parameters: ParameterMetadataMap): Invoke {
  const extracts = buildExtracts(parameters);
  return (args, context) => settle(handler(...extracts.map((extract) => extract(args, context))), context);
}

/** Gives a parameter its value, whether Nest's chain asks for it or a direct call. */
export function extractParameter(kind: number, field: unknown, [args, context]: readonly unknown[]): unknown {
  if (kind === ParameterKind.Context) return context;
  if (kind !== ParameterKind.Arguments) return undefined;
  if (typeof field !== 'string') return args;
  return isObject(args) && Object.hasOwn(args, field) ? args[field] : undefined;
}

function buildExtracts(parameters: ParameterMetadataMap): readonly Extract[] {
  const extracts: Extract[] = [];
  for (const [key, { index, data: field, factory }] of Object.entries(parameters)) {
    const kind = Number.parseInt(key, 10);
    extracts[index] =
      factory === readClaims
        ? (_args, context) => selectClaims(context, field)
        : (args, context) => extractParameter(kind, field, [args, context]);
  }
  return Array.from(extracts, (extract) => extract ?? (() => undefined));
}

/** What is no promise is not waited for. */
function settle(value: unknown, context: McpContext): unknown {
  if (isObservable(value)) return takeLastValue(value, context.signal);
  return isObject(value) && 'then' in value ? settleLater(value, context) : value;
}

async function settleLater(promise: unknown, context: McpContext): Promise<unknown> {
  const value = await promise;
  return isObservable(value) ? takeLastValue(value, context.signal) : value;
}
