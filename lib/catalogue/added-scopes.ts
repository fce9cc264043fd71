import { Injectable } from '@nestjs/common';
import { uniteScopes } from '../oauth/scope.js';

/** Knows the scopes that extensions require: what they serve is no entry of a registry. */
@Injectable()
export class AddedScopes {
  #scopes: readonly string[] = [];
  #version = 0;

  /** Each once, in the order in which they were added. */
  get scopes(): readonly string[] {
    return this.#scopes;
  }

  /** Grows with each addition. */
  get version(): number {
    return this.#version;
  }

  add(scopes: readonly string[]): void {
    this.#scopes = uniteScopes(this.#scopes, scopes);
    this.#version += 1;
  }
}
