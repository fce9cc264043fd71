import 'reflect-metadata';
import type { ToolAnnotations as Hints } from '../../core/protocol/definitions.js';
import { TOOL_ANNOTATIONS_METADATA } from '../settings/mcp.constants.js';

/** Hints on what a tool does (MCP `ToolAnnotations`). */
export type ToolAnnotations = Hints;

/**
 * Gives hints to a tool, or to every tool of a class and of the classes that extend it. On a method, they take precedence over
 * those of its class, and `annotations` of `@Tool()` over both, each hint by itself.
 *
 * @example
 * class ReportTools { @Tool({ description: 'Reads the report of a year' }) @ToolAnnotations({ readOnlyHint: true })
 *   read({ year }: { year: number }) {
 *     return this.reports.read(year);
 *   }
 * }
 *
 * @see MCP server/tools
 */
export function ToolAnnotations(annotations: ToolAnnotations): ClassDecorator & MethodDecorator {
  return (target: object, name?: string | symbol): void => {
    const merged = { ...readOf(target, name), ...annotations };
    if (name === undefined) Reflect.defineMetadata(TOOL_ANNOTATIONS_METADATA, merged, target);
    else Reflect.defineMetadata(TOOL_ANNOTATIONS_METADATA, merged, target, name);
  };
}

/** Returns what the decorators of a class and of one of its methods say, or nothing. */
export function readToolAnnotations(classRef: object, methodName: string): ToolAnnotations | undefined {
  const ofClass = readOf(classRef);
  const prototype: unknown = Reflect.get(classRef, 'prototype');
  const ofMethod =
    typeof prototype === 'object' && prototype !== null ? readOf(prototype, methodName) : undefined;
  return ofClass === undefined && ofMethod === undefined ? undefined : { ...ofClass, ...ofMethod };
}

/** Reads what is inherited too. */
function readOf(target: object, name?: string | symbol): ToolAnnotations | undefined {
  return name === undefined
    ? Reflect.getMetadata(TOOL_ANNOTATIONS_METADATA, target)
    : Reflect.getMetadata(TOOL_ANNOTATIONS_METADATA, target, name);
}
