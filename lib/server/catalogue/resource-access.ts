import { Injectable } from '@nestjs/common';
import type { Access, CatalogueEntry } from './entries.js';
import { ResourceRegistry, ResourceTemplateRegistry } from './registries.js';

/** Knows what resources and templates declare about who may read them. */
@Injectable()
export class ResourceAccess {
  #isDeclared = false;
  #version = -1;

  constructor(
    private readonly resources: ResourceRegistry,
    private readonly templates: ResourceTemplateRegistry,
  ) {}

  /** Whether some resource needs more than a token, or none: else there is nothing to look up. */
  get isDeclared(): boolean {
    const version = this.resources.version + this.templates.version;
    if (version !== this.#version) {
      const entries: readonly CatalogueEntry[] = [...this.resources.list(), ...this.templates.list()];
      this.#isDeclared = entries.some(({ access }) => access !== undefined);
      this.#version = version;
    }
    return this.#isDeclared;
  }

  /** Finds what is declared about the resource of a URI; nothing if that is nothing. */
  find(uri: string): Access | undefined {
    const entry: CatalogueEntry | undefined = this.resources.find(uri) ?? this.templates.match(uri)?.entry;
    return entry?.access;
  }
}
