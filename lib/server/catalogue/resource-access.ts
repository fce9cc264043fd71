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

  /**
   * Finds what is declared about the resource of a URI; nothing if that is nothing.
   *
   * @param hidden entries that there are not, for whoever asks
   */
  find(uri: string, hidden?: ReadonlySet<object>): Access | undefined {
    return this.findEntry(uri, hidden)?.access;
  }

  /** Finds the resource, or else the template, of a URI. */
  findEntry(uri: string, hidden?: ReadonlySet<object>): CatalogueEntry | undefined {
    const resource = this.resources.find(uri);
    if (resource !== undefined && hidden?.has(resource) !== true) return resource;
    return this.templates.match(uri, hidden)?.entry;
  }

  /** Tells whether there is a resource of a URI, but not for whom this is hidden. */
  isHidden(uri: string, hidden: ReadonlySet<object> | undefined): boolean {
    if (hidden === undefined) return false;
    return this.findEntry(uri, hidden) === undefined && this.findEntry(uri) !== undefined;
  }
}
