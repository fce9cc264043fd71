import 'reflect-metadata';
import type { PipeTransform, Type } from '@nestjs/common';
import { PARAMETER_METADATA } from '../settings/mcp.constants.js';

/**
 * What a parameter of a handler takes. Nest's pipes read the number: to them that of the arguments says `body`, which a
 * `ValidationPipe` checks, and that of the context says `custom`, which it leaves alone.
 */
export const ParameterKind = { Arguments: 3, Context: 6 } as const;

/** A pipe as Nest takes it: an instance or a class to inject. */
export type Pipe = PipeTransform | Type<PipeTransform>;

/** What a parameter decorator says, in the form of Nest's own. */
export interface ParameterMetadata {
  readonly index: number;
  /** The name of the one argument that the parameter takes; absent where it takes all. */
  readonly data?: unknown;
  readonly pipes?: readonly Pipe[];
  /** What gives the value, for a decorator of `createParamDecorator()`. */
  readonly factory?: unknown;
}

/** The parameters of a method by `<kind>:<index>`, in the form of Nest's own. */
export type ParameterMetadataMap = { readonly [key: string]: ParameterMetadata };

/** What a handler without parameter decorators is called with. */
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
