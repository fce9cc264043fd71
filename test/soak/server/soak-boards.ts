import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  Complete,
  EventSource,
  McpCatalog,
  McpNotifier,
  Prompt,
  Resource,
  ResourceTemplate,
} from 'nestjs-mcp';
import { Subject, type Observable } from 'rxjs';
import { z } from 'zod';

const BOARDS = 10;
/** Every so many changes, a tool comes or goes. */
const CATALOG_TURN = 5;
const Tick = z.object({ count: z.number().int() });
type Tick = z.infer<typeof Tick>;

/** What changes all the time and is told of. */
@Injectable()
export class SoakBoards implements OnModuleDestroy {
  private readonly ticks = new Subject<Tick>();
  private count = 0;

  constructor(
    private readonly notifier: McpNotifier,
    private readonly catalog: McpCatalog,
  ) {}

  @Resource({ uri: 'soak://manual', mimeType: 'text/plain' })
  manual(): string {
    return 'Soak for ten minutes';
  }

  @ResourceTemplate({ uriTemplate: 'soak://board/{board}', mimeType: 'application/json' })
  read({ board }: { board: string }): object {
    return { board, count: this.count };
  }

  @Complete({ resourceTemplate: 'soak://board/{board}', argument: 'board' })
  complete({ value }: { value: string }): string[] {
    return Array.from({ length: BOARDS }, (_, board) => String(board)).filter((board) =>
      board.startsWith(value),
    );
  }

  @Prompt({ arguments: [{ name: 'name', required: true }] })
  greet({ name }: { name: string }): string {
    return `Greet ${name}`;
  }

  @EventSource<Tick>({ name: 'soak.tick', payloadSchema: Tick })
  ticked(): Observable<Tick> {
    return this.ticks.asObservable();
  }

  /** Changes every board, and now and then the catalog. */
  change(): void {
    this.count += 1;
    for (let board = 0; board < BOARDS; board += 1) this.notifier.resourceUpdated(`soak://board/${board}`);
    this.notifier.log('info', { count: this.count }, 'boards');
    this.ticks.next({ count: this.count });
    if (this.count % CATALOG_TURN === 0) this.changeCatalog();
  }

  onModuleDestroy(): void {
    this.ticks.complete();
  }

  private changeCatalog(): void {
    const { tools } = this.catalog;
    if (tools.find('seasonal') !== undefined) tools.remove('seasonal');
    else tools.add({ name: 'seasonal', description: 'Comes and goes' }, () => 'here');
  }
}
