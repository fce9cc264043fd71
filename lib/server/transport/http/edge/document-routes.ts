import type { Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import type { ApplicationConfig } from '@nestjs/core';
import { isTargetOf } from '../endpoint-path.js';
import { excludeFromPrefix } from './exclude-from-prefix.js';

/** The paths of documents, by the methods of the controller that serve them. */
export type DocumentPaths<Key extends string> = Readonly<Record<Key, readonly string[]>>;

/** Gives the documents of a server their paths, once those are known, and keeps the global prefix off them. */
export abstract class DocumentRoutes<Key extends string> {
  #paths: DocumentPaths<Key> | undefined;

  /** Whether the server has any of the documents. */
  abstract readonly areServed: boolean;

  protected constructor(private readonly documentController: Type) {
    Reflect.defineMetadata(PATH_METADATA, [], documentController);
  }

  /** Puts the controller at the paths; to be called when the global prefix is known. */
  takePaths(): void {
    if (!this.areServed) return;
    Reflect.defineMetadata(PATH_METADATA, '/', this.documentController);
    for (const [key, paths] of Object.entries(this.#all)) {
      const method: object = this.documentController.prototype[key];
      Reflect.defineMetadata(PATH_METADATA, paths, method);
    }
  }

  /** Tells whether a path is that of one of the documents, as it is routed. */
  serves(path: string): boolean {
    return this.#list().includes(path);
  }

  /** Tells whether a request is for one of the documents. */
  matches(target: string): boolean {
    return this.#list().some((path) => isTargetOf(path, target));
  }

  /** Finds the paths; called once. */
  protected abstract findPaths(): DocumentPaths<Key>;

  protected keepOffPrefix(application: ApplicationConfig): void {
    if (this.areServed) excludeFromPrefix(application, () => this.#list());
  }

  #list(): readonly string[] {
    return Object.values<readonly string[]>(this.#all).flat();
  }

  get #all(): DocumentPaths<Key> {
    return (this.#paths ??= this.findPaths());
  }
}
