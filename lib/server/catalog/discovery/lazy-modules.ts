import type { OnModuleInit } from '@nestjs/common';
import type { LazyModuleLoader } from '@nestjs/core';
import type { CatalogLoader } from './catalog.loader.js';

/**
 * Adds the handlers of modules that the application loads by `LazyModuleLoader`. Nest calls no hooks for such a module and
 * tells nobody of it, so the application's loader says it itself.
 */
export class LazyModules implements OnModuleInit {
  constructor(
    private readonly modules: LazyModuleLoader,
    private readonly catalog: CatalogLoader,
  ) {}

  onModuleInit(): void {
    const load = this.modules.load.bind(this.modules);
    this.modules.load = async (...given) => {
      const reference = await load(...given);
      this.catalog.loadLate();
      return reference;
    };
  }
}
