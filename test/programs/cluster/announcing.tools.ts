import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { EventSource, McpNotifier, Resource, ResourceTemplate, Tool, type McpContext } from 'nestjs-mcp';
import { Subject, type Observable } from 'rxjs';
import { z } from 'zod';

export const WATCHED = 'cluster://watched';

const Announcement = z.object({
  count: z.int(),
  intervalMs: z.int().default(0),
  from: z.int().default(1),
  padding: z.int().default(0),
});
const Updated = z.object({ uri: z.string().default(WATCHED) });
const Entry = z.object({ level: z.enum(['debug', 'info', 'warning', 'error']), text: z.string() });
const Numbered = Entry.extend({ isSettled: z.boolean().default(false) });
const News = z.object({ text: z.string() });

/** Tools by which a test has this process tell all clients something. */
@Injectable()
export class AnnouncingTools {
  private readonly news = new Subject<z.infer<typeof News>>();
  private numbered = 0;

  constructor(private readonly notifier: McpNotifier) {}

  @Resource({ uri: WATCHED, description: 'A resource to subscribe to' })
  watched(): string {
    return String(process.pid);
  }

  @ResourceTemplate({ uriTemplate: 'cluster://{name}', description: 'Any other' })
  other({ name }: { name: string }): string {
    return name;
  }

  @Tool({ description: 'Announces numbers, as log entries and as updates', inputSchema: Announcement })
  async announce(
    { count, intervalMs, from, padding }: z.infer<typeof Announcement>,
    { signal }: McpContext,
  ): Promise<string> {
    for (let n = from; n < from + count; n += 1) {
      this.notifier.log('info', { n, ...(padding > 0 && { padding: 'x'.repeat(padding) }) });
      this.notifier.resourceUpdated(WATCHED);
      if (intervalMs > 0) await delay(intervalMs, undefined, { signal });
    }
    return String(process.pid);
  }

  @Tool({ description: 'Tells that a resource was updated', inputSchema: Updated })
  update({ uri }: z.infer<typeof Updated>): string {
    this.notifier.resourceUpdated(uri);
    return uri;
  }

  @Tool({ description: 'Tells that the list of tools has changed, though it has not' })
  tellList(): string {
    this.notifier.toolsListChanged();
    return String(process.pid);
  }

  @Tool({ description: 'Logs to all sessions', inputSchema: Entry })
  say({ level, text }: z.infer<typeof Entry>): string {
    this.notifier.log(level, text);
    return text;
  }

  @Tool({
    description:
      'Logs to all sessions, says as which of its entries, and may wait until the others are sure of it',
    inputSchema: Numbered,
  })
  async sayNumbered({ level, text, isSettled }: z.infer<typeof Numbered>): Promise<string> {
    this.numbered += 1;
    this.notifier.log(level, `${text} of ${process.pid}.${this.numbered}`);
    // Without a promise kept, the caller does not rely on it.
    const isSure = isSettled && (await this.notifier.flush()) !== (false as unknown);
    return isSure ? 'sure' : 'said';
  }

  @Tool({ description: 'Lets something happen', inputSchema: News })
  report({ text }: z.infer<typeof News>): string {
    this.news.next({ text });
    return text;
  }

  @EventSource<z.infer<typeof News>>({
    name: 'news.reported',
    payloadSchema: News,
    eventId: ({ text }) => text,
  })
  reported(): Observable<z.infer<typeof News>> {
    return this.news;
  }
}
