import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { merge, Subscription, type Observable } from 'rxjs';
import { oncePerTick } from '../../core/async/timers.js';
import type { Registries } from '../catalog/registries.js';
import type { McpNotifier } from './mcp-notifier.js';

/** Notifies clients of every catalog change while the application runs, once per turn of the event loop. */
export class CatalogChangeNotifier implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #subscription = new Subscription();

  constructor(
    private readonly notifier: McpNotifier,
    private readonly registries: Registries,
  ) {}

  onApplicationBootstrap(): void {
    const { notifier } = this;
    const { tools, prompts, resources, templates } = this.registries;
    this.#subscribe(tools.changes$, () => notifier.toolsListChanged());
    this.#subscribe(prompts.changes$, () => notifier.promptsListChanged());
    this.#subscribe(merge(resources.changes$, templates.changes$), () => notifier.resourcesListChanged());
  }

  onModuleDestroy(): void {
    this.#subscription.unsubscribe();
  }

  #subscribe(changes$: Observable<void>, notify: () => void): void {
    this.#subscription.add(changes$.subscribe(oncePerTick(notify)));
  }
}
