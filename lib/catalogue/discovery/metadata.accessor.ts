import { Injectable } from '@nestjs/common';
import type { HandlerMetadata } from '../../decorators/handler-metadata.js';
import { HANDLER_METADATA } from '../../settings/mcp.constants.js';

/** Reads what the decorators wrote. */
@Injectable()
export class MetadataAccessor {
  /** Gives what the decorators of a method say, in the order of the source. */
  readHandlers(method: object): readonly HandlerMetadata[] {
    return Reflect.getMetadata(HANDLER_METADATA, method) ?? [];
  }
}
