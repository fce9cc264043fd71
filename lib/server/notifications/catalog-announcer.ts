import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { merge, Subscription, type Observable } from 'rxjs';
import { oncePerTick } from '../../core/async/timers.js';
import type { Registries } from '../catalog/registries.js';
import type { McpNotifier } from './mcp-notifier.js';

/** Announces every change of the catalog to clients while the application runs. Changes of one turn are announced together. */
export class CatalogAnnouncer implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #subscription = new Subscription();

  constructor(
    private readonly notifier: McpNotifier,
    private readonly registries: Registries,
  ) {}

  onApplicationBootstrap(): void {
    const { notifier } = this;
    const { tools, prompts, resources, templates } = this.registries;
    this.#announce(tools.changes$, () => notifier.toolsListChanged());
    this.#announce(prompts.changes$, () => notifier.promptsListChanged());
    this.#announce(merge(resources.changes$, templates.changes$), () => notifier.resourcesListChanged());
  }

  onModuleDestroy(): void {
    this.#subscription.unsubscribe();
  }

  #announce(changes$: Observable<void>, announce: () => void): void {
    this.#subscription.add(changes$.subscribe(oncePerTick(announce)));
  }
}
