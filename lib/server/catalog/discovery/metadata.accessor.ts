import { hasAccessMetadata, readAccessMetadata } from '../../decorators/access-metadata.js';
import { readToolAnnotations } from '../../decorators/tool-annotations.decorator.js';
import type { HandlerMetadata } from '../../decorators/handler-metadata.js';
import type { AccessOptions } from '../../settings/handler-options.interface.js';
import { HANDLER_METADATA } from '../../settings/mcp.constants.js';

/** Reads what the decorators wrote. */
export class MetadataAccessor {
  /** Returns what the decorators of a method say, in the order of the source. */
  readHandlers(method: object): readonly HandlerMetadata[] {
    return Reflect.getMetadata(HANDLER_METADATA, method) ?? [];
  }

  /** Returns the handlers of a method, each tool with the hints that its class and its method give beside `@Tool()`. */
  readAnnotatedHandlers(classRef: object, method: object, methodName: string): readonly HandlerMetadata[] {
    const handlers = this.readHandlers(method);
    const given = handlers.length === 0 ? undefined : readToolAnnotations(classRef, methodName);
    if (given === undefined) return handlers;
    return handlers.map((handler) => {
      if (handler.kind !== 'tool') return handler;
      const { options } = handler;
      return { ...handler, options: { ...options, annotations: { ...given, ...options.annotations } } };
    });
  }

  /** Tells whether a method has only access decorators, so that nothing ever reads them. */
  isUnserved(classRef: object, method: object): boolean {
    return Reflect.getMetadataKeys(method).length === 0 && hasAccessMetadata(classRef, method);
  }

  /** Gives who may call a method of a class. */
  readAccess(classRef: object, method: object): AccessOptions {
    return readAccessMetadata(classRef, method);
  }
}
