import { Subject, type Observable } from 'rxjs';
import { uniteScopes } from '../../core/oauth/scope.js';

/** Knows the scopes that extensions require, because their entries are in no registry. */
export class AddedScopes {
  readonly #changes = new Subject<void>();
  #scopes: readonly string[] = [];

  /** Emits after each addition. */
  readonly changes$: Observable<void> = this.#changes.asObservable();

  /** Each once, in the order in which they were added. */
  get scopes(): readonly string[] {
    return this.#scopes;
  }

  add(scopes: readonly string[]): void {
    this.#scopes = uniteScopes(this.#scopes, scopes);
    this.#changes.next();
  }
}
