import type { Reply } from '../../support/authorization/party.js';

/** A token as a provider writes it, without what is the same for all: key, algorithm and times. */
export interface TokenShape {
  /** Members of the header besides `alg` and `kid`. @default none */
  readonly header?: { readonly [member: string]: unknown };
  readonly claims: { readonly [claim: string]: unknown };
}

/** What a provider gives and says, by its documentation or its source. */
export interface ProviderShape {
  /** The name of its page in `docs/identity-providers`, and what is tried of it. */
  readonly page: string;
  /** Which block of the page configures the server; blocks that only name settings have a whole server around them. @default 0 */
  readonly block?: number;
  /** Where the shape is from. */
  readonly sources: readonly [string, ...string[]];
  /** Where its metadata is, and what they have. Any other URL of it answers with `absence`. */
  readonly metadata: { readonly url: string; readonly document: { readonly [member: string]: unknown } };
  /** How it answers at URLs where there is nothing. @default 404 */
  readonly absence?: number;
  /** What it answers elsewhere, by URL. @default nothing */
  readonly replies?: { readonly [url: string]: Reply };
  /** A token that the server takes: an opaque one as it is. */
  readonly good: TokenShape | string;
  /** Whom it stands for. */
  readonly subject: string;
  /** Tokens of the same provider that it refuses, by what they are, with what the log says. */
  readonly wrong: { readonly [what: string]: { readonly token: TokenShape | string; readonly log: RegExp } };
  /** Whether clients have to be told that it checks PKCE with S256. @default false */
  readonly isSilentOnPkce?: boolean;
}
