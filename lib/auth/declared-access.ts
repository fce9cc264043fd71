import { Injectable } from '@nestjs/common';
import { AddedScopes } from '../catalogue/added-scopes.js';
import type { Access, CatalogueEntry } from '../catalogue/entries.js';
import {
  CompletionRegistry,
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../catalogue/registries.js';
import type { Registry } from '../catalogue/registry.js';
import { uniteScopes } from '../oauth/scope.js';

/** What the entries of the catalogue, and extensions, declare together. */
interface Summary {
  readonly scopes: readonly string[];
  readonly hasPublic: boolean;
}

/** Knows what the handlers and extensions of a server declare about who may call them, as of now. */
@Injectable()
export class DeclaredAccess {
  readonly #registries: readonly Registry<CatalogueEntry>[];
  #summary: Summary = { scopes: [], hasPublic: false };
  #version = -1;

  constructor(
    tools: ToolRegistry,
    resources: ResourceRegistry,
    templates: ResourceTemplateRegistry,
    prompts: PromptRegistry,
    completions: CompletionRegistry,
    private readonly added: AddedScopes,
  ) {
    this.#registries = [tools, resources, templates, prompts, completions] as Registry<CatalogueEntry>[];
  }

  /** Every scope that some handler requires, in the order of the catalogue, and then those of extensions. */
  get scopes(): readonly string[] {
    return this.#summarise().scopes;
  }

  /** Whether some handler may be called without a token. */
  get hasPublic(): boolean {
    return this.#summarise().hasPublic;
  }

  #summarise(): Summary {
    let { version } = this.added;
    // Versions only grow, so their sum changes with each of them.
    for (const registry of this.#registries) version += registry.version;
    if (version === this.#version) return this.#summary;
    const declared = this.#registries.flatMap((registry) => registry.list().flatMap(listAccess));
    this.#version = version;
    this.#summary = {
      scopes: uniteScopes(
        declared.flatMap(({ scopes }) => scopes),
        this.added.scopes,
      ),
      hasPublic: declared.some(({ isPublic }) => isPublic),
    };
    return this.#summary;
  }
}

function listAccess({ access }: CatalogueEntry): readonly Access[] {
  return access === undefined ? [] : [access];
}
