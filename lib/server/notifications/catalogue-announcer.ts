import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { merge, Subscription, type Observable } from 'rxjs';
import { onceATurn } from '../../core/waiting/once-a-turn.js';
import {
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../catalogue/registries.js';
import { McpNotifier } from './mcp-notifier.js';

/** Announces every change of the catalogue to clients while the application runs. Changes of one turn are announced together. */
@Injectable()
export class CatalogueAnnouncer implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #subscription = new Subscription();

  constructor(
    private readonly notifier: McpNotifier,
    private readonly tools: ToolRegistry,
    private readonly prompts: PromptRegistry,
    private readonly resources: ResourceRegistry,
    private readonly templates: ResourceTemplateRegistry,
  ) {}

  onApplicationBootstrap(): void {
    const { notifier } = this;
    this.#announce(this.tools.changes$, () => notifier.toolsListChanged());
    this.#announce(this.prompts.changes$, () => notifier.promptsListChanged());
    this.#announce(merge(this.resources.changes$, this.templates.changes$), () =>
      notifier.resourcesListChanged(),
    );
  }

  onModuleDestroy(): void {
    this.#subscription.unsubscribe();
  }

  #announce(changes$: Observable<void>, announce: () => void): void {
    this.#subscription.add(changes$.subscribe(onceATurn(announce)));
  }
}
