import { LoginRefusedError } from '../errors/errors.js';

/** Nobody logs in at as many issuers for one server. */
const MOST_LOGINS = 32;

/** Refusals that would be repeated. A user who refused a login may begin it again. */
const LASTING: ReadonlySet<string> = new Set(['invalid_scope', 'invalid_target']);

/** A login that an authorization server said no to. */
interface RefusedLogin {
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly error: LoginRefusedError;
  /** By the monotonic clock. */
  readonly atMs: number;
}

/** Remembers what was refused, so that each call does not ask for it again. */
export class RefusedLogins {
  #logins: readonly RefusedLogin[] = [];

  /** @param pauseMs for how long it is remembered */
  constructor(private readonly pauseMs: number) {}

  note(issuer: string, scopes: readonly string[], error: LoginRefusedError): void {
    if (!LASTING.has(error.error)) return;
    const login = { issuer, scopes, error, atMs: performance.now() };
    this.#logins = [login, ...this.#recent].slice(0, MOST_LOGINS);
  }

  /** @throws {LoginRefusedError} if the same login, for no more, was refused a moment ago */
  assertNone(issuer: string, scopes: readonly string[]): void {
    const same = this.#recent.find(
      (login) => login.issuer === issuer && login.scopes.every((scope) => scopes.includes(scope)),
    );
    if (same === undefined) return;
    const { error: cause } = same;
    throw new LoginRefusedError(issuer, cause.error, cause.description, { cause });
  }

  get #recent(): readonly RefusedLogin[] {
    const since = performance.now() - this.pauseMs;
    return this.#logins.filter(({ atMs }) => atMs > since);
  }
}
