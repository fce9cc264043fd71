import { Injectable, Logger } from '@nestjs/common';
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client';
import { McpElicitation } from 'nestjs-mcp/client-module';

/** Answers what the house asks while it books: it takes what is suggested. */
@Injectable()
export class RoomChooser {
  readonly #log = new Logger('RoomChooser');

  @McpElicitation('boathouse')
  choose({ message, requestedSchema }: ElicitRequestFormParams): ElicitResult {
    const suggested = Object.entries(requestedSchema.properties).flatMap(([name, property]) =>
      'default' in property && typeof property.default === 'string'
        ? [[name, property.default] as const]
        : [],
    );
    this.#log.debug(message);
    return suggested.length === 0
      ? { action: 'cancel' }
      : { action: 'accept', content: Object.fromEntries(suggested) };
  }
}
