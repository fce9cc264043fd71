import type { Type } from '@nestjs/common';
import type { Module } from '@nestjs/core/injector/module.js';

/** A controller method that is a route. */
export interface FoundRoute {
  readonly controller: Type;
  /** The module that declares the controller. */
  readonly module: Module;
  readonly methodName: string;
  readonly handler: (...parameters: never[]) => unknown;
  /** The number of the HTTP method (`RequestMethod`). */
  readonly requestMethod: number;
}

/** Formats a route's name as in the source code. */
export function formatRoute({
  controller,
  methodName,
}: Pick<FoundRoute, 'controller' | 'methodName'>): string {
  return `${controller.name}.${methodName}`;
}
