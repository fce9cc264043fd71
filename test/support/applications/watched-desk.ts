import { Injectable } from '@nestjs/common';
import { McpNotifier, Public, Resource, Tool } from 'nestjs-mcp';
import type { RunningApp } from './boot.js';

/** A server with something of everything whose changes clients hear of. */
@Injectable()
export class WatchedDesk {
  @Public()
  @Tool()
  echo(): string {
    return 'echoed';
  }

  @Public()
  @Resource({ uri: 'desk://1' })
  ticket(): string {
    return 'a ticket';
  }
}

/** Tells clients of the changes `from` … `to`, each as a log entry and as an update of the resource. */
export function announce({ app }: RunningApp, from: number, to = from): void {
  const notifier = app.get(McpNotifier);
  for (let n = from; n <= to; n += 1) {
    notifier.log('info', { n });
    notifier.resourceUpdated('desk://1');
  }
}
