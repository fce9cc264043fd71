import 'reflect-metadata';
import type { PipeTransform, Type } from '@nestjs/common';
import { PARAMETER_METADATA } from '../settings/mcp.constants.js';

/**
 * What a parameter of a handler takes, in the numbers of Nest's own decorators (`RouteParamtypes`). Nest's pipes read
 * the number: to them that of the arguments says `body`, which a `ValidationPipe` checks, as `@Body()` has it. The type
 * of the context parameter is `custom`, because Nest has none for it. A pipe for arguments ignores that type.
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

/** A pipe as Nest takes it: an instance or a class to inject. */
export type Pipe = PipeTransform | Type<PipeTransform>;

/** What a parameter decorator says, in the form of Nest's own. */
export interface ParameterMetadata {
  readonly index: number;
  /** The name of the one argument that the parameter takes; absent if it takes all. */
  readonly data?: unknown;
  readonly pipes?: readonly Pipe[];
  /** Whether the parameter takes all arguments, those that parameters of other kinds name included. */
  readonly takesAll?: boolean;
  /** What gives the value, for a decorator of `createParamDecorator()`. */
  readonly factory?: unknown;
}

/** The parameters of a method by `<kind>:<index>`, in the form of Nest's own. */
export type ParameterMetadataMap = { readonly [key: string]: ParameterMetadata };

/** The arguments of a handler without parameter decorators. */
export const POSITIONAL_PARAMETERS: ParameterMetadataMap = {
  [`${ParameterKind.Arguments}:0`]: { index: 0, pipes: [] },
  [`${ParameterKind.Context}:1`]: { index: 1, pipes: [] },
};

/** Makes a decorator that adds one parameter to the method's metadata. */
export function addParameterMetadata(
  kind: number,
  parameter: Omit<ParameterMetadata, 'index'>,
): ParameterDecorator {
  return (prototype, methodName, index) => {
    if (methodName === undefined) return;
    const { constructor } = prototype;
    const present: ParameterMetadataMap = Reflect.getOwnMetadata(PARAMETER_METADATA, constructor, methodName);
    const parameters = { ...present, [`${kind}:${index}`]: { index, ...parameter } };
    Reflect.defineMetadata(PARAMETER_METADATA, parameters, constructor, methodName);
  };
}

/**
 * Reads the kind of a parameter from its key. Parameters of `createParamDecorator()` have no kind, and random keys that
 * may begin with a digit.
 */
export function findKind(key: string): number | undefined {
  return /^\d+:\d+$/.test(key) ? Number.parseInt(key, 10) : undefined;
}
