import 'reflect-metadata';
import { Body, Controller, HttpCode, type MessageEvent, Module, Post, Sse } from '@nestjs/common';
import { type Observable, Subject } from 'rxjs';

import { ANNOUNCE_TOOL, buildResults, LIST_CHANGED } from './fixtures.js';
import { serveNest } from './serve-nest.js';
import { readSettings } from './serve.js';

const settings = readSettings();
const results = buildResults(settings.wire, settings.tools);

interface Message {
  id: number;
  method: string;
  params?: { name?: string };
}

@Controller('mcp')
class BareController {
  private readonly changes = new Subject<MessageEvent>();

  @Post()
  @HttpCode(200)
  answer(@Body() message: Message): object {
    if (message.params?.name === ANNOUNCE_TOOL.name) this.changes.next({ data: LIST_CHANGED });
    return { jsonrpc: '2.0', id: message.id, result: results[message.method] };
  }

  @Sse()
  stream(): Observable<MessageEvent> {
    return this.changes.asObservable();
  }
}

@Module({ controllers: [BareController] })
class BareModule {}

await serveNest(BareModule, { variant: settings.variant });
