import { Injectable } from '@nestjs/common';
import { readAccessMetadata } from '../../decorators/access-metadata.js';
import type { HandlerMetadata } from '../../decorators/handler-metadata.js';
import type { AccessOptions } from '../../settings/handler-options.interface.js';
import { HANDLER_METADATA } from '../../settings/mcp.constants.js';

/** Reads what the decorators wrote. */
@Injectable()
export class MetadataAccessor {
  /** Gives what the decorators of a method say, in the order of the source. */
  readHandlers(method: object): readonly HandlerMetadata[] {
    return Reflect.getMetadata(HANDLER_METADATA, method) ?? [];
  }

  /** Gives who may call a method of a class. */
  readAccess(classRef: object, method: object): AccessOptions {
    return readAccessMetadata(classRef, method);
  }
}
